/** Sender of CDRs (OCPI-A2, OCPI-A5): those of the partner's customers, as they were made. */
import type { Cdr } from '../../domain/partners/records.ts'
import { cdrIn } from '../objects/cdr.ts'
import { currentObject, wholeCdr } from '../pushes/current.ts'
import { missing, NOT_ENOUGH, type OcpiModule } from '../wire/module.ts'
import { MAX_COUNT, pageOf, type Span } from '../wire/pages.ts'

/** Their signed values may be large: some have a hundred. */
const MAX_PAGE = 100

export const cdrsModule: OcpiModule = {
  identifier: 'cdrs',
  role: 'SENDER',
  routes: [
    {
      method: 'GET',
      path: '',
      handle(request) {
        const { context, version, party, partner } = request
        const { accountId } = party
        const { partnerId } = partner
        const { reads } = context
        const where = (span: Span) => ({ accountId, partnerId, lastUpdated: { ...span } })
        return pageOf<Cdr>(request, {
          most: MAX_PAGE,
          count: (span) => reads.countRecords('cdrs', { where: where(span), limit: MAX_COUNT }),
          rows: (span, limit, cdrId) =>
            reads.listRecords('cdrs', {
              where: where(span),
              limit,
              after: cdrId === undefined ? undefined : { accountId, cdrId },
            }),
          id: ({ cdrId }) => cdrId,
          async show(cdrs) {
            const whole = await Promise.all(cdrs.map((cdr) => wholeCdr(context, cdr)))
            return whole.flatMap((cdr) => (cdr ? [cdrIn(version, cdr, party)] : []))
          },
        })
      },
    },
    {
      method: 'GET',
      path: '/{cdr}',
      async handle(request) {
        // Those of other partners are as unknown as those that there are not.
        const found = await currentObject(request.context, request, { module: 'cdrs', cdrId: request.params.cdr ?? '' })
        return found ? { data: found.body } : missing(NOT_ENOUGH, 'There is no such CDR of your customers.')
      },
    },
  ],
}
