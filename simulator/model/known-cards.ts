/** The cards that a station knows by itself, and which of them may charge while nobody can be asked. */
import type { Token, TokenVerdict } from './facts.ts'

export interface CardRules {
  /** The local list counts (1.6 LocalAuthListEnabled, 2.0.1 LocalAuthListCtrlr.Enabled). */
  readonly listEnabled: boolean
  /** What the central system said last counts (AuthorizationCacheEnabled, AuthCacheCtrlr.Enabled). */
  readonly cacheEnabled: boolean
  /** Cards that are known here may charge offline (LocalAuthorizeOffline in both versions). */
  readonly knownOffline: boolean
  /** And so may all others (AllowOfflineTxForUnknownId, OfflineTxForUnknownIdEnabled). */
  readonly unknownOffline: boolean
}

/**
 * A developer who unplugs the network wants to see a charge, not a refusal: everything may charge until told not to.
 */
export const FIRST_RULES: CardRules = {
  listEnabled: true,
  cacheEnabled: true,
  knownOffline: true,
  unknownOffline: true,
}

export interface KnownCards {
  readonly list: LocalList
  readonly rules: CardRules
  change(rules: Partial<CardRules>): void
  /** What the central system said of a card. */
  remember(token: Token, verdict: TokenVerdict): void
  /** ClearCache; false where there is no cache. */
  forget(): boolean
  /** The group of a card, where the central system told it. */
  groupOf(token: Token): string | undefined
  /** Whether it is known here as a good one (LocalPreAuthorize). */
  isGood(token: Token, now: number): boolean
  /** `Accepted`, or why the card may not charge without asking. */
  decide(token: Token, now: number): string
}

const MOST_REMEMBERED = 1_000

export function createKnownCards(): KnownCards {
  const list = createLocalList()
  const cache = new Map<string, TokenVerdict>()
  let rules = FIRST_RULES
  const known = (token: Token): TokenVerdict | undefined =>
    (rules.listEnabled ? list.find(token.id) : undefined) ??
    (rules.cacheEnabled ? cache.get(token.id.toLowerCase()) : undefined)
  return {
    list,
    get rules() {
      return rules
    },
    change(next) {
      rules = { ...rules, ...next }
    },
    remember(token, verdict) {
      if (!rules.cacheEnabled) return
      const key = token.id.toLowerCase()
      cache.delete(key)
      cache.set(key, verdict)
      const [oldest] = cache.keys()
      if (cache.size > MOST_REMEMBERED && oldest !== undefined) cache.delete(oldest)
    },
    forget() {
      cache.clear()
      return rules.cacheEnabled
    },
    groupOf: (token) => known(token)?.groupId,
    isGood(token, now) {
      const verdict = known(token)
      return verdict?.status === 'Accepted' && (verdict.until ?? now + 1) > now
    },
    decide: (token, now) => offlineStatus(known(token), rules, now),
  }
}

/** SIM-A8: the list goes before the cache; a card that one of them refuses is not an unknown one. */
export function offlineStatus(known: TokenVerdict | undefined, rules: CardRules, now: number): string {
  if (!known) return rules.unknownOffline ? 'Accepted' : 'not known to the station, which is offline'
  if (known.status !== 'Accepted') return known.status
  if (known.until !== undefined && known.until <= now) return 'Expired'
  return rules.knownOffline ? 'Accepted' : 'not allowed while the station is offline'
}

/** The local authorisation list: versioned, replaced or changed by SendLocalList. */
interface LocalList {
  readonly version: number
  readonly size: number
  update(type: 'Full' | 'Differential', version: number, entries: readonly LocalEntry[]): 'Accepted' | 'VersionMismatch'
  find(idToken: string): TokenVerdict | undefined
}

interface LocalEntry {
  readonly idToken: string
  /** Absent in a differential update: the entry goes. */
  readonly verdict?: TokenVerdict | undefined
}

function createLocalList(): LocalList {
  const entries = new Map<string, TokenVerdict>()
  let version = 0
  return {
    get version() {
      return version
    },
    get size() {
      return entries.size
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
