/** Columns that many tables have; what differs from the usual width and place stands in `more`. */
import type { Child, FC } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { type Column, TextLink } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import { chargePointPath } from '../paths.ts'

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
