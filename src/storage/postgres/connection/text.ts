/**
 * PostgreSQL's text and JSON refuse NUL and half surrogate pairs, which a charge point may send (law 7). They become a
 * mark and `0` NUL, `z` the escape `\u0000`, `s` + 4 digits the escape of half a pair, `h` + 4 digits half a pair, `m`
 * the mark.
 */

import type { Statement, Value } from '../../cold/work.ts'

const MARK = '\u{10FFFE}'
/** What might have to be spelled otherwise; the escapes also inside JSON that is itself a JSON text. */
const SUSPICIOUS = /[\0\u{10FFFE}\p{Cs}]|\\u0000|\\ud[89a-f]/u
const SPELLED = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}|[\0\u{10FFFE}\p{Cs}]/gu
const MARKED = /\u{10FFFE}(?:0|z|m|s([0-9a-f]{4})|h([0-9a-f]{4}))/gu

export function toDatabase(text: string): string {
  return SUSPICIOUS.test(text) ? text.replace(SPELLED, spelled) : text
}

export function fromDatabase(text: string): string {
  if (!text.includes(MARK)) return text
  return text.replace(MARKED, (found, escaped: string | undefined, half: string | undefined) => {
    if (escaped !== undefined) return `\\u${escaped}`
    if (half !== undefined) return String.fromCharCode(Number.parseInt(half, 16))
    const kind = found.slice(MARK.length)
    return kind === '0' ? '\0' : kind === 'z' ? '\\u0000' : MARK
  })
}

/** A parameter of JSON; each text is spelled as `toDatabase` does, nested JSON texts with it and never before. */
export function jsonToDatabase(value: unknown): string {
  const json = JSON.stringify(value)
  return SUSPICIOUS.test(json)
    ? JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? toDatabase(one) : one))
    : json
}

function spelled(found: string): string {
  if (found === '\\\\') return found
  if (found === '\0') return `${MARK}0`
  if (found === '\\u0000') return `${MARK}z`
  if (found === MARK) return `${MARK}m`
  if (found.startsWith('\\u')) return `${MARK}s${found.slice(2)}`
  return `${MARK}h${found.charCodeAt(0).toString(16)}`
}

/** What PostgreSQL answers as JSON: the texts in it are read one by one, as some of them are JSON again. */
export function jsonFromDatabase(json: string): unknown {
  if (!json.includes(MARK)) return JSON.parse(json)
  return JSON.parse(json, (_, one: unknown) => (typeof one === 'string' ? fromDatabase(one) : one))
}

/** A statement of the cold port as PostgreSQL takes it: `?` and `@name` become `$1`, `$2`, outside of quotes. */
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

function bound(value: Value): Bound {
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
