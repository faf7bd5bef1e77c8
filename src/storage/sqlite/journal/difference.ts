/**
 * What is new in a record: most messages change two or three of a transaction's twenty members, and add to or change
 * the
 * end of its lists. So what is written with a message does not grow with its history (SESSION-S7).
 */

export interface Difference<Record> {
  readonly set?: Partial<Record> | undefined
  readonly gone?: readonly string[] | undefined
  /** Additions to the ends of lists: in journals of versions without `ends`. */
  readonly added?: { readonly [Name in keyof Record]?: readonly unknown[] } | undefined
  /** Lists with an unchanged beginning: its length, and the new rest. */
  readonly ends?: { readonly [Name in keyof Record]?: readonly [kept: number, end: readonly unknown[]] } | undefined
  readonly within?: { readonly [Name in keyof Record]?: Difference<object> } | undefined
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * Compares the items of lists and records one by one, never deeper than needed: unchanged ones are the same object.
 * It has new states, never increments. So a row of differences in their order leads to the last version from
 * the first one, and from every later one as well: a flush may put a document in its table while the differences to it
 * are still in the journal (STORE-J2).
 */
export function difference<Record extends object>(before: Record, after: Record): Difference<Record> {
  const found: Growing<Difference<Record>> = {}
  for (const name in after) {
    const is = after[name]
    const was = before[name]
    if (is === was || is === undefined) continue
    if (Array.isArray(is)) {
      const kept = Array.isArray(was) ? sharedBeginning(was, is) : 0
      if (kept === 0) put(found, 'set', name, is)
      else if (kept < is.length || kept < (was as readonly unknown[]).length)
        put(found, 'ends', name, [kept, is.slice(kept)])
    } else if (isRecord(is) && isRecord(was)) put(found, 'within', name, difference(was, is))
    else put(found, 'set', name, is)
  }
  for (const name in before) {
    if (before[name] === undefined || after[name] !== undefined) continue
    found.gone = found.gone === undefined ? [name] : [...found.gone, name]
  }
  return found
}

function put(found: object, part: 'set' | 'ends' | 'within', name: string, value: unknown): void {
  const parts = found as { [Part in typeof part]?: { [name: string]: unknown } }
  const of = parts[part]
  if (of) of[name] = value
  else parts[part] = { [name]: value }
}

export function withDifference<Record extends object>(before: Record, change: Difference<Record>): Record {
  const { set, gone = [], added, ends, within } = change
  const after: Record = { ...before, ...set }
  for (const name in added) {
    const was = before[name]
    if (Array.isArray(was)) after[name] = [...was, ...(added[name] ?? [])] as Record[typeof name]
  }
  for (const name in ends) {
    const was = before[name]
    const [kept, end] = ends[name] ?? [0, []]
    if (Array.isArray(was)) after[name] = [...was.slice(0, kept), ...end] as Record[typeof name]
  }
  for (const name in within) {
    const was = before[name]
    const inner = within[name]
    if (isRecord(was) && inner) after[name] = withDifference(was, inner) as Record[typeof name]
  }
  for (const name of gone) delete after[name as keyof Record]
  return after
}

function sharedBeginning(was: readonly unknown[], is: readonly unknown[]): number {
  const most = Math.min(was.length, is.length)
  for (let at = 0; at < most; at++) if (was[at] !== is[at]) return at
  return most
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
