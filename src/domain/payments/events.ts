/** The event about payments at charge points (OCPP21-C7). */

import { paymentMembers, showPayment } from '../sessions/figures/payment.ts'
import { type ChargePointEvent, declare } from '../timeline/events.ts'
import type { Settlement } from './records.ts'

type SettledPayment = ChargePointEvent &
  Settlement & { readonly sessionId?: string | undefined; readonly transactionId?: string | undefined }

export const paymentSettled = declare('payment.settled', {
  own: (z) => ({ ...paymentMembers(z), sessionId: z.string().optional(), transactionId: z.string().optional() }),
  represent: ({ sessionId, transactionId, ...payment }: SettledPayment) => ({
    ...showPayment(payment),
    sessionId,
    transactionId,
  }),
  sample: (at): SettledPayment => ({
    ...at,
    pspRef: 'psp-4711',
    status: 'Settled',
    amountMicros: 12_340_000,
    settledAt: at.at,
  }),
  component: 'PaymentSettledEvent',
  summary: 'A payment at a charge point was settled',
  description:
    'Sent when a charge point reports how the settlement of a payment ended. A report that the charge point repeats is sent once.',
})

export const PAYMENT_EVENTS = [paymentSettled] as const
