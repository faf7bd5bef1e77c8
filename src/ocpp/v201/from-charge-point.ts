import type { InboundMessage, InboundRules } from '../translate/message.ts'
import { inboundMessage } from '../translate/message.ts'
import type { InboundAction } from './actions.ts'
import { columns } from './columns.ts'

export function fromChargePoint(action: InboundAction, rules: InboundRules): InboundMessage {
  return inboundMessage(action, (request, _outcome, raw) => columns(request, raw), rules)
}
