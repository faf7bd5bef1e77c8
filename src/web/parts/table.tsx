import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { Icon } from '../frame/icons.tsx'

export interface Column<Row> {
  /** Absent above what needs none, such as buttons. On a phone it stands before the value. */
  readonly title?: string | undefined
  /** What a charge point or a person wrote: in any script, and it turns nothing that stands beside it. */
  readonly text?: (row: Row) => string | undefined
  readonly cell?: (row: Row) => Child
  readonly kind?: 'number' | 'time' | 'host' | 'name' | 'acts' | 'tick' | undefined
  /** It stands first, and names its row. */
  readonly heads?: boolean | undefined
  /** The address of the same list sorted by it, and how it is sorted by it now. */
  readonly sort?: { readonly to: string; readonly now?: 'ascending' | 'descending' | undefined } | undefined
  /** A phone has no room for it. */
  readonly wideOnly?: boolean | undefined
  /** `false`: the smallest phones have no room for it. */
  readonly narrow?: boolean | undefined
  /** It is there where the window is wide enough for all columns. */
  readonly roomy?: boolean | undefined
  /** Of a table with one line per row: how wide, unless it takes its share; the whole of what was cut off. */
  readonly width?: ColumnWidth | undefined
  readonly whole?: ((row: Row) => string | undefined) | undefined
}

/** In pixels, on a grid of 4. */
type ColumnWidth = 60 | 72 | 88 | 104 | 120 | 136 | 160 | 200 | 240

export type Columns<Row> = readonly (Column<Row> | false | undefined)[]

interface TableProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: Columns<Row>
  readonly empty?: string | undefined
  readonly foot?: Child | undefined
  readonly row?: (row: Row) => Readonly<Record<string, string | undefined>>
  /** On a phone it stays a table that scrolls. */
  readonly plain?: boolean | undefined
  /** One line per row, longer texts cut off; a phone has the columns it has room for, or (`cards`) a card per row. */
  readonly oneLine?: boolean | 'cards' | undefined
}

/** A table whose columns are declared once: title, cell, and the name of the cell on a phone. */
export function Table<Row>({ rows, columns, empty, foot, row: mark, plain, oneLine }: TableProps<Row>) {
  const shown = columns.filter((column): column is Column<Row> => column !== false && column !== undefined)
  if (rows.length === 0 && empty !== undefined) return <p class="soft nothing">{empty}</p>
  return (
    <table class={classOf(plain, oneLine)}>
      {oneLine && (
        <colgroup>
          {shown.map((column) => (
            <col class={styleOf(column, column.width && `w${column.width}`, column.kind === 'tick' && 'tick')} />
          ))}
        </colgroup>
      )}
      {shown.some(({ title }) => title !== undefined) && (
        <thead>
          <tr>
            {shown.map((column) => (
              <Heading column={column} />
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr {...mark?.(row)}>
            {shown.map((column, at) => (
              <Cell column={column} row={row} named={!plain && oneLine !== true && at > 0} />
            ))}
          </tr>
        ))}
        {foot}
      </tbody>
    </table>
  )
}

function classOf(plain?: boolean, oneLine?: TableProps<never>['oneLine']): string | undefined {
  if (oneLine) return oneLine === 'cards' ? 'one-line cards' : 'one-line'
  return plain ? undefined : 'cards'
}

function styleOf<Row>({ wideOnly, roomy, narrow }: Column<Row>, ...more: readonly (string | false | undefined)[]) {
  return (
    [...more, wideOnly && 'no-phone', roomy && 'no-phone roomy', narrow === false && 'no-narrow']
      .filter(Boolean)
      .join(' ') || undefined
  )
}

function Heading<Row>({ column }: { column: Column<Row> }) {
  const { title, kind, sort } = column
  if (title === undefined) return <td class={styleOf(column)} />
  return (
    <th scope="col" class={styleOf(column, (kind === 'number' || kind === 'acts') && kind)} aria-sort={sort?.now}>
      {sort ? (
        <a href={sort.to}>
          {title}
          {sort.now && <Icon name={sort.now === 'ascending' ? 'up' : 'down'} />}
        </a>
      ) : (
        title
      )}
    </th>
  )
}

function Cell<Row>({ column, row, named }: { column: Column<Row>; row: Row; named: boolean }) {
  const { title, text, cell, kind, heads, whole } = column
  const said = text?.(row)
  const content = text ? said !== undefined && <bdi>{said}</bdi> : cell?.(row)
  if (heads) return <th scope="row">{content}</th>
  return (
    <td class={styleOf(column, kind)} title={whole?.(row)} data-label={named ? title : undefined}>
      {content}
    </td>
  )
}

export function TableCard<Row>({
  label,
  heading,
  live,
  before,
  after,
  ...table
}: TableProps<Row> & {
  /** What the card is called by those who do not see it; its heading unless given. */
  readonly label?: string | undefined
  readonly heading?: Child | undefined
  readonly live?: string | undefined
  readonly before?: Child | undefined
  readonly after?: Child | undefined
}) {
  return (
    <section
      class={table.oneLine ? 'card table' : 'card table scrolls'}
      data-live={live}
      aria-label={label ?? (typeof heading === 'string' ? heading : undefined)}
      tabindex={0}
    >
      {heading !== undefined && <h2>{heading}</h2>}
      {before}
      <Table {...table} />
      {after}
    </section>
  )
}

export const TextLink: FC<{
  /** Without one it is text alone. */
  readonly to: string | false
  readonly text: string
  readonly class?: string | undefined
  readonly download?: boolean | undefined
}> = ({ to, text, class: style, download }) => {
  const content = <bdi>{text}</bdi>
  return to === false ? (
    content
  ) : (
    <a class={style} href={to} download={download}>
      {content}
    </a>
  )
}

type Up = readonly [to: string, text: Child]

export const Crumb: FC<{ ways: readonly (Up | false | undefined)[] }> = ({ ways }) => (
  <p class="crumb">
    {ways
      .filter((way) => way !== false && way !== undefined)
      .map(([to, text], at) => (
        <>
          {at > 0 && ' / '}
          <a href={to}>
            <bdi>{text}</bdi>
          </a>
        </>
      ))}
  </p>
)

interface TitleProps {
  readonly text: Child
  readonly said?: Child | undefined
  readonly up?: readonly (Up | false | undefined)[] | undefined
}

export const Title: FC<PropsWithChildren<TitleProps>> = ({ text, said, up, children }) => (
  <>
    {up && <Crumb ways={up} />}
    <div class="title">
      <h1>{text}</h1>
      {said !== undefined && <span class="soft">{said}</span>}
      {children !== undefined && <span class="row end">{children}</span>}
    </div>
  </>
)

/** A form behind a button that opens it: what is seldom done does not stand above what is looked at every day. */
export const Disclosure: FC<PropsWithChildren<{ title: string; open: boolean }>> = ({ title, open, children }) => (
  <details class="fold" open={open || undefined}>
    <summary>{title}</summary>
    {children}
  </details>
)
