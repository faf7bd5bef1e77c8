/** Figures that an operator decided (COST-L2, COST-L3, COST-CO3), or those of the completion (COST-L4). */

import type { Outcome, Session } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import type { Draft } from '../draft.ts'
import { figuresDiffer } from './representation.ts'

type Settled = Extract<Input, { kind: 'settled' }>

/**
 * The first settlement counts 1 whatever it says; a later one only if it changes a figure. Figures left out keep
 * their value.
 * @returns `refused`: `session_not_found`, `session_not_completed`, `currency_mismatch` or `currency_required`.
 */
export function onSettled(draft: Draft, input: Settled): Outcome {
  const { sessionId } = input
  const session = draft.session(sessionId)
  if (!session) return { refused: 'session_not_found' }
  if (session.state !== 'completed') return { sessionId, refused: 'session_not_completed' }
  const known = session.cost?.currency ?? session.tariff?.currency
  if (known !== undefined && input.currency !== undefined && input.currency !== known) {
    return { sessionId, refused: 'currency_mismatch' }
  }
  const currency = known ?? input.currency
  if (input.costMicros !== undefined && currency === undefined) return { sessionId, refused: 'currency_required' }
  const settled = withFigures(session, input, currency)
  if (session.settlementCount === undefined || figuresDiffer(session, settled)) {
    draft.putSession({
      ...settled,
      suspectMilliWh: undefined,
      settlementDueAt: undefined,
      settlementCount: (session.settlementCount ?? 0) + 1,
    })
  }
  return { sessionId }
}

/** COST-L4: with the figures they have. What was settled meanwhile keeps its count. */
export function settleDue(draft: Draft): void {
  for (const session of draft.sessions()) {
    const { settlementDueAt, settlementCount = 1 } = session
    if (settlementDueAt === undefined || settlementDueAt > draft.now) continue
    draft.putSession({ ...session, settlementDueAt: undefined, settlementCount })
  }
}

function withFigures(session: Session, input: Settled, currency: string | undefined): Session {
  const { costMicros, energyMilliWh } = input
  return {
    ...session,
    ...(energyMilliWh !== undefined && { energyMilliWh }),
    ...(costMicros !== undefined &&
      currency !== undefined && { cost: { micros: costMicros, currency }, costFixed: true as const }),
  }
}
