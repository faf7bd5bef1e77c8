import type { InboundMessage, InboundRules } from '../translate/message.ts'
import { inboundMessage } from '../translate/message.ts'
import type { InboundAction } from './actions.ts'
import { columns } from './columns.ts'

/** OCPP-DR9: a station moved here does not boot for that, and discards transaction messages after a few tries. */
export function fromChargePoint(action: InboundAction, rules: InboundRules): InboundMessage {
  const { billing = false } = rules
  return inboundMessage(action, (request, _outcome, raw) => columns(request, raw), { beforeBoot: billing, ...rules })
}
