import type { Payload } from '../payload.ts'
import { type InboundMessage, type InboundRules, inboundMessage } from '../translate/message.ts'
import { integer, object, transactionIdText } from '../translate/payload.ts'
import type { Columns } from '../version.ts'
import type { InboundAction } from './actions.ts'

/** OCPP-DR9: a station moved here does not boot for that, and discards transaction messages after a few tries. */
export function fromChargePoint(action: InboundAction, rules: InboundRules): InboundMessage {
  const { billing = false } = rules
  return inboundMessage(action, (request, _outcome, raw) => columns(request, raw), { beforeBoot: billing, ...rules })
}

/** OCPP-LG3: the log's columns of any 1.6 message, by the names its schemas use. */
export function columns(request: Payload, raw?: string): Columns {
  const connectorId = integer(request.connectorId)
  const profile = object(request.chargingProfile ?? request.csChargingProfiles)
  const transactionId = transactionIdText(request.transactionId ?? profile.transactionId, raw)
  return { connectorId, transactionId }
}
