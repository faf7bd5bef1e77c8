import { stationTime } from '../station-time.ts'
import { registerMilliWh, text } from '../translate/payload.ts'
import { knownTransaction, transactionIdText } from '../translate/transaction-id.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { idTagInfo, idToken } from './id-tag-info.ts'
import { samples } from './samples.ts'

/**
 * OCPP 1.6 §4.10. Never refused and never left unanswered: a station without an answer retries, then throws the
 * billing facts away (DR4). A stop without a usable id is still matched by what it says (A13).
 */
export const stopTransaction = fromChargePoint('StopTransaction', {
  effect: 'session completed with final energy and cost',
  billing: true,
  input: (request, { receivedAt, raw, digest }) => {
    return {
      kind: 'stopped',
      at: stationTime(request.timestamp, receivedAt),
      reason: text(request.reason) ?? 'Local',
      samples: samples(request.transactionData, receivedAt),
      digest: digest(),
      transactionId: knownTransaction(transactionIdText(request.transactionId, raw)),
      registerMilliWh: registerMilliWh(request.meterStop),
      idToken: text(request.idTag) === undefined ? undefined : idToken(request.idTag),
    }
  },
  answer: (request, { authorisation }) =>
    text(request.idTag) === undefined ? {} : { idTagInfo: idTagInfo(authorisation) },
})
