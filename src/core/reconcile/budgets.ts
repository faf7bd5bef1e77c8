/**
 * A charge whose card has a budget is stopped when all charges of the card have used it up (TOKEN-Z6): looked at
 * whenever one of this charge point has added to the sums.
 */
import type { Session } from '../../domain/ports/sessions.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { decideNow } from './decide-now.ts'
import type { Subject, Task } from './subject.ts'

interface Watched extends Task {
  readonly budgetOf: string
  readonly began: number
}

export const budgets: Subject<Watched> = {
  name: 'budgets',
  records: ['budget_sums'],
  purposes: [],
  due: ({ state }) => (state ? [...state.sessions.values()].flatMap((session) => watched(session) ?? []) : []),
  async order(context, station, { key: sessionId, budgetOf, began }) {
    const { store, stations, desired } = context
    const [card] = await store.loadIdTokens(station.chargePoint.accountId, [budgetOf])
    const reached = card?.budget && (await stations.budgets.reached(card, card.budget, began))
    if (!reached) return
    await decideNow(context, station.id, { kind: 'budgetUsedUp', sessionId, reached })
    desired.reconciler.wake(station)
  },
}

function watched({ id, state, stopRequestedAt, limits, createdAt }: Session): Watched | undefined {
  if (limits?.budgetOf === undefined || stopRequestedAt !== undefined || isTerminal(state)) return undefined
  return { key: id, budgetOf: limits.budgetOf, began: createdAt }
}
