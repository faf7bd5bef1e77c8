import type { Authorisation, IdTokenRef } from '../../domain/ports/id-tokens.ts'
import type { Sample } from '../../domain/ports/sessions.ts'
import {
  integer,
  isObject,
  object,
  oneOf,
  type Payload,
  sentTime,
  text,
  tokenText,
  transactionIdText,
} from '../translate/payload.ts'
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

const GROUP_ID_LIMIT = 36

export function idTokenInfo(authorisation: Authorisation | undefined): Payload {
  const { status = 'Unknown', expiresAt, groupId, price } = authorisation ?? {}
  const cacheExpiryDateTime = sentTime(expiresAt)
  const group = groupId !== undefined && groupId.length <= GROUP_ID_LIMIT ? groupId : undefined
  return {
    status,
    cacheExpiryDateTime,
    ...(group !== undefined && { groupIdToken: { idToken: group, type: 'Central' } }),
    ...(price && { personalMessage: { format: 'UTF8', language: price.language, content: price.text } }),
  }
}

export const TOKEN_TYPES: readonly string[] =
  'Central eMAID ISO14443 ISO15693 KeyCode Local MacAddress NoAuthorization'.split(' ')
/** In the schema of OCPP 2.1 a type is any text, which no repair spells; these are in its appendix. */
const NEWER_TYPES = ['DirectPayment', 'EVCCID', 'VIN']
const typeOf = oneOf([...TOKEN_TYPES, ...NEWER_TYPES])

/** Undefined: no token was sent. NoAuthorization has an empty id by definition (C02.FR.02). */
export function idToken(value: unknown): IdTokenRef | undefined {
  if (!isObject(value)) return undefined
  const said = text(value.type) ?? 'ISO14443'
  return { id: tokenText(value.idToken), type: typeOf(said) ?? said }
}

/** For messages about a token: an unusable one matches none. */
export function requiredIdToken(value: unknown): IdTokenRef {
  return idToken(object(value)) ?? { id: '', type: 'ISO14443' }
}
