/** Payments by QR code over the API (OCPP21-C6). */
import { answerIs } from '../../application/audit/auditing.ts'
import { StartedPaymentSchema, startWebPayment, WebPaymentSchema } from '../../application/web-payments/orders.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addWebPayments(api: Api): void {
  resource(api, { tag: 'Sessions', path: '/2/web-payments' }).post(
    '',
    'startWebPayment',
    'Start a session that a driver has paid for by the QR code of an EVSE',
    {
      auditSubject: ({ pspRef }) => `payment ${pspRef}`,
      description:
        'For the web page behind the QR code of an OCPP 2.1 charge point. The code is checked and used up; the charge point is notified and asked to start. `payment.settled` reports what the charge point settles.',
      body: WebPaymentSchema,
      idempotent: 'optional',
      problems: [404, 409, 422],
      accepted: [StartedPaymentSchema, 'The charge point and EVSE that the code named, and the pending session'],
      async handle({ principal, body }) {
        const { chargePointId, evseId, session } = orRefused(await startWebPayment(api, principal.accountId, body))
        answerIs(`session ${session.id}`)
        return { evseControllerId: chargePointId, evseId, session: representSession(session) }
      },
    },
  )
}
