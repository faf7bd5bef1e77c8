/** Which code may be used (OCPP21-C6), and what a reported settlement changes (OCPP21-C7). Pure. */
import type { BlockDraft } from '../ports/blocks.ts'
import type { Outcome, Session } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import type { Draft } from '../sessions/draft.ts'
import { sameToken } from '../sessions/orders/authorise.ts'
import { notePayment } from '../timeline/rules.ts'
import { paymentSettled } from './events.ts'
import type { PaymentInput, PaymentSettled, PaymentStatus } from './records.ts'

/** Far more than one charge point takes until a terminal has repeated its last report. */
const MAX_KEPT = 200
const kept = recordsOf('payments')

/** C25.FR.07: a code is used once. Codes of other EVSEs may be alike: they may share a secret. */
export function onWebPaymentClaimed(draft: BlockDraft, claim: PaymentInput): Outcome | undefined {
  const { chargePointId, records, sessions } = draft.state
  const { pspRef, sessionId } = claim
  const known = kept.find(draft, claim)
  // Paid, but not begun: the driver scans again.
  const isFailed = known?.status === undefined && sessions.get(known?.sessionId ?? '')?.state === 'failed'
  if (known && !isFailed) return { refused: 'payment_known' }
  const spent = `${claim.evseId}/${claim.code}`
  if (records.all('payments').some(({ codes }) => codes.includes(spent))) return { refused: 'payment_code_used' }
  if (!known) kept.makeRoom(draft, MAX_KEPT)
  const codes = [...(known?.codes ?? []), spent]
  kept.put(draft, { chargePointId, createdAt: draft.now, pspRef, sessionId, codes })
}

export function onPaymentSettled(draft: Draft, input: PaymentSettled): Outcome {
  const { kind: _, transactionId, ...settlement } = input
  const { pspRef, status, amountMicros } = settlement
  const { chargePointId } = draft.state
  const known = kept.find(draft, { pspRef })
  const isOver = known?.status !== undefined && (isFinal(known.status) || known.status === status)
  const outcome = { receipt: isOver && known.status !== status ? undefined : receiptOf(draft, input) }
  if (isOver) return outcome
  const session = sessionOf(draft, input, known?.sessionId)
  const sessionId = session?.id ?? known?.sessionId
  if (!known) kept.makeRoom(draft, MAX_KEPT)
  const before = known ?? { chargePointId, pspRef, codes: [], createdAt: draft.now }
  kept.put(draft, { ...before, sessionId, status })
  if (session) draft.putSession({ ...session, payment: { ...settlement, at: draft.now } })
  const { receiptId, detail } = settlement
  notePayment(draft, { pspRef, status, amount: amountMicros / 1_000_000, transactionId, sessionId, receiptId, detail })
  draft.tell(paymentSettled.of({ chargePointId, at: draft.now, ...settlement, sessionId, transactionId }))
  return outcome
}

/** A failed or rejected attempt may be followed by one that succeeds. */
function isFinal(status: PaymentStatus): boolean {
  return status === 'Settled' || status === 'Canceled'
}

/** By its transaction, else by the payment that it was started with. */
function sessionOf(
  draft: Draft,
  { transactionId, pspRef }: PaymentSettled,
  claimedFor: string | undefined,
): Session | undefined {
  const transaction = transactionId === undefined ? undefined : draft.transaction(transactionId)
  const named = transaction?.sessionId ?? claimedFor
  if (named !== undefined) return draft.session(named)
  return draft.sessions().find(({ idToken }) => idToken !== undefined && sameToken(idToken, pspRef))
}

/** C21.FR.03: only where money was collected and the station made no receipt itself. */
const RECEIPT_ID_LIMIT = 50
const URL_LIMIT = 2000

function receiptOf({ context }: Draft, { pspRef, status, receiptUrl }: PaymentSettled): Outcome['receipt'] {
  const { receiptUrl: template } = context.settings
  if (template === undefined || receiptUrl !== undefined || status !== 'Settled') return undefined
  const url = template.replaceAll('{pspRef}', encodeURIComponent(pspRef))
  return url.length > URL_LIMIT ? undefined : { url, ...(pspRef.length <= RECEIPT_ID_LIMIT && { id: pspRef }) }
}
