/** A statement of the cold port as PostgreSQL takes it: `?` and `@name` become `$1`, `$2`, outside of quotes. */
import type { Statement, Value } from '../../cold/work.ts'
import { toDatabase } from './text.ts'

export type Bound = string | number | null | readonly (string | null)[]

interface Compiled {
  readonly text: string
  readonly parameters: readonly string[] | number
}

const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?|@([A-Za-z_][A-Za-z0-9_]*)/g
/** Statements come from the code, those of lists in a few shapes each. */
const KEPT = 2_000
const compiled = new Map<string, Compiled>()

export function bind({ sql, values }: Pick<Statement, 'sql' | 'values'>): { text: string; values: readonly Bound[] } {
  const { text, parameters } = compiledOf(sql)
  if (typeof parameters === 'number') return { text, values: (values as readonly Value[]).map(bound) }
  const named = values as Readonly<Record<string, Value>>
  return { text, values: parameters.map((name) => bound(named[name] ?? null)) }
}

export function bound(value: Value): Bound {
  if (typeof value === 'string') return toDatabase(value)
  return typeof value === 'object' && value !== null ? value.map(toDatabase) : value
}

function compiledOf(sql: string): Compiled {
  const known = compiled.get(sql)
  if (known) return known
  const names: string[] = []
  let positions = 0
  const text = sql.replace(PARTS, (part, name: string | undefined) => {
    if (part === '?') return `$${++positions}`
    if (name === undefined) return part
    const at = names.indexOf(name)
    return `$${at < 0 ? names.push(name) : at + 1}`
  })
  const one = { text, parameters: names.length > 0 ? names : positions }
  if (compiled.size >= KEPT) compiled.clear()
  compiled.set(sql, one)
  return one
}
