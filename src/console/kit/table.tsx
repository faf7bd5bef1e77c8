import type { Child, FC } from 'hono/jsx'

/** One column of a table: its title and what stands below it. */
export interface Column<Row> {
  /** Absent above what needs none, such as buttons. On a phone it stands before the value. */
  readonly title?: string | undefined
  /** What a charge point or a person wrote: in any script, and it turns nothing that stands beside it. */
  readonly text?: (row: Row) => string | undefined
  /** Anything else. */
  readonly cell?: (row: Row) => Child
  readonly kind?: 'number' | 'time' | 'host' | 'name' | undefined
  /** It stands first, and names its row. */
  readonly heads?: boolean | undefined
  /** The address of the same list sorted by it, and how it is sorted by it now. */
  readonly sort?: { readonly to: string; readonly now?: 'ascending' | 'descending' | undefined }
  /** A phone has no room for it. */
  readonly wideOnly?: boolean | undefined
}

/** A column, or what a condition made of it. */
export type Columns<Row> = readonly (Column<Row> | false | undefined)[]

export interface TableProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: Columns<Row>
  /** What stands there when there are no rows. */
  readonly empty?: string | undefined
  /** More rows, such as sums. */
  readonly foot?: Child | undefined
  /** What a row is marked with. */
  readonly row?: (row: Row) => Readonly<Record<string, string | undefined>>
  /** On a phone it stays a table that scrolls. */
  readonly plain?: boolean | undefined
}

/** A table whose columns are declared once: title, cell, and the name of the cell on a phone. */
export function Table<Row>({ rows, columns, empty, foot, row: mark, plain }: TableProps<Row>) {
  const shown = columns.filter((column): column is Column<Row> => column !== false && column !== undefined)
  if (rows.length === 0 && empty !== undefined) return <p class="soft">{empty}</p>
  return (
    <table class={plain ? undefined : 'cards'}>
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
              <Cell column={column} row={row} named={!plain && at > 0} />
            ))}
          </tr>
        ))}
        {foot}
      </tbody>
    </table>
  )
}

function Heading<Row>({ column: { title, kind, sort, wideOnly } }: { column: Column<Row> }) {
  if (title === undefined) return <td />
  const style = [kind === 'number' && kind, wideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined
  return (
    <th scope="col" class={style} aria-sort={sort?.now}>
      {sort ? <a href={sort.to}>{title}</a> : title}
    </th>
  )
}

function Cell<Row>({ column, row, named }: { column: Column<Row>; row: Row; named: boolean }) {
  const { title, text, cell, kind, heads, wideOnly } = column
  const content = text ? <bdi>{text(row)}</bdi> : cell?.(row)
  if (heads) return <th scope="row">{content}</th>
  const style = [kind, wideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined
  return (
    <td class={style} data-label={named ? title : undefined}>
      {content}
    </td>
  )
}

/** A table on a card, which scrolls where its page is narrow. */
export function TableCard<Row>({
  label,
  heading,
  live,
  before,
  after,
  ...table
}: TableProps<Row> & {
  /** What the card is called by those who do not see it. */
  readonly label: string
  /** Shown above the table, where the page has more than one. */
  readonly heading?: Child | undefined
  readonly live?: string | undefined
  readonly before?: Child | undefined
  readonly after?: Child | undefined
}) {
  return (
    <section class="card scrolls" data-live={live} aria-label={label} tabindex={0}>
      {heading !== undefined && <h2>{heading}</h2>}
      {before}
      <Table {...table} />
      {after}
    </section>
  )
}

interface TextLinkProps {
  readonly to: string
  readonly text: string
  readonly class?: string | undefined
  readonly download?: boolean | undefined
}

/** A link whose text a charge point or a person wrote. */
export const TextLink: FC<TextLinkProps> = ({ to, text, class: style, download }) => (
  <a class={style} href={to} download={download}>
    <bdi>{text}</bdi>
  </a>
)
