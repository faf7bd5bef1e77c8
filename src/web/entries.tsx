/** Fields of forms that keep what was typed when something is wrong with it (ADMIN-D1). */

import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { UNPRINTABLE } from '../domain/typed-text.ts'
import { LIVE_MODULE_PATH, STYLE_PATH } from './fixed-document.ts'
import type { Frame } from './frame/frame.ts'
import { Head, SideBar } from './frame/head.tsx'
import { Icon } from './frame/icons.tsx'

export type Faults = Readonly<Record<string, string>>

export interface Typed {
  readonly form: URLSearchParams
  readonly faults: Faults
}

export const NOTHING_TYPED: Typed = { form: new URLSearchParams(), faults: {} }

/** @param once makes the form act once, however often it is sent; a fresh one for each page */
export const Sealed: FC<{ csrf: string; once?: string | false | undefined }> = ({ csrf, once }) => (
  <>
    <input type="hidden" name="csrf" value={csrf} />
    {once && <input type="hidden" name="once" value={once} />}
  </>
)

interface EntryProps {
  readonly label: string
  readonly name: string
  readonly typed: Typed
  readonly value?: string | undefined
  readonly hint?: Child | undefined
}

const Labelled: FC<PropsWithChildren<EntryProps>> = ({ label, name, typed: { faults }, hint, children }) => (
  <div class="entry">
    <label class="field" for={`of-${name}`}>
      <span>{label}</span>
    </label>
    {children}
    {hint !== undefined && (
      <p class="soft" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {faults[name] !== undefined && (
      <p class="warn" role="alert" id={`${name}-fault`}>
        {faults[name]}
      </p>
    )}
  </div>
)

/** What was typed wins over what is stored; a form that was sent without the field had nothing in it. */
function shownValue({ form }: Typed, name: string, stored: string | undefined): string {
  return form.get(name) ?? (form.size > 0 ? '' : (stored ?? ''))
}

function described({ name, hint, typed: { faults } }: EntryProps) {
  const isFaulty = faults[name] !== undefined
  const ids = [hint !== undefined && `${name}-hint`, isFaulty && `${name}-fault`]
  return {
    'aria-invalid': isFaulty ? 'true' : undefined,
    'aria-describedby': ids.filter(Boolean).join(' ') || undefined,
  } as const
}

type InputProps = EntryProps & {
  type?: string | undefined
  required?: boolean | undefined
  autocomplete?: string | undefined
  inputmode?: 'email' | 'decimal' | 'numeric' | undefined
  maxlength?: number | undefined
  list?: string | undefined
  /** What was typed is not shown again. */
  secret?: boolean | undefined
}

export const Entry: FC<InputProps> = ({ label, name, typed, value, hint, type = 'text', secret, ...input }) => (
  <Labelled {...{ label, name, typed, hint }}>
    <input
      id={`of-${name}`}
      type={type}
      name={name}
      value={secret || type === 'password' ? '' : shownValue(typed, name, value)}
      autocomplete="off"
      {...input}
      {...described({ label, name, typed, hint })}
    />
  </Labelled>
)

/** Pairs where values may be numbers: an object would put those first. */
export type Options = Readonly<Record<string, string>> | readonly OptionPair[]
export type OptionPair = readonly [value: string, name: string]

type ChoiceProps = EntryProps & { options: Options }

export const Choice: FC<ChoiceProps> = ({ options, value, ...entry }) => {
  const chosen = shownValue(entry.typed, entry.name, value)
  return (
    <Labelled {...entry}>
      <select id={`of-${entry.name}`} name={entry.name} {...described(entry)}>
        {pairsOf(options).map(([one, text]) => (
          <option value={one} selected={one === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

function pairsOf(options: Options): readonly OptionPair[] {
  return isPairs(options) ? options : Object.entries(options)
}

function isPairs(options: Options): options is readonly OptionPair[] {
  return Array.isArray(options)
}

type LinesProps = EntryProps & { required?: boolean | undefined }

export const Lines: FC<LinesProps> = ({ value, required, ...entry }) => (
  <Labelled {...entry}>
    <textarea id={`of-${entry.name}`} name={entry.name} spellcheck={false} required={required} {...described(entry)}>
      {/* The first line break behind the tag is not the field's. */}
      {`\n${shownValue(entry.typed, entry.name, value)}`}
    </textarea>
  </Labelled>
)

type TicksProps = Omit<EntryProps, 'value'> & {
  options: readonly string[]
  names?: Readonly<Record<string, string>> | undefined
  ticked: readonly string[]
}

export const Ticks: FC<TicksProps> = ({ label, name, typed, options, names, ticked, hint }) => {
  const chosen = typed.form.size > 0 ? typed.form.getAll(name) : ticked
  const fault = typed.faults[name]
  return (
    <fieldset>
      <legend>{label}</legend>
      {hint !== undefined && <p class="soft">{hint}</p>}
      <ul class="choices">
        {options.map((option) => (
          <li>
            <label>
              <input type="checkbox" name={name} value={option} checked={chosen.includes(option)} />
              {names?.[option] === undefined ? <code>{option}</code> : <span title={option}>{names[option]}</span>}
            </label>
          </li>
        ))}
      </ul>
      {fault !== undefined && <Warning>{fault}</Warning>}
    </fieldset>
  )
}

export const Tick: FC<EntryProps> = ({ label, name, typed, value }) => (
  <label class="choice">
    <input type="checkbox" name={name} value="yes" checked={shownValue(typed, name, value) === 'yes'} />
    <span>{label}</span>
  </label>
)

type SubmitProps = PropsWithChildren<{ danger?: boolean | undefined; more?: Child | undefined }>

/** `more`: what else can be done, behind it: the first button of a form is what its Enter key presses. */
export const Submit: FC<SubmitProps> = ({ danger, more, children }) => (
  <div class="actions">
    <button class={danger ? 'danger' : 'main'} type="submit">
      {children}
    </button>
    {more}
  </div>
)

export const Warning: FC<PropsWithChildren> = ({ children }) => (
  <p class="warn" role="alert">
    {children}
  </p>
)

/**
 * A form that is one button. What cannot be taken back, or ends what others rely on, asks first: the button then opens
 * the question, and another one below it answers (CONSOLE-A19).
 * @param props.order what the answer does, where the first button does not name what it is about
 * @param props.sent fields beside the token
 */
export const Action: FC<{
  to: string
  csrf: string
  text: Child
  style?: string | undefined
  ask?: string | undefined
  order?: string | undefined
  sent?: Readonly<Record<string, string>> | undefined
}> = ({ to, csrf, text, style = '', ask, order, sent = {} }) => {
  const button = (
    <form method="post" action={to}>
      {Object.entries({ csrf, ...sent }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={style}>
        {ask === undefined || order === undefined ? text : <bdi>{order}</bdi>}
      </button>
    </form>
  )
  if (ask === undefined) return button
  return (
    <details class="ask">
      <summary class={style}>{text}</summary>
      <p>{ask}</p>
      {button}
    </details>
  )
}

/** The frame of every page. Only the operator's pages run a script (live.js), and work without it. */
export type { Frame } from './frame/frame.ts'

export const Page: FC<
  PropsWithChildren<{
    frame: Frame
    title: string
    narrow?: boolean | undefined
    wide?: boolean | undefined
    live?: boolean | undefined
  }>
> = ({ frame, title, narrow, wide, live, children }) => (
  <html lang={frame.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      {/* A title is no place for isolation: what turns the text behind it is left out. */}
      <title>{title.replaceAll(UNPRINTABLE, ' ')} · Pilotwire</title>
      <link rel="icon" type="image/svg+xml" href={`${frame.root}/assets/icon.svg`} />
      <link rel="stylesheet" href={`${frame.root}${STYLE_PATH}`} />
      {frame.scripted && <script type="module" src={frame.root + LIVE_MODULE_PATH} />}
    </head>
    <body>
      <a class="skip" href="#content">
        {frame.texts.skip}
      </a>
      {frame.visitor ? (
        <div class="house">
          <SideBar frame={frame} visitor={frame.visitor} />
          <div>
            <Head frame={frame} visitor={frame.visitor} live={live ?? false} />
            <main id="content" tabindex={-1} class={narrow ? 'narrow' : wide ? undefined : 'read'}>
              {children}
            </main>
          </div>
        </div>
      ) : (
        <div class={narrow ? 'alone' : 'alone open'}>
          <header class="brand">
            <Icon name="brand" />
            Pilotwire
          </header>
          <main id="content" tabindex={-1}>
            {children}
          </main>
        </div>
      )}
    </body>
  </html>
)

export const Field: FC<{
  label: string
  name: string
  type?: string | undefined
  value?: string | undefined
  inputmode?: 'email' | undefined
  autocomplete?: string | undefined
  required?: boolean | undefined
  autofocus?: boolean | undefined
  offered?: readonly string[] | undefined
}> = ({ label, name, type = 'text', value, inputmode, autocomplete = 'off', required, autofocus, offered }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type={type}
      name={name}
      value={value ?? ''}
      inputmode={inputmode}
      autocapitalize={inputmode && 'none'}
      autocomplete={autocomplete}
      required={required}
      autofocus={autofocus}
      list={offered && `${name}-offered`}
    />
    {offered && (
      <datalist id={`${name}-offered`}>
        {offered.map((one) => (
          <option value={one} />
        ))}
      </datalist>
    )}
  </label>
)
