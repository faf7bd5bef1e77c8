import type { Child, FC } from 'hono/jsx'
import { Field, type Frame, Warning } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../web/page-size.ts'
import { shownTime } from '../../web/times.tsx'
import { type Narrowing, queryText } from '../paths.ts'
import type { Filter, Filters, ListQuery } from './filters.ts'
import { sharedWords, TabBar } from './parts.tsx'

function sizeIn({ pageSize }: Frame): Narrowing {
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
  <TabBar
    label={label}
    tabs={options.map(([value, text]) => ({
      to: path + queryText({ ...sizeIn(frame), ...query, [name]: value }),
      text,
      isHere: value === chosen,
    }))}
  />
)

type StateTabsProps<State extends string> = {
  frame: Frame
  path: string
  chosen: State | undefined
  states: readonly State[]
  words: Readonly<Record<State, string>>
  counts: Readonly<Partial<Record<State, number>>>
  all: number
}

/** All rows, or those of one state, each with how many there are; a state that none has is left out. */
export function StateTabs<State extends string>({ states, words, counts, all, ...tabs }: StateTabsProps<State>) {
  const figure = (count: number): string => shownFigure(tabs.frame, count)
  return (
    <Tabs
      {...tabs}
      name="state"
      options={[
        [undefined, `${sharedWords(tabs.frame).all} ${figure(all)}`],
        ...states.flatMap((state): [State, string][] => {
          const count = counts[state] ?? 0
          return count === 0 ? [] : [[state, `${words[state]} ${figure(count)}`]]
        }),
      ]}
    />
  )
}

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

/** Filters of a list as chips: a set one shows its value and a cross, an unset one opens a field; sent by GET. */
interface Placed {
  readonly name: string
  readonly filter: Filter
  readonly value?: string
}

export const FilterForm: FC<{
  readonly frame: Frame
  readonly path: string
  readonly filters: Filters
  readonly query: Pick<ListQuery<Filters>, 'asked' | 'wrong'>
  readonly fault?: Child | undefined
}> = ({ frame, path, filters, query: { asked, wrong }, fault }) => {
  const words = sharedWords(frame)
  const all = Object.entries(filters).map(([name, filter]) => ({ name, filter, values: valuesOf(asked, name) }))
  const without = (name: string, value: string): string =>
    path + queryText({ ...asked, [name]: valuesOf(asked, name).filter((one) => one !== value) })
  const unset = all.filter(({ filter, values }) => values.length === 0 && !filter.linked && filter.kind !== 'kept')
  const isSearched = all.some(({ filter }) => filter.kind === 'search')
  return (
    <>
      <search aria-label={words.filter}>
        <form class="chips" method="get" action={path}>
          {all.map(({ name, filter, values }) =>
            filter.kind === 'search' ? (
              <SearchField label={filter.label(frame)} name={name} value={values[0] ?? ''} />
            ) : values.length > 0 ? (
              values.map((value) => <SetFilter {...{ frame, name, filter, value }} without={without(name, value)} />)
            ) : (
              unset.some((one) => one.name === name) &&
              !filter.rare && <UnsetFilters frame={frame} title={filter.label(frame)} fields={[{ name, filter }]} />
            ),
          )}
          {unset.some(({ filter }) => filter.rare) && (
            <UnsetFilters frame={frame} title={words.moreFilters} fields={unset.filter(({ filter }) => filter.rare)} />
          )}
          {isSearched && (
            // Enter in the field sends it; a key that stopped here would show its ring nowhere.
            <button class="unseen" type="submit" tabindex={-1}>
              {words.show}
            </button>
          )}
          {all.some(({ filter, values }) => filter.kind !== 'kept' && values.length > 0) && (
            <a class="small soft" href={path}>
              {words.clearFilters}
            </a>
          )}
        </form>
      </search>
      {wrong.length > 0 && <Warning>{faultOf(frame, filters, { asked, wrong })}</Warning>}
      {fault && <Warning>{fault}</Warning>}
    </>
  )
}

export function faultOf(
  frame: Frame,
  filters: Filters,
  { asked, wrong }: Pick<ListQuery<Filters>, 'asked' | 'wrong'>,
): string {
  const words = sharedWords(frame)
  const named = wrong.map((name) => {
    const { after = '', label, read } = filters[name] as Filter
    const [values, before] = [valuesOf(asked, name), filters[after]]
    if (before && before.read(valuesOf(asked, after), frame) !== undefined && read(values, frame) !== undefined) {
      return words.mustBeLater(label(frame), before.label(frame))
    }
    return `${label(frame) || name} = ${values.join(', ')}`
  })
  return `${words.cannotFind} ${named.join('; ')}`
}

function valuesOf(asked: Narrowing, name: string): readonly string[] {
  const values = Object.hasOwn(asked, name) ? (asked[name] ?? []) : []
  return typeof values === 'string' ? [values] : values
}

const SearchField: FC<{ label: string; name: string; value: string }> = ({ label, name, value }) => (
  <input type="search" name={name} value={value} aria-label={label} placeholder={label} title={label} />
)

const UnsetFilters: FC<{ frame: Frame; title: string; fields: readonly Placed[] }> = ({ frame, title, fields }) => (
  <details class="chip-field" name="filter">
    <summary>
      <Icon name="plus" />
      {title}
    </summary>
    <div>
      {fields.map((one) => (
        <FilterField frame={frame} {...one} />
      ))}
      <button type="submit">{sharedWords(frame).show}</button>
    </div>
  </details>
)

const TYPES: Partial<Record<Filter['kind'], string>> = { time: 'datetime-local', day: 'date' }

const FilterField: FC<Placed & { frame: Frame }> = ({ frame, name, filter: { kind, label, options, offered } }) => {
  if (kind === 'tick') {
    return (
      <label class="choice">
        <input type="checkbox" name={name} value="true" />
        <span>{label(frame)}</span>
      </label>
    )
  }
  if (!options) return <Field label={label(frame)} name={name} type={TYPES[kind]} offered={offered} />
  return (
    <label class="field">
      <span>{label(frame)}</span>
      <select name={name}>
        <option value="">{sharedWords(frame).all}</option>
        {Object.entries(options(frame)).map(([one, shown]) => (
          <option value={one}>{shown}</option>
        ))}
      </select>
    </label>
  )
}

type SetFilterProps = Required<Placed> & { frame: Frame; without: string }

const SetFilter: FC<SetFilterProps> = ({ frame, name, filter, value, without }) => {
  const field = <input type="hidden" name={name} value={value} />
  if (filter.kind === 'kept') return field
  const label = filter.label(frame)
  return (
    <>
      {field}
      <a class="chip-set" href={without} title={value}>
        {filter.kind === 'tick' ? (
          <b>{label}</b>
        ) : (
          <>
            {label}:{' '}
            <b>
              <bdi>{shownValue(frame, filter, value)}</bdi>
            </b>
          </>
        )}
        <Icon name="close" />
      </a>
    </>
  )
}

function shownValue(frame: Frame, { kind, options, read }: Filter, value: string): string {
  const at = kind === 'time' ? read([value], frame) : undefined
  return typeof at === 'number' ? shownTime(frame, at) : (options?.(frame)[value] ?? value)
}
