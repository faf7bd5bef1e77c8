/** The local authorisation list: versioned, replaced or changed by SendLocalList, whole or not at all. */
import type { TokenVerdict } from './facts.ts'

export const DEFAULT_LIST = { mostEntries: 1_000, mostPerMessage: 100, mostBytes: 16_384 }
export type ListRules = Readonly<typeof DEFAULT_LIST>

export interface LocalEntry {
  readonly idToken: string
  /** Absent in a differential update: the entry goes. */
  readonly verdict?: TokenVerdict | undefined
}

export interface ListUpdate {
  readonly isFull: boolean
  readonly version: number
  readonly entries: readonly LocalEntry[]
  readonly bytes: number
}

export function createLocalList(rules: ListRules = DEFAULT_LIST) {
  let entries: ReadonlyMap<string, TokenVerdict> = new Map()
  let version = 0
  const fault = ({ isFull, version: next, entries: changes, bytes }: ListUpdate): string | undefined => {
    // D01.FR.18; 0 means an empty list.
    if (next < 1) return 'ValuePositiveOnly'
    if (changes.length > rules.mostPerMessage) return 'TooManyElements'
    if (bytes > rules.mostBytes) return 'TooLargeElement'
    if (new Set(changes.map(({ idToken }) => idToken.toLowerCase())).size < changes.length) return 'InvalidValue'
    if (isFull && changes.some(({ verdict }) => !verdict)) return 'MissingParam'
    return !isFull && next <= version ? 'VersionMismatch' : undefined
  }
  return {
    rules,
    /** 0 where the list is empty. */
    get version() {
      return entries.size === 0 ? 0 : version
    },
    get size() {
      return entries.size
    },
    /** `Accepted`, `VersionMismatch`, or a reason code of 2.0.1 (appendix 5): nothing changed. */
    update(update: ListUpdate): string {
      const reason = fault(update)
      if (reason !== undefined) return reason
      const next = new Map(update.isFull ? [] : entries)
      for (const { idToken, verdict } of update.entries) {
        if (verdict) next.set(idToken.toLowerCase(), verdict)
        else next.delete(idToken.toLowerCase())
      }
      if (next.size > rules.mostEntries) return 'OutOfStorage'
      entries = next
      version = update.version
      return 'Accepted'
    },
    find: (idToken: string) => entries.get(idToken.toLowerCase()),
    /** A customer who is forgotten (N10). */
    remove(idToken: string): boolean {
      const isKnown = entries.has(idToken.toLowerCase())
      entries = new Map([...entries].filter(([known]) => known !== idToken.toLowerCase()))
      return isKnown
    },
  }
}
