/** I02: CostUpdated has an empty answer. The answer to the end of the charge has the total (I03). */
import type { CostsOnWire } from '../../translate/costs-on-wire.ts'

export const costs: CostsOnWire = {
  running: ({ transactionId, cost }) => ({ method: 'CostUpdated', request: { totalCost: cost, transactionId } }),
  readAnswer: () => 'accepted',
}
