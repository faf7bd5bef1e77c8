import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import {
  inEach,
  inLanguages,
  type Language,
  LOCALES,
  type Namespace,
  type TextsIn,
} from '../../application/words/in-languages.ts'
import type { Frame } from '../../web/entries.tsx'
import { Figure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'
import { type Column, TextLink } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import { chargePointPath } from '../paths.ts'

type Reader = { readonly language: Language }

export const sharedWords = inLanguages('console')

/** A page's own texts count before those that all pages share. */
export type PageTexts<Name extends Namespace> = Omit<TextsIn<'console'>, keyof TextsIn<Name>> & TextsIn<Name>

const PAGES = Object.fromEntries(
  (Object.keys(LOCALES.en) as Namespace[]).map((name) => [
    name,
    inEach((language) => ({ ...sharedWords({ language }), ...inLanguages(name)({ language }) })),
  ]),
) as { readonly [Name in Namespace]: (reader: Reader) => PageTexts<Name> }

export function wordsIn<Name extends Namespace>(name: Name, reader: Reader): PageTexts<Name> {
  return PAGES[name](reader)
}

/** Columns that many tables have; what differs from the usual width and place stands in `more`. */
type More<Row> = Partial<Omit<Column<Row>, 'title' | 'text' | 'cell'>>
type Read<Row, Value> = (row: Row) => Value | undefined

/** A phone has no room for it. */
export function ago<Row>(frame: Frame, title: string, at: Read<Row, number>, more: More<Row> = {}): Column<Row> {
  const cell = (row: Row) => {
    const ms = at(row)
    return ms !== undefined && <Ago frame={frame} at={ms} />
  }
  return { title, kind: 'time', width: 120, wideOnly: true, cell, ...more }
}

/** The row's own page stands behind its time. */
export function agoLink<Row>(
  frame: Frame,
  title: string,
  linkOf: (row: Row) => readonly [to: string, at: number],
): Column<Row> {
  const cell = (row: Row) => {
    const [to, at] = linkOf(row)
    return (
      <a href={to}>
        <Ago frame={frame} at={at} />
      </a>
    )
  }
  return { title, kind: 'time', width: 136, cell }
}

/** Of a table with one line per row: what was cut off is shown on hover. */
export function cutOff<Row>(
  title: string,
  text: Read<Row, string>,
  more: More<Row> = {},
): Column<Row> & { readonly title: string } {
  return { title, whole: text, text, ...more }
}

/** @param below the page of the charge point that the link leads to, with its slash */
export function station<Row>(
  frame: Frame,
  title: string,
  idOf: (row: Row) => string,
  { below = '', ...more }: More<Row> & { readonly below?: string } = {},
): Column<Row> {
  const cell = (row: Row) => <TextLink to={chargePointPath(frame, idOf(row)) + below} text={idOf(row)} />
  return { title, kind: 'host', cell, ...more }
}

export function figure<Row>(title: string, cell: (row: Row) => Child, more: More<Row> = {}): Column<Row> {
  return { title, kind: 'number', cell, ...more }
}

export function link<Row>(
  title: string,
  linkOf: (row: Row) => Parameters<typeof TextLink>[0],
  more: More<Row> = {},
): Column<Row> {
  return { title, cell: (row) => <TextLink {...linkOf(row)} />, ...more }
}

export function chip<Row>(
  title: string,
  chipOf: (row: Row) => readonly [tone: string, text: Child],
  more: More<Row> = {},
): Column<Row> {
  const cell = (row: Row) => {
    const [tone, text] = chipOf(row)
    return <Chip tone={tone} text={text} />
  }
  return { title, cell, ...more }
}

export const Chip: FC<{ tone: string; text: Child }> = ({ tone, text }) => <span class={`chip ${tone}`}>{text}</span>

type ButtonLinkProps = { to: string; text: Child; main?: boolean; download?: boolean }

export const ButtonLink: FC<ButtonLinkProps> = ({ to, text, main, download }) => (
  <a class={main ? 'button main' : 'button'} href={to} download={download}>
    {text}
  </a>
)

export type Fact = readonly [name: Child, value: Child, style?: 'warn' | 'host']

export const Facts: FC<{
  readonly facts: readonly Fact[]
  readonly class?: string
  readonly live?: string
  readonly asFigures?: boolean
}> = ({ facts, class: style, live, asFigures }) => {
  const known = facts.filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return (
    <dl class={asFigures ? 'figures' : style} data-live={live}>
      {known.map((fact) => (asFigures ? <div>{pairOf(fact)}</div> : pairOf(fact)))}
    </dl>
  )
}

function pairOf([name, value, tone]: Fact) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={tone}>{value}</dd>
    </>
  )
}

