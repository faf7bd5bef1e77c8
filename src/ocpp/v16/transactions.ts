import type { Sample, StationTime } from '../../domain/ports/sessions.ts'
import { hasOwnTime } from '../../domain/sessions/draft.ts'
import { stationTime } from '../station-time.ts'
import type { InboundRules } from '../translate/message.ts'
import {
  integer,
  knownTransaction,
  type Payload,
  placeNumber,
  registerMilliWh,
  text,
  transactionIdText,
} from '../translate/payload.ts'
import { samplesOf } from '../translate/samples.ts'
import { signedData16 } from '../translate/signed/signed-data.ts'
import { BILLING, columns, idTagInfo, idToken } from './from-charge-point.ts'

/** OCPP 1.6 §4.8. Billing: a refused tag still gets a transaction, as energy may have flowed (SESSION-A4, OCPP-DR8). */
export const startTransaction: InboundRules = {
  effect: 'transaction and session, or the pending remote start becomes one',
  ...BILLING,
  input: (request, { receivedAt, messageId }) => {
    const at = stationTime(request.timestamp, receivedAt)
    return {
      kind: 'started',
      connectorId: placeNumber(request.connectorId) ?? 0,
      idToken: idToken(request.idTag),
      at,
      startKey: startKey(request, at),
      messageId,
      registerMilliWh: registerMilliWh(request.meterStart),
      reservationId: integer(request.reservationId),
    }
  },
  answer: (_request, { transactionId, authorisation }) => ({
    transactionId: Number(transactionId ?? 0),
    idTagInfo: idTagInfo(authorisation),
  }),
  columns: (request, { transactionId }) => ({ connectorId: columns(request).connectorId, transactionId }),
}

/** OCPP-DR7: stable over repetitions of a start with new message ids; spellings of its time do not count. */
function startKey(request: Payload, at: StationTime): string {
  const time = hasOwnTime(at) ? at.occurredAt : (text(request.timestamp) ?? '')
  return [
    integer(request.connectorId) ?? 0,
    (text(request.idTag) ?? '').toLowerCase(),
    registerMilliWh(request.meterStart) ?? text(request.meterStart) ?? '',
    time,
  ].join('|')
}

/** OCPP 1.6 §4.10. Always answered, or billing data is discarded (OCPP-DR4). No usable id: by content (SESSION-A13). */
export const stopTransaction: InboundRules = {
  effect: 'session completed with final energy and cost; signed values are kept',
  ...BILLING,
  input: (request, { receivedAt, raw, digest }) => {
    const at = stationTime(request.timestamp, receivedAt)
    const register = registerMilliWh(request.meterStop)
    return {
      kind: 'stopped',
      at,
      reason: text(request.reason) ?? 'Local',
      samples: samples(request.transactionData, receivedAt),
      digest: digest(),
      // Without their own times two stops may look the same.
      stopKey: hasOwnTime(at) ? digest(`${register}|${at.occurredAt}|${tag(request)}`) : digest(),
      transactionId: knownTransaction(transactionIdText(request.transactionId, raw)),
      registerMilliWh: register,
      idToken: text(request.idTag) === undefined ? undefined : idToken(request.idTag),
    }
  },
  answer: (request, { authorisation }) =>
    text(request.idTag) === undefined ? {} : { idTagInfo: idTagInfo(authorisation) },
}

function tag(request: Payload): string {
  return (text(request.idTag) ?? '').toLowerCase()
}

const OWN = { unit: ({ unit }: Payload) => unit, multiplier: () => 0, signed: signedData16 }

/** `meterValue` or `transactionData` (OCPP 1.6 §7.33, §7.43), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, OWN)
}
