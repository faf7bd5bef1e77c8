/** Fields of forms that keep what was typed when something is wrong with it (ADMIN-D1). */

import type { Child, FC, PropsWithChildren } from 'hono/jsx'

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

type LabelProps = { label: string; name: string; fault: string | undefined; hint: Child | undefined }

const Labelled: FC<PropsWithChildren<LabelProps>> = ({ label, name, fault, hint, children }) => (
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
    {fault !== undefined && (
      <p class="warn" role="alert" id={`${name}-fault`}>
        {fault}
      </p>
    )}
  </div>
)

interface EntryProps {
  readonly label: string
  readonly name: string
  readonly typed: Typed
  readonly value?: string | undefined
  readonly hint?: Child | undefined
}

/** What was typed wins over what is stored; a form that was sent without the field had nothing in it. */
function shownValue({ form }: Typed, name: string, stored: string | undefined): string {
  return form.get(name) ?? (form.size > 0 ? '' : (stored ?? ''))
}

function describedBy(name: string, hint: Child | undefined, fault: string | undefined): string | undefined {
  const ids = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`]
  return ids.filter((id) => id !== false).join(' ') || undefined
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

export const Entry: FC<InputProps> = ({ label, name, typed, value, hint, type = 'text', secret, ...input }) => {
  const fault = typed.faults[name]
  return (
    <Labelled label={label} name={name} fault={fault} hint={hint}>
      <input
        id={`of-${name}`}
        type={type}
        name={name}
        value={secret || type === 'password' ? '' : shownValue(typed, name, value)}
        autocomplete="off"
        {...input}
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={describedBy(name, hint, fault)}
      />
    </Labelled>
  )
}

/** Pairs where values may be numbers: an object would put those first. */
export type Options = Readonly<Record<string, string>> | readonly OptionPair[]
export type OptionPair = readonly [value: string, name: string]

type ChoiceProps = EntryProps & { options: Options }

export const Choice: FC<ChoiceProps> = ({ label, name, typed, value, hint, options }) => {
  const fault = typed.faults[name]
  const chosen = shownValue(typed, name, value)
  return (
    <Labelled label={label} name={name} fault={fault} hint={hint}>
      <select id={`of-${name}`} name={name} aria-describedby={describedBy(name, hint, fault)}>
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

export const Lines: FC<LinesProps> = ({ label, name, typed, value, hint, required }) => {
  const fault = typed.faults[name]
  return (
    <Labelled label={label} name={name} fault={fault} hint={hint}>
      <textarea
        id={`of-${name}`}
        name={name}
        spellcheck={false}
        required={required}
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={describedBy(name, hint, fault)}
      >
        {/* The first line break behind the tag is not the field's. */}
        {`\n${shownValue(typed, name, value)}`}
      </textarea>
    </Labelled>
  )
}

export const Ticks: FC<{
  label: string
  name: string
  typed: Typed
  options: readonly string[]
  names?: Readonly<Record<string, string>> | undefined
  ticked: readonly string[]
  hint?: Child | undefined
}> = ({ label, name, typed, options, names, ticked, hint }) => {
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
