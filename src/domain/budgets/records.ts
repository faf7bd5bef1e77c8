import type { Budget } from '../ports/id-tokens.ts'
import { integer, type RecordOf, record, sum, text } from '../records/record.ts'

/** Sums of all charges of a card that began in a day, in a month and ever; each change adds to them in its commit. */
export const budgetSums = record('budget_sums', {
  key: ['accountId', 'idToken', 'per', 'periodFrom', 'currency'],
  columns: {
    accountId: text(),
    /** In lower case (TOKEN-Z1). */
    idToken: text(),
    per: text<Budget['per']>(),
    /** Begin of the day or month; 0: ever. */
    periodFrom: integer(),
    /** Of what it cost; empty where nothing has a price. */
    currency: text(),
    energyMilliWh: sum(),
    costMicros: sum(),
    changedAt: integer(),
  },
  indexes: [['changedAt']],
})

export type BudgetSum = RecordOf<typeof budgetSums>
