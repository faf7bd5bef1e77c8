/** OCPP-LG3: the log's columns of any 1.6 message, by the names its schemas use. */

import type { Payload } from '../payload.ts'
import { integer, object, transactionIdText } from '../translate/payload.ts'
import type { Columns } from '../version.ts'

export function columns(request: Payload, raw?: string): Columns {
  const connectorId = integer(request.connectorId)
  const profile = object(request.chargingProfile ?? request.csChargingProfiles)
  const transactionId = transactionIdText(request.transactionId ?? profile.transactionId, raw)
  return { connectorId, transactionId }
}
