/** What of a record is new: most messages change two or three members of a transaction that has twenty. */

export interface Difference<Record> {
  readonly set: Partial<Record>
  /** Members that are no longer there. */
  readonly gone?: readonly string[]
}

/** Compares members, not what is in them: a record's parts are replaced, never changed. */
export function difference<Record extends object>(before: Record, after: Record): Difference<Record> {
  const set: Partial<Record> = {}
  let gone: string[] | undefined
  for (const name in after) if (after[name] !== before[name] && after[name] !== undefined) set[name] = after[name]
  for (const name in before) {
    if (before[name] === undefined || after[name] !== undefined) continue
    gone ??= []
    gone.push(name)
  }
  return gone ? { set, gone } : { set }
}

export function withDifference<Record extends object>(before: Record, { set, gone = [] }: Difference<Record>): Record {
  const after: Record = { ...before, ...set }
  for (const name of gone) delete after[name as keyof Record]
  return after
}
