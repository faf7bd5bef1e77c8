/** The cards that a station knows by itself, and which of them may charge while it is offline. */

import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { ConnectionLost } from '../wire/frames.ts'
import type { Dialect } from './dialect.ts'
import type { Call, Token, TokenVerdict } from './facts.ts'
import { createLocalList, type ListRules } from './local-list.ts'
import type { Tariffs } from './payment/tariffs.ts'
import type { StationRules } from './station-rules.ts'

export type CardRules = Readonly<typeof FIRST_RULES>

/** Lets every card charge until the central system says otherwise, so an unplugged network shows a charge. */
export const FIRST_RULES = {
  /** The local list counts (1.6 LocalAuthListEnabled, 2.0.1 LocalAuthListCtrlr.Enabled). */
  listEnabled: true,
  /** What the central system said last counts (AuthorizationCacheEnabled, AuthCacheCtrlr.Enabled). */
  cacheEnabled: true,
  /** Cards that are known here may charge offline (LocalAuthorizeOffline in both versions). */
  knownOffline: true,
  /** And so may all others (AllowOfflineTxForUnknownId, OfflineTxForUnknownIdEnabled). */
  unknownOffline: true,
}

const MAX_REMEMBERED = 1_000

export type KnownCards = ReturnType<typeof createKnownCards>

export function createKnownCards(rulesOfList?: ListRules) {
  const list = createLocalList(rulesOfList)
  const cache = new Map<string, TokenVerdict>()
  let rules: CardRules = FIRST_RULES
  const known = (token: Token): TokenVerdict | undefined =>
    (rules.listEnabled ? list.find(token.id) : undefined) ??
    (rules.cacheEnabled ? cache.get(token.id.toLowerCase()) : undefined)
  return {
    list,
    get rules() {
      return rules
    },
    change(next: Partial<CardRules>): void {
      rules = { ...rules, ...next }
    },
    remember(token: Token, verdict: TokenVerdict): void {
      if (!rules.cacheEnabled) return
      const key = token.id.toLowerCase()
      cache.delete(key)
      cache.set(key, verdict)
      const [oldest] = cache.keys()
      if (cache.size > MAX_REMEMBERED && oldest !== undefined) cache.delete(oldest)
    },
    /** ClearCache; false where there is no cache. */
    forget(): boolean {
      cache.clear()
      return rules.cacheEnabled
    },
    /** Of one customer alone, in the list as well (N10); false where it was not known. */
    forgetCard({ id }: Token): boolean {
      const isListed = list.remove(id)
      return cache.delete(id.toLowerCase()) || isListed
    },
    /** What is kept here of a card, line by line (N09). */
    tell({ id }: Token): readonly string[] {
      const [listed, cached] = [list.find(id), cache.get(id.toLowerCase())]
      return [
        ...(listed ? [`Local list: ${id} ${listed.status}`] : []),
        ...(cached ? [`Cache: ${id} ${cached.status}`] : []),
      ]
    },
    groupOf: (token: Token) => known(token)?.groupId,
    /** Whether it is known here as a good one (LocalPreAuthorize). */
    isGood(token: Token, now: number): boolean {
      const verdict = known(token)
      return verdict?.status === 'Accepted' && (verdict.until ?? now + 1) > now
    },
    /** `Accepted`, or why the card may not charge without asking. */
    decide: (token: Token, now: number) => offlineStatus(known(token), rules, now),
  }
}

/** SIM-A8: the list goes before the cache; a card that one of them refuses is not an unknown one. */
export function offlineStatus(known: TokenVerdict | undefined, rules: CardRules, now: number): string {
  if (!known) return rules.unknownOffline ? 'Accepted' : 'not known to the station, which is offline'
  if (known.status !== 'Accepted') return known.status
  if (known.until !== undefined && known.until <= now) return 'Expired'
  return rules.knownOffline ? 'Accepted' : 'not allowed while the station is offline'
}

interface AuthoriseContext {
  readonly dialect: Dialect
  readonly cards: KnownCards
  readonly rules: StationRules
  readonly now: () => number
  readonly hasPower: () => boolean
  readonly isReady: () => boolean
  readonly ask: (call: Call) => Promise<Payload>
  /** 2.1: the driver's own tariff came, or none. */
  readonly tariffs: Pick<Tariffs, 'remember'>
}

/** `Accepted`, or why not; undefined where the answer says nothing. */
export function createAuthorise(parts: AuthoriseContext): (token: Token) => Promise<string | undefined> {
  const { dialect, cards, rules, now } = parts
  return async (token) => {
    if (!parts.hasPower()) throw new Error('the station has no power: let it have power again first')
    if (!parts.isReady()) return cards.decide(token, now())
    if (rules.localPreAuthorise && cards.isGood(token, now())) return 'Accepted'
    try {
      const answer = await parts.ask(dialect.authorise(token))
      const verdict = dialect.readVerdict(answer)
      if (dialect.payment) parts.tariffs.remember(token, dialect.payment.readTariff(answer))
      if (verdict) cards.remember(token, verdict)
      return verdict?.status
    } catch (error) {
      if (error instanceof ConnectionLost) return cards.decide(token, now())
      throw error
    }
  }
}
