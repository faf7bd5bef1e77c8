import type { Child, FC } from 'hono/jsx'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../web/page-size.ts'
import { type Narrowing, queryText } from '../paths.ts'
import { sharedWords } from './texts.ts'

export function sizeIn({ pageSize }: Frame): Narrowing {
  return pageSize === DEFAULT_PAGE_SIZE ? {} : { size: String(pageSize) }
}

export const Tabs: FC<{
  frame: Frame
  path: string
  name: string
  options: readonly (readonly [value: string | undefined, text: Child])[]
  chosen: string | undefined
  label?: string | undefined
  query?: Narrowing | undefined
}> = ({ frame, path, name, options, chosen, label, query = {} }) => (
  <nav class="tabs" aria-label={label}>
    {options.map(([value, text]) => (
      <a
        href={path + queryText({ ...sizeIn(frame), ...query, [name]: value })}
        aria-current={value === chosen ? 'page' : undefined}
      >
        {text}
      </a>
    ))}
  </nav>
)

export interface Part {
  /** Of the first row; absent where rows are not counted from the beginning. */
  readonly first?: number | undefined
  readonly rows: number
  readonly total?: number | undefined
}

/** `1–50 of 5,000`, how many to a page, back to the first page, and on to the next one. */
export const Paging: FC<{
  readonly frame: Frame
  readonly path: string
  readonly query?: Narrowing | undefined
  readonly later?: boolean | undefined
  /** What the next page's address has besides the query, as a text its `after`; absent: there is none. */
  readonly next: Narrowing | string | undefined
  readonly newestFirst?: boolean | undefined
  readonly part?: Part | undefined
}> = ({ frame, path, query: narrowing, later, next, newestFirst, part }) => {
  const words = sharedWords(frame)
  const query = { ...sizeIn(frame), ...narrowing }
  if (!later && !next && !part && query.size === undefined) return null
  return (
    <p class="pager filters">
      {part && <span>{partText(frame, part)}</span>}
      {later && <a href={path + queryText(query)}>{newestFirst ? words.newest : words.first}</a>}
      {next && (
        <a href={path + queryText({ ...query, ...(typeof next === 'string' ? { after: next } : next) })} rel="next">
          {newestFirst ? words.older : words.next}
        </a>
      )}
      <span class="end row">
        {words.rowsPerPage}
        {PAGE_SIZES.map((size) => (
          <a
            href={path + queryText({ ...query, size })}
            aria-current={Number(size) === frame.pageSize ? 'true' : undefined}
          >
            {size}
          </a>
        ))}
      </span>
    </p>
  )
}

export function partText(frame: Frame, { first, rows, total }: Part): string {
  const words = sharedWords(frame)
  const figure = (value: number): string => shownFigure(frame, value)
  if (rows === 0) return total === undefined ? '' : words.partOf('0', figure(total))
  const shown = first === undefined ? figure(rows) : `${figure(first)}–${figure(first + rows - 1)}`
  return total === undefined ? shown : words.partOf(shown, figure(total))
}

export const Way: FC<{ to: string; text: string }> = ({ to, text }) => (
  <p>
    <a href={to}>{text}</a>
  </p>
)
