/** External settlements as steps (COST-L2, COST-L3), from the ledger. */
import type { ChargePointState, Session } from '../../domain/ports/sessions.ts'
import type { SettlementEntry } from '../../domain/ports/storage-webhooks.ts'
import type { Step } from './step.ts'

/** Entries with an author; those of the rules follow from the rest (COST-L4, HOOK-M5). */
export function settlementSteps(
  entries: readonly SettlementEntry[],
  find: (state: ChargePointState) => Session | undefined,
): readonly Step[] {
  return entries
    .filter(({ by }) => by !== 'pilotwire')
    .map(({ at, energyMilliWh, costMicros, currency }) => ({
      at,
      // After the messages of that millisecond: one of them completed it.
      order: Number.MAX_SAFE_INTEGER,
      input: (state: ChargePointState) => {
        const session = find(state)
        if (!session) return undefined
        // The entry has all figures; unchanged ones were not part of the order and are not fixed by it.
        const newCost = costMicros !== undefined && costMicros !== session.cost?.micros
        return {
          kind: 'settled',
          sessionId: session.id,
          ...(energyMilliWh !== session.energyMilliWh && { energyMilliWh }),
          ...(newCost && { costMicros }),
          ...(newCost && currency !== undefined && { currency }),
        }
      },
    }))
}
