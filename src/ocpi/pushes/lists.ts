/** Sessions and CDRs as a partner pulls them (OCPI-A2): those of its own customers, in pages. */
import { cdrIn } from '../objects/cdr.ts'
import { sessionIn } from '../objects/session.ts'
import type { OcpiModule, OcpiRequest } from '../wire/module.ts'
import { pageOf, type Span } from '../wire/pages.ts'
import { sessionFacts, wholeCdr } from './current.ts'

const MAX_COUNTED = 10_000_000

function whereOf({ partner: { accountId, partnerId } }: OcpiRequest, { from, below }: Span) {
  return { accountId, partnerId, lastUpdated: { from: from ?? 0, below } }
}

export const sessionsModule: OcpiModule = {
  identifier: 'sessions',
  role: 'SENDER',
  routes: [
    {
      method: 'GET',
      path: '',
      handle: (request) => {
        const { context, partner, party, version } = request
        const { reads } = context
        const { accountId, partnerId } = partner
        return pageOf(request, {
          count: (span) =>
            reads.countRecords('partner_sessions', { where: whereOf(request, span), limit: MAX_COUNTED }),
          rows: (span, limit, after) =>
            reads.listRecords('partner_sessions', {
              where: whereOf(request, span),
              limit,
              after: after === undefined ? undefined : { accountId, partnerId, sessionId: after },
            }),
          id: ({ sessionId }) => sessionId,
          show: async (rows) => {
            const found = await Promise.all(rows.map(({ sessionId }) => reads.findSession(sessionId)))
            const facts = await Promise.all(found.map((one) => one && sessionFacts(context, partner, one)))
            return facts.flatMap((one) => (one ? [sessionIn(version, one, party)] : []))
          },
        })
      },
    },
  ],
}

export const cdrsModule: OcpiModule = {
  identifier: 'cdrs',
  role: 'SENDER',
  routes: [
    {
      method: 'GET',
      path: '',
      handle: (request) => {
        const { context, partner, party, version } = request
        const { reads } = context
        const { accountId } = partner
        return pageOf(request, {
          most: 100,
          count: (span) => reads.countRecords('cdrs', { where: whereOf(request, span), limit: MAX_COUNTED }),
          rows: (span, limit, after) =>
            reads.listRecords('cdrs', {
              where: whereOf(request, span),
              limit,
              after: after === undefined ? undefined : { accountId, cdrId: after },
            }),
          id: ({ cdrId }) => cdrId,
          show: async (rows) => {
            const whole = await Promise.all(rows.map((one) => wholeCdr(context, one)))
            return whole.flatMap((one) => (one ? [cdrIn(version, one, party)] : []))
          },
        })
      },
    },
  ],
}
