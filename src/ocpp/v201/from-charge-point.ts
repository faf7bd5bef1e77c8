import type { Sample } from '../../domain/ports/sessions.ts'
import type { Payload } from '../payload.ts'
import { integer, object, transactionIdText } from '../translate/payload.ts'
import { samplesOf } from '../translate/samples.ts'
import { signedData201 } from '../translate/signed/signed-data.ts'
import type { Columns } from '../version.ts'

/** OCPP-LG3: the log's columns of any 2.0.1 message, by the names its schemas use. */
export function columns(request: Payload, raw?: string): Columns {
  const evse = object(request.evse)
  const evseId = integer(request.evseId ?? evse.id)
  const connectorId = integer(request.connectorId ?? evse.connectorId)
  const transactionId = transactionIdText(transactionIdOf(request), raw)
  return { evseId, connectorId, transactionId }
}

/** TransactionEvent, SetChargingProfile and SetDisplayMessage keep it one level down. */
function transactionIdOf(request: Payload): unknown {
  return (
    request.transactionId ??
    object(request.transactionInfo).transactionId ??
    object(request.chargingProfile).transactionId ??
    object(request.message).transactionId
  )
}

const OWN = {
  unit: ({ unitOfMeasure }: Payload) => object(unitOfMeasure).unit,
  multiplier: ({ unitOfMeasure }: Payload) => integer(object(unitOfMeasure).multiplier) ?? 0,
  signed: signedData201,
}

/** `meterValue` (OCPP 2.0.1 MeterValueType), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, OWN)
}
