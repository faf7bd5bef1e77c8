/**
 * The frame of every page: forms and links. Only the operator's pages run something in the browser (live.js), and need
 * it not.
 */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { LIVE_MODULE_PATH } from './live-module.ts'
import { NAVIGATION, type NavigationEntry } from './navigation.ts'
import type { Language, Texts } from './texts.ts'

export interface Frame {
  readonly language: Language
  readonly texts: Texts
  /** Path of the dashboard, without a trailing slash. */
  readonly root: string
  /** Absent while nobody is signed in, or where links away would only distract. */
  readonly visitor?: {
    readonly name: string
    readonly administrator: boolean
    /** May see the console. */
    readonly sees: boolean
    /** Path of the page that is looked at. */
    readonly at: string
    readonly signOutCsrf: string
  }
}

/** A title is no place for isolation: what turns the text behind it is left out. */
const UNSEEN = /[\p{Cc}\p{Cf}]+/gu

export const Page: FC<
  PropsWithChildren<{
    frame: Frame
    title: string
    narrow?: boolean | undefined
    wide?: boolean | undefined
    /** Its `data-live` regions are kept up to date; to be rendered with the option of the same name. */
    live?: boolean | undefined
  }>
> = ({ frame, title, narrow, wide, live, children }) => (
  <html lang={frame.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title.replaceAll(UNSEEN, ' ')} · Pilotwire</title>
      <link rel="icon" type="image/svg+xml" href={`${frame.root}/assets/icon.svg`} />
      <link rel="stylesheet" href={`${frame.root}/assets/style.css`} />
      {live && <script type="module" src={frame.root + LIVE_MODULE_PATH} />}
    </head>
    <body>
      <a class="skip" href="#content">
        {frame.texts.skip}
      </a>
      <header>
        <span class="brand">Pilotwire</span>
        {frame.visitor && <Navigation frame={frame} visitor={frame.visitor} />}
      </header>
      <main id="content" tabindex={-1} class={narrow ? 'narrow' : wide ? 'wide' : ''}>
        {live && <LiveStatus texts={frame.texts} />}
        {children}
      </main>
    </body>
  </html>
)

/** Empty until the module says something: when the page last changed, or that it does no longer. */
const LiveStatus: FC<{ texts: Texts }> = ({ texts: { live } }) => (
  <p
    class="live soft"
    role="status"
    data-live-status
    data-updated={live.updated}
    data-away={live.away}
    data-over={live.over}
  />
)

const Navigation: FC<{ frame: Frame; visitor: NonNullable<Frame['visitor']> }> = ({ frame, visitor }) => {
  const { root, texts } = frame
  return (
    <>
      <nav class="daily" aria-label={texts.navigation}>
        <Entries frame={frame} visitor={visitor} entries={NAVIGATION.daily} />
      </nav>
      <nav class="set-up" aria-label={texts.settings}>
        <Entries frame={frame} visitor={visitor} entries={NAVIGATION.setUp} />
        <form method="post" action={`${root}/logout`}>
          <input type="hidden" name="csrf" value={visitor.signOutCsrf} />
          <button class="plain" type="submit" title={visitor.name}>
            {texts.signOut}
          </button>
        </form>
      </nav>
    </>
  )
}

const Entries: FC<{
  frame: Frame
  visitor: NonNullable<Frame['visitor']>
  entries: readonly NavigationEntry[]
}> = ({ frame, visitor, entries }) => (
  <>
    {entries
      .filter(({ who }) => who === 'anybody' || visitor[who])
      .map(({ path, name }) => {
        const address = frame.root + path || '/'
        const isHere =
          path === '' ? visitor.at === address || visitor.at === `${address}/` : isBelow(visitor.at, address)
        return (
          <a href={address} aria-current={isHere ? 'page' : undefined}>
            {name(frame.texts)}
          </a>
        )
      })}
  </>
)

function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}/`)
}

export const Field: FC<{
  label: string
  name: string
  type?: string | undefined
  value?: string | undefined
  inputmode?: 'email' | undefined
  autocomplete?: string | undefined
  required?: boolean | undefined
  autofocus?: boolean | undefined
  /** What may be typed, for the browser to offer. */
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

/** A time as everywhere in the API, shortened to the minute. */
export function shownTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export function shownDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
