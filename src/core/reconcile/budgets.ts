/** Stops a charge whose card has used up its budget (TOKEN-Z6): checked when a charge here adds to it. */
import { countedAt } from '../../domain/budgets/rules.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Station } from '../memory/station.ts'
import type { Subject, Task } from './subject.ts'

interface Watched extends Task {
  readonly budgetOf: string
  readonly began: number
  /** SESSION-T5: its end may be about to come. */
  readonly queuedUntil: number
}

export const budgets: Subject<Watched> = {
  name: 'budgets',
  records: ['budget_sums'],
  purposes: [],
  due: (station, now) => watchedOf(station).filter(({ queuedUntil }) => queuedUntil <= now),
  dueAgainAt(station, now) {
    const waiting = watchedOf(station).flatMap(({ queuedUntil }) => (queuedUntil > now ? [queuedUntil] : []))
    return waiting.length > 0 ? Math.min(...waiting) : undefined
  },
  async order(context, { id: stationId, chargePoint: { accountId } }, { key: sessionId, budgetOf, began }) {
    const { store, stations } = context
    const [card] = await store.loadIdTokens(accountId, [budgetOf])
    const reached = card?.budget && (await stations.budgets.reached(card, card.budget, began))
    if (reached) await decideStop(context, stationId, { kind: 'budgetUsedUp', sessionId, reached })
  },
}

function watchedOf({ state }: Station): readonly Watched[] {
  return state ? [...state.sessions.values()].flatMap((session) => watched(session) ?? []) : []
}

function watched(session: Session): Watched | undefined {
  const { id, state, stopRequestedAt, limits } = session
  if (limits?.budgetOf === undefined || stopRequestedAt !== undefined || isTerminal(state)) return undefined
  return { key: id, budgetOf: limits.budgetOf, began: countedAt(session), queuedUntil: limits.queuedUntil ?? 0 }
}

function decideStop(context: CoreContext, stationId: string, input: Input): Promise<void> {
  return new Promise((resolve, reject) =>
    context.engine.enqueue({
      stationId,
      decide(station) {
        const decision = decideOn(context, station, input)
        return decision.changes.sessions ? context.decisions.applied(station, decision) : undefined
      },
      committed(station) {
        context.desired.reconciler.wake(station)
        resolve()
      },
      failed: reject,
    }),
  )
}
