/** A settlement or correction from the API: one more input in the charge point's queue (COST-L2, COST-L3). */

import type { Settled, SettleOrder } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { refuse } from '../../domain/refuse.ts'
import { lookups } from '../../domain/sessions/decide.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { type CoreContext, decideOn } from '../context.ts'
import { NO_SESSION, refusalOf } from './core-refusals.ts'

const REFUSALS: Readonly<Record<string, Refusal>> = {
  session_not_found: NO_SESSION,
  session_not_completed: refuse(
    409,
    'session_not_completed',
    'Only a completed session can be settled; wait for its end.',
  ),
  currency_mismatch: refuse(
    422,
    'currency_mismatch',
    'The session has another currency already; send that one or leave it out.',
    [{ pointer: '/currency', message: 'is not the currency of the session' }],
  ),
  currency_required: refuse(422, 'currency_required', 'The session has no currency yet; send one with the cost.', [
    { pointer: '/currency', message: 'is required with the first cost' },
  ]),
}

export function settleSession(context: CoreContext, session: Session, order: SettleOrder): Promise<Settled | Refusal> {
  const { sessionId, costMicros, currency, energyMilliWh, by, reason } = order
  const input: Input = { kind: 'settled', sessionId, costMicros, currency, energyMilliWh }
  return new Promise((resolve) => {
    let result: Settled | Refusal | undefined
    context.engine.enqueue({
      stationId: session.chargePointId,
      // Bills come late: the charge point may have been removed since.
      accountId: session.accountId,
      prepare: () => lookups(input),
      decide(station) {
        const decision = decideOn(context, station, input)
        const { refused } = decision.outcome
        const counted = decision.changes.sessions !== undefined
        const changes = counted ? context.decisions.applied(station, decision, undefined, { by, reason }) : undefined
        const after = station.state?.sessions.get(sessionId)
        result = refused === undefined && after ? { session: after, counted } : refusal(refused)
        return changes
      },
      committed: () => resolve(result ?? refusal(undefined)),
      failed: (error) => resolve(refusalOf(error)),
    })
  })
}

function refusal(code: string | undefined): Refusal {
  const known = code === undefined ? undefined : REFUSALS[code]
  return known ?? refuse(409, code ?? 'not_settled', 'The session cannot be settled as it is now.')
}
