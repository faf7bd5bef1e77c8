/** Around lists: what narrows them, the states to choose from, and the ways to the next page and back. */
import type { Child, FC } from 'hono/jsx'
import { shownFigure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'
import { Field, type Frame } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { type Narrowing, queryText } from '../paths.ts'
import { sharedWords } from './texts.ts'

/** Something that a list can be narrowed by. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly type?: string | undefined
  /** What there is to choose between; '' is any. */
  readonly options?: Readonly<Record<string, string>> | undefined
  /** What may be typed, for the browser to offer. */
  readonly offered?: readonly string[] | undefined
  /** A box for `true`. */
  readonly tick?: boolean | undefined
  /** Unless it is set, it stands with the others that are seldom wanted. */
  readonly rare?: boolean | undefined
}

const FilterField: FC<{ filter: Filter }> = ({ filter: { name, label, value = '', type, options, offered, tick } }) => {
  if (tick) {
    return (
      <label class="choice">
        <input type="checkbox" name={name} value="true" checked={value === 'true'} />
        <span>{label}</span>
      </label>
    )
  }
  if (!options) return <Field label={label} name={name} type={type} value={value} offered={offered} />
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        {Object.entries(options).map(([one, text]) => (
          <option value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export interface FilterFormProps {
  readonly path: string
  readonly filters: readonly Filter[]
  readonly button: string
  /** What has no field of its own and stays. */
  readonly kept?: Iterable<readonly [name: string, value: string]> | undefined
  /** What was asked for and cannot be looked for. */
  readonly fault?: Child | undefined
  /** The way to the whole list, where something is set. */
  readonly clear?: string | false | undefined
  /** What the filters that are seldom wanted are called together. */
  readonly more?: string | undefined
  /** What the form is called by those who do not see it. */
  readonly label?: string | undefined
}

/**
 * What narrows a list, one chip each: one that is set says its value and has a cross, one that is not opens a field.
 * It is sent to the address of the list, which says everything that is shown; empty fields leave it again (`showing`).
 */
export const FilterForm: FC<FilterFormProps> = ({ path, filters, button, kept = [], fault, clear, more, label }) => {
  const set = filters.flatMap(({ name, value = '' }) => (value === '' ? [] : [[name, value] as const]))
  const all = [...set, ...kept]
  const without = (name: string, value: string): string =>
    path + queryText(membersOf(all.filter((pair) => pair[0] !== name || pair[1] !== value)))
  return (
    <>
      <search aria-label={label ?? button}>
        <form class="chips" method="get" action={path}>
          {filters
            .filter(({ rare, value = '' }) => !rare || value !== '')
            .map((filter) => {
              const { name, value = '' } = filter
              if (filter.type === 'search') return <SearchField filter={filter} />
              return value === '' ? (
                <UnsetFilter filter={filter} button={button} />
              ) : (
                <SetFilter filter={filter} without={without(name, value)} />
              )
            })}
          <RareFilters filters={filters} button={button} more={more} />
          {[...kept].map(([name, value]) => (
            <KeptFilter
              name={name}
              value={value}
              of={filters.find((filter) => filter.name === name)}
              without={without(name, value)}
            />
          ))}
          {filters.some(({ type }) => type === 'search') && (
            <button class="unseen" type="submit">
              {button}
            </button>
          )}
          {clear && (
            <a class="small soft" href={path}>
              {clear}
            </a>
          )}
        </form>
      </search>
      {fault && <Warning>{fault}</Warning>}
    </>
  )
}

function membersOf(pairs: readonly (readonly [string, string])[]): Narrowing {
  const members: Record<string, string[]> = {}
  for (const [name, value] of pairs) {
    const values = members[name]
    if (values) values.push(value)
    else members[name] = [value]
  }
  return members
}

const SearchField: FC<{ filter: Filter }> = ({ filter: { name, label, value = '' } }) => (
  <input type="search" name={name} value={value} aria-label={label} placeholder={label} title={label} />
)

const RareFilters: FC<{ filters: readonly Filter[]; button: string; more: string | undefined }> = ({
  filters,
  button,
  more,
}) => {
  const unset = filters.filter(({ rare, value = '' }) => rare && value === '')
  if (unset.length === 0) return null
  return (
    <details class="chip-field" name="filter">
      <summary>
        <Icon name="plus" />
        {more}
      </summary>
      <div>
        {unset.map((filter) => (
          <FilterField filter={filter} />
        ))}
        <button type="submit">{button}</button>
      </div>
    </details>
  )
}

const UnsetFilter: FC<{ filter: Filter; button: string }> = ({ filter, button }) => (
  <details class="chip-field" name="filter">
    <summary>
      <Icon name="plus" />
      {filter.label}
    </summary>
    <div>
      <FilterField filter={filter} />
      <button type="submit">{button}</button>
    </div>
  </details>
)

const SetFilter: FC<{ filter: Filter; without: string }> = ({
  filter: { name, label, value = '', options },
  without,
}) => (
  <>
    <input type="hidden" name={name} value={value} />
    <a class="chip-set" href={without} title={value}>
      {value === 'true' && options === undefined ? (
        <b>{label}</b>
      ) : (
        <>
          {label}:{' '}
          <b>
            <bdi>{options?.[value] ?? value}</bdi>
          </b>
        </>
      )}
      <Icon name="close" />
    </a>
  </>
)

/** What has a field already, once more, such as a second label; anything else stays unseen. */
const KeptFilter: FC<{ name: string; value: string; of: Filter | undefined; without: string }> = ({
  name,
  value,
  of,
  without,
}) =>
  of ? <SetFilter filter={{ ...of, value }} without={without} /> : <input type="hidden" name={name} value={value} />

/** One filter as links, such as by state; the one without a value is all. */
export const Tabs: FC<{
  path: string
  name: string
  options: readonly (readonly [value: string | undefined, text: Child])[]
  chosen: string | undefined
  label?: string | undefined
  /** What stays beside it. */
  query?: Narrowing | undefined
}> = ({ path, name, options, chosen, label, query = {} }) => (
  <nav class="tabs" aria-label={label}>
    {options.map(([value, text]) => (
      <a href={path + queryText({ ...query, [name]: value })} aria-current={value === chosen ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

/** What a page of a list is a part of. */
export interface Part {
  /** Of the first row; absent where nobody counts from the beginning. */
  readonly first?: number | undefined
  readonly rows: number
  readonly total?: number | undefined
}

export interface PagingProps {
  readonly frame: Frame
  readonly path: string
  readonly query?: Narrowing | undefined
  readonly later?: boolean | undefined
  /** What the next page's address has besides the query; absent: there is none. */
  readonly next: Narrowing | undefined
  /** The list begins with the newest. */
  readonly newestFirst?: boolean | undefined
  readonly part?: Part | undefined
  /** How many rows a page has, and what else it may have. */
  readonly size?: { readonly now: number; readonly others: readonly number[] } | undefined
}

/** `1–50 of 5,000`, how many to a page, back to the first page, and on to the next one. */
export const Paging: FC<PagingProps> = ({ frame, path, query = {}, later, next, newestFirst, part, size }) => {
  const words = sharedWords(frame)
  if (!later && !next && !part) return null
  return (
    <p class="pager filters">
      {part && <span>{partText(frame, part)}</span>}
      {later && <a href={path + queryText(query)}>{newestFirst ? words.newest : words.first}</a>}
      {next && (
        <a href={path + queryText({ ...query, ...next })} rel="next">
          {newestFirst ? words.older : words.next}
        </a>
      )}
      {size && (
        <span class="end row">
          {words.rowsPerPage}
          {size.others.map((one) => (
            <a
              href={path + queryText({ ...query, size: String(one) })}
              aria-current={one === size.now ? 'true' : undefined}
            >
              {one}
            </a>
          ))}
        </span>
      )}
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

/** A link alone, such as back to the list. */
export const Way: FC<{ to: string; text: string }> = ({ to, text }) => (
  <p>
    <a href={to}>{text}</a>
  </p>
)
