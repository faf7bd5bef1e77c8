/** What charges of a card with a budget came to (TOKEN-Z6): a row for each, wherever it charges. */
import { integer, optional, type RecordOf, record, text } from '../records/record.ts'

/** Written whole with each change of the charge's figures, by whoever has the charge point; nobody else writes it. */
export const budgetUses = record('budget_uses', {
  key: ['accountId', 'idToken', 'beganAt', 'sessionId'],
  columns: {
    accountId: text(),
    /** In lower case (TOKEN-Z1). */
    idToken: text(),
    beganAt: integer(),
    sessionId: text(),
    energyMilliWh: integer(),
    costMicros: optional(integer()),
    currency: optional(text()),
  },
})

/** What one charge took; times in ms since the epoch. */
export type BudgetUse = RecordOf<typeof budgetUses>
