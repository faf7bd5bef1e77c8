/** What a charge takes from the budget of its card. */
import type { BudgetUse } from '../../budgets/records.ts'
import type { Session } from '../../ports/sessions.ts'

/** Undefined: it counts for none (TOKEN-Z6). */
export function budgetUse(session: Session): BudgetUse | undefined {
  const { id, accountId, limits, createdAt, energyMilliWh, cost } = session
  if (limits?.budgetOf === undefined) return undefined
  const of = { accountId, idToken: limits.budgetOf, beganAt: createdAt, sessionId: id }
  return { ...of, energyMilliWh, ...(cost && { costMicros: cost.micros, currency: cost.currency }) }
}
