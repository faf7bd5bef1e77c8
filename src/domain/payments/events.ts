/** The event about payments at charge points (OCPP21-C7). */

import type { Zod } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'
import { type ChargePointEvent, declare } from '../timeline/events.ts'
import { PAYMENT_STATUSES, type Settlement } from './records.ts'

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

/** As the API and events show it. The station does not say the currency. */
export function showPayment({ amountMicros, settledAt, pspRef, status, detail, receiptId, receiptUrl }: Settlement) {
  const amount = amountMicros / 1_000_000
  return { pspRef, status, amount, settledAt: isoTime(settledAt), detail, receiptId, receiptUrl }
}

/** The schema of what `showPayment` shows. */
export const paymentMembers = (z: Zod) => ({
  pspRef: z.string().openapi({ description: 'The reference of the payment service provider.' }),
  status: z.enum(PAYMENT_STATUSES).openapi({ description: 'How the attempt to collect the money ended.' }),
  amount: z.number().openapi({ description: 'What was collected, or was to be.' }),
  settledAt: z.string().openapi({ format: 'date-time' }),
  detail: z.string().optional().openapi({ description: 'Why, in the words of the terminal.' }),
  receiptId: z.string().optional(),
  receiptUrl: z.string().optional(),
})
