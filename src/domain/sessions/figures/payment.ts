/** Payments as the API and events show them. */
import type { Zod } from '../../event-declaration.ts'
import { isoTime } from '../../iso-time.ts'
import { PAYMENT_STATUSES, type Settlement } from '../../payments/records.ts'

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
