/** That a charge point took an order of its availability is kept (UPTIME-U3). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { AvailabilityInput } from './records.ts'

export function onAvailabilityOrdered(draft: BlockDraft, input: AvailabilityInput): void {
  const { commandId: id, now: at } = draft
  if (id === undefined) return
  const { evseId, connectorId, available } = input
  const put = { chargePointId: draft.state.chargePointId, id, at, evseId, connectorId, available }
  draft.changeRecord({ kind: 'availability_orders', put })
}
