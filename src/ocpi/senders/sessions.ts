/** Sender of Sessions (OCPI-A2): those of the partner's customers, at charge points that stand in locations. */
import { sessionIn } from '../objects/session.ts'
import { sessionFacts } from '../pushes/current.ts'
import { missing, NOT_ENOUGH, type OcpiModule } from '../wire/module.ts'
import { MAX_COUNT, pageOf, type Span } from '../wire/pages.ts'

export const sessionsModule: OcpiModule = {
  identifier: 'sessions',
  role: 'SENDER',
  routes: [
    {
      method: 'GET',
      path: '',
      handle(request) {
        const { context, version, party, partner } = request
        const { accountId, partnerId } = partner
        const { reads } = context
        const where = (span: Span) => ({ accountId, partnerId, lastUpdated: { ...span } })
        return pageOf(request, {
          count: (span) => reads.countRecords('partner_sessions', { where: where(span), limit: MAX_COUNT }),
          rows: (span, limit, sessionId) =>
            reads.listRecords('partner_sessions', {
              where: where(span),
              limit,
              after: sessionId === undefined ? undefined : { accountId, partnerId, sessionId },
            }),
          id: ({ sessionId }) => sessionId,
          async show(rows) {
            const found = await Promise.all(rows.map(({ sessionId }) => sessionFacts(context, partner, sessionId)))
            return found.flatMap((one) => (one ? [sessionIn(version, one, party)] : []))
          },
        })
      },
    },
    {
      method: 'GET',
      path: '/{session}',
      async handle({ context, version, party, partner, params }) {
        const found = await sessionFacts(context, partner, params.session ?? '')
        if (!found) return missing(NOT_ENOUGH, 'There is no such session of your customers.')
        return { data: sessionIn(version, found, party) }
      },
    },
  ],
}
