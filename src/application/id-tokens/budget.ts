/** What the charges of a card came to of its budget, in the day or month that holds a time (TOKEN-Z6). */
import { budgetPeriod, type Used, usedIn, usedUp } from '../../domain/budgets/rules.ts'
import type { Budget, IdToken } from '../../domain/ports/id-tokens.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Period } from '../../domain/time-zone.ts'

export interface BudgetStanding {
  readonly budget: Budget
  readonly period: Period
  readonly used: Used
  readonly isUsedUp: boolean
}

export async function budgetStanding(
  { reads }: { readonly reads: Pick<Reads, 'listRecords'> },
  { accountId, id, budget }: Pick<IdToken, 'accountId' | 'id' | 'budget'>,
  at: number,
  timeZone: string,
): Promise<BudgetStanding | undefined> {
  if (!budget) return undefined
  const period = budgetPeriod(budget.per, at, timeZone)
  const used = await usedIn(reads, { accountId, id }, budget, period)
  return { budget, period, used, isUsedUp: usedUp(budget, used) !== undefined }
}
