/** Messages about payments (OCPP 2.1 C18 to C25). */
import { PAYMENT_STATUSES } from '../../domain/payments/records.ts'
import { hasVatNumberForm } from '../../domain/payments/vat-number.ts'
import { stationTime } from '../station-time.ts'
import { type InboundRules, needsText } from '../translate/message.ts'
import { number, type OutgoingCall, oneOf, placeNumber, text } from '../translate/payload.ts'

const statusOf = oneOf(PAYMENT_STATUSES)

/** C19-C22. Without a status that OCPP knows it is only stored. */
export const notifySettlement: InboundRules = {
  effect: 'the outcome of a payment, on the timelines of charge point and session; answered with our receipt, if any',
  needs: needsText('pspRef'),
  input(request, { receivedAt }) {
    const [pspRef, status] = [text(request.pspRef), statusOf(request.status)]
    if (!pspRef || !status) return { kind: 'noted' }
    return {
      kind: 'paymentSettled',
      pspRef: pspRef.slice(0, REFERENCE_LIMIT),
      status,
      amountMicros: micros(number(request.settlementAmount) ?? 0),
      settledAt: stationTime(request.settlementTime, receivedAt).occurredAt,
      transactionId: text(request.transactionId),
      detail: text(request.statusInfo)?.slice(0, DETAIL_LIMIT),
      receiptId: text(request.receiptId)?.slice(0, REFERENCE_LIMIT),
      receiptUrl: text(request.receiptUrl)?.slice(0, URL_LIMIT),
    }
  },
  answer: (_request, { receipt }) => ({ receiptId: receipt?.id, receiptUrl: receipt?.url }),
}

const REFERENCE_LIMIT = 255
const DETAIL_LIMIT = 500
const URL_LIMIT = 2000
const MAX_MICROS = 1e15

function micros(amount: number): number {
  return Math.min(MAX_MICROS, Math.max(-MAX_MICROS, Math.round(amount * 1_000_000)))
}

/** C18.FR.10: the number and the EVSE come back as they were sent. */
export const vatNumberValidation: InboundRules = {
  effect: 'a VAT number: answered as the service of the operator says; without one refused',
  needs: needsText('vatNumber'),
  question({ vatNumber, evseId }) {
    const asked = text(vatNumber) ?? ''
    return hasVatNumberForm(asked) ? { vatNumber: asked, evseId: placeNumber(evseId) } : undefined
  },
  answer({ vatNumber, evseId }, { vatNumberCheck }) {
    const asked = text(vatNumber) ?? ''
    const echoed = { vatNumber: asked.slice(0, VAT_NUMBER_LIMIT), evseId: placeNumber(evseId) }
    const { verdict = 'notAsked', company } = vatNumberCheck ?? {}
    if (verdict === 'valid') return { ...echoed, status: 'Accepted', company }
    const reasonCode = hasVatNumberForm(asked) ? REASONS[verdict] : 'InvalidValue'
    return { ...echoed, status: 'Rejected', statusInfo: { reasonCode } }
  },
}

const VAT_NUMBER_LIMIT = 20
const REASONS = { invalid: 'InvalidValue', unknown: 'InternalError', notAsked: 'NotEnabled' }

/** C25.FR.21: the EVSE is kept for the driver who pays. */
export function webPaymentStarted(evseId: number, timeoutSeconds: number): OutgoingCall {
  return { method: 'NotifyWebPaymentStarted', request: { evseId, timeout: timeoutSeconds } }
}
