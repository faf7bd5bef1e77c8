/** The local authorisation list: versioned, replaced or changed by SendLocalList. */

export interface LocalList {
  readonly version: number
  update(type: 'Full' | 'Differential', version: number, entries: readonly LocalEntry[]): 'Accepted' | 'VersionMismatch'
}

export interface LocalEntry {
  readonly idToken: string
  /** Absent in a differential update: the entry goes. */
  readonly status?: string
}

export function createLocalList(): LocalList {
  const entries = new Map<string, string>()
  let version = 0
  return {
    get version() {
      return version
    },
    update(type, next, changes) {
      if (type === 'Differential' && next <= version) return 'VersionMismatch'
      if (type === 'Full') entries.clear()
      for (const { idToken, status } of changes) {
        if (status === undefined) entries.delete(idToken.toLowerCase())
        else entries.set(idToken.toLowerCase(), status)
      }
      version = next
      return 'Accepted'
    },
  }
}
