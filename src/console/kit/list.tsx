/** Around lists: the form that narrows them, the states to choose from, and the ways to the next page and back. */
import type { Child, FC } from 'hono/jsx'
import { Field, type Frame } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { type Narrowing, queryText } from '../paths.ts'
import { sharedWords } from './texts.ts'

/** A field of the form above a list. */
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
  /** Behind a fold, which is open while one of them is set. */
  readonly rare?: { readonly title: string; readonly filters: readonly Filter[] } | undefined
  /** What has no field of its own and stays. */
  readonly kept?: Iterable<readonly [name: string, value: string]> | undefined
  /** What was asked for and cannot be looked for. */
  readonly fault?: Child | undefined
  /** The way to the whole list, where something is set. */
  readonly clear?: string | false | undefined
  /** It stands on a card already. */
  readonly bare?: boolean | undefined
}

/** The form above a list: it is sent to the address of the list, which says everything that is shown. */
export const FilterForm: FC<FilterFormProps> = (form) => {
  const { path, filters, button, rare, kept = [], fault, clear, bare } = form
  return (
    <form class={bare ? undefined : 'card'} method="get" action={path}>
      <div class="narrowing">
        {filters.map((filter) => (
          <FilterField filter={filter} />
        ))}
        <button type="submit">{button}</button>
      </div>
      {rare && (
        <details open={rare.filters.some(({ value = '' }) => value !== '')}>
          <summary>{rare.title}</summary>
          <div class="narrowing">
            {rare.filters.map((filter) => (
              <FilterField filter={filter} />
            ))}
          </div>
        </details>
      )}
      {[...kept].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {fault && <Warning>{fault}</Warning>}
      {clear && (
        <p class="filters">
          <a href={path}>{clear}</a>
        </p>
      )}
    </form>
  )
}

/** One filter as links, such as by state; the one without a value is all. */
export const Tabs: FC<{
  path: string
  name: string
  options: readonly (readonly [value: string | undefined, text: Child])[]
  chosen: string | undefined
  label?: string | undefined
}> = ({ path, name, options, chosen, label }) => (
  <nav class="filters" aria-label={label}>
    {options.map(([value, text]) => (
      <a href={path + queryText({ [name]: value })} aria-current={value === chosen ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

/** Back to the first page, and on to the next one. @param next what its address has besides the query; absent: none */
export const Paging: FC<{
  frame: Frame
  path: string
  query?: Narrowing | undefined
  later?: boolean | undefined
  next: Narrowing | undefined
  /** The list begins with the newest. */
  newestFirst?: boolean | undefined
}> = ({ frame, path, query = {}, later, next, newestFirst }) => {
  const words = sharedWords(frame)
  if (!later && !next) return null
  return (
    <p class="filters">
      {later && <a href={path + queryText(query)}>{newestFirst ? words.newest : words.first}</a>}
      {next && (
        <a href={path + queryText({ ...query, ...next })} rel="next">
          {newestFirst ? words.older : words.next}
        </a>
      )}
    </p>
  )
}

/** A link alone, such as back to the list. */
export const Way: FC<{ to: string; text: string }> = ({ to, text }) => (
  <p>
    <a href={to}>{text}</a>
  </p>
)
