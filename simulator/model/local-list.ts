/** The local authorisation list: versioned, replaced or changed by SendLocalList. */
import type { TokenVerdict } from './facts.ts'

export interface LocalList {
  readonly version: number
  update(type: 'Full' | 'Differential', version: number, entries: readonly LocalEntry[]): 'Accepted' | 'VersionMismatch'
  find(idToken: string): TokenVerdict | undefined
}

export interface LocalEntry {
  readonly idToken: string
  /** Absent in a differential update: the entry goes. */
  readonly verdict?: TokenVerdict | undefined
}

export function createLocalList(): LocalList {
  const entries = new Map<string, TokenVerdict>()
  let version = 0
  return {
    get version() {
      return version
    },
    update(type, next, changes) {
      if (type === 'Differential' && next <= version) return 'VersionMismatch'
      if (type === 'Full') entries.clear()
      for (const { idToken, verdict } of changes) {
        if (verdict) entries.set(idToken.toLowerCase(), verdict)
        else entries.delete(idToken.toLowerCase())
      }
      version = next
      return 'Accepted'
    },
    find: (idToken) => entries.get(idToken.toLowerCase()),
  }
}
