import type { Payload } from '../../src/ocpp/payload.ts'
import { ConnectionLost } from '../wire/frames.ts'
import type { Dialect } from './dialect.ts'
import type { Call, Token } from './facts.ts'
import type { KnownCards } from './known-cards.ts'
import type { StationRules } from './station-rules.ts'

interface AuthoriseContext {
  readonly dialect: Dialect
  readonly cards: KnownCards
  readonly rules: StationRules
  readonly now: () => number
  readonly hasPower: () => boolean
  readonly isReady: () => boolean
  readonly ask: (call: Call) => Promise<Payload>
}

/** `Accepted`, or why not; undefined where the answer says nothing. */
export function createAuthorise(parts: AuthoriseContext): (token: Token) => Promise<string | undefined> {
  const { dialect, cards, rules, now } = parts
  return async (token) => {
    if (!parts.hasPower()) throw new Error('the station has no power: let it have power again first')
    if (!parts.isReady()) return cards.decide(token, now())
    if (rules.localPreAuthorise && cards.isGood(token, now())) return 'Accepted'
    try {
      const verdict = dialect.readVerdict(await parts.ask(dialect.authorise(token)))
      if (verdict) cards.remember(token, verdict)
      return verdict?.status
    } catch (error) {
      if (error instanceof ConnectionLost) return cards.decide(token, now())
      throw error
    }
  }
}