export const Panel: FC<
  PropsWithChildren<{
    title: string
    said?: Child | undefined
    end?: Child | undefined
    foot?: Child | undefined
    edge?: boolean | undefined
    live?: string | undefined
  }>
> = ({ title, said, end, foot, edge, live, children }) => (
  <section class={edge ? 'card table' : 'card'} aria-label={title} data-live={live}>
    <header>
      <h2>{title}</h2>
      {said !== undefined && <span class="soft small">{said}</span>}
      {end !== undefined && <span class="row end">{end}</span>}
    </header>
    {children}
    {foot !== undefined && <footer>{foot}</footer>}
  </section>
)

/** `parts` stand behind each other, each a share of `most`. */
export const Bar: FC<{
  label: string
  most: number
  parts: readonly (readonly [tone: 'grey' | 'fill' | 'bad', value: number])[]
}> = ({ label, most, parts }) => {
  const percent = (value: number): number => Math.round((Math.max(0, value) / Math.max(most, 1e-6)) * 1000) / 10
  const begins = parts.map((_, at) => parts.slice(0, at).reduce((sum, [, value]) => sum + value, 0))
  return (
    <svg class="bar" role="img" aria-label={label}>
      <rect class="rail" width="100%" height="8" />
      {parts.map(([tone, value], at) => (
        <rect class={tone} x={`${percent(begins[at] ?? 0)}%`} width={`${percent(value)}%`} height="8" />
      ))}
    </svg>
  )
}

interface Tab {
  readonly to: string
  readonly text: Child
  readonly count?: string | undefined
  readonly isHere: boolean
}

type TabBarProps = { label?: string | undefined; tabs: readonly Tab[]; more?: Child | undefined; style?: string }

export const TabBar: FC<TabBarProps> = ({ label, tabs, more, style = 'tabs' }) => (
  <nav class={style} aria-label={label}>
    {tabs.map(({ to, text, count, isHere }) => (
      <a href={to} aria-current={isHere ? 'page' : undefined}>
        {text}
        {count !== undefined && <span class="count">{count}</span>}
      </a>
    ))}
    {more}
  </nav>
)

export const Segments: FC<TabBarProps> = (props) => <TabBar {...props} style="segments end" />

interface KeyFigure {
  readonly name?: string | undefined
  readonly label: string
  readonly figure: string
  readonly unit?: string | undefined
  readonly than?: Child | undefined
  readonly to: string
  readonly bad?: boolean | undefined
}

/** Each leads to the list that it counts (CONSOLE-A1). */
export const KeyFigures: FC<{ figures: readonly KeyFigure[]; label: string }> = ({ figures, label }) => (
  <nav class="card figures" aria-label={label}>
    {figures.map(({ name, label: what, figure, unit, than, to, bad }) => (
      <a href={to} class={bad ? 'bad' : undefined} data-figure={name}>
        <span>{what}</span> <Figure figure={figure} unit={unit} />
        {than !== undefined && <span>{than}</span>}
      </a>
    ))}
  </nav>
)

/** `loud`: no user takes care of it yet. `waits`: a decision is due, nothing is broken. */
export const Banner: FC<
  PropsWithChildren<{ title: Child; reported?: Child | undefined; tone: 'loud' | 'quiet' | 'waits' }>
> = ({ title, reported, tone, children }) => (
  <section
    class={`banner${tone === 'loud' ? '' : ' quiet'}${tone === 'waits' ? ' waits' : ''}`}
    role={tone === 'loud' ? 'alert' : undefined}
  >
    <Icon name="warn" />
    <p>
      <strong>{title}</strong>
      {reported !== undefined && (
        <>
          {tone === 'loud' ? <br /> : ' '}
          {reported}
        </>
      )}
    </p>
    {children !== undefined && <span class="row">{children}</span>}
  </section>
)

export const Nothing: FC<PropsWithChildren<{ text: string }>> = ({ text, children }) => (
  <div class="nothing">
    {text}
    {children !== undefined && <div>{children}</div>}
  </div>
)
