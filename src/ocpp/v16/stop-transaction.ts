import { hasOwnTime } from '../../domain/sessions/own-time.ts'
import type { Payload } from '../payload.ts'
import { stationTime } from '../station-time.ts'
import { knownTransaction, registerMilliWh, text, transactionIdText } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { idTagInfo, idToken } from './id-tag-info.ts'
import { samples } from './samples.ts'

/** OCPP 1.6 §4.10. Always answered, or billing data is discarded (OCPP-DR4). No usable id: by content (SESSION-A13). */
export const stopTransaction = fromChargePoint('StopTransaction', {
  effect: 'session completed with final energy and cost; signed values are kept',
  billing: true,
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
})

function tag(request: Payload): string {
  return (text(request.idTag) ?? '').toLowerCase()
}
