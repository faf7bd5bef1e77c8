/** Limits of a charge point by name (CHARGING-S3). */
import { type AskedLimit, isLimit, ownerOf } from '../../application/charging/limits.ts'
import { demandsOf, findLimit, putLimit, removeLimit, shownLimit } from '../../application/charging/orders.ts'
import { LimitListSchema, LimitSchema, limitParams, PutLimitSchema } from '../../application/charging/schemas.ts'
import { grantOf } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addLimits(api: Api): void {
  const limits = chargePointResource(api, {
    tag: 'Charging limits',
    path: '/limits',
  })
  limits.put('/{name}', 'putLimit', 'Create or replace a limit', {
    description:
      'What the charge point, or one EVSE of it, may draw. Of several limits the smallest holds. It is sent in whatever form the charge point takes, now or when it connects, again after a boot and after a pause of the charge, and proof tells whether it is kept.',
    body: PutLimitSchema,
    problems: [409, 422],
    params: limitParams,
    replaced: [LimitSchema],
    holds: async ({ chargePoint: { id }, params: { name } }) =>
      (await demandsOf(api, id)).filter(({ owner }) => owner === ownerOf(name)),
    async handle({ principal, chargePoint, params: { name }, body }) {
      const asked: AskedLimit = body
      const { before, after } = orRefused(await putLimit(api, chargePoint, name, asked, grantOf(principal)))
      return { before, shown: await shownLimit(api, after) }
    },
  })
  limits.get('/{name}', 'getLimit', 'Get a limit', {
    params: limitParams,
    ok: [LimitSchema, 'The limit, with its proof'],
    handle: async ({ chargePoint: { id }, params: { name } }) =>
      shownLimit(api, orRefused(await findLimit(api, id, name))),
  })
  limits.delete('/{name}', 'deleteLimit', 'Delete a limit', {
    params: limitParams,
    description: 'The charge point is updated now, or when it connects.',
    done: 'Deleted',
    holds: async ({ chargePoint: { id }, params: { name } }) => orRefused(await findLimit(api, id, name)),
    handle: async ({ chargePoint, params: { name } }) =>
      removeLimit(api, chargePoint, orRefused(await findLimit(api, chargePoint.id, name))),
  })
  limits.get('', 'listLimits', 'List limits of a charge point', {
    ok: [LimitListSchema, 'All of its limits'],
    async handle({ chargePoint: { id } }) {
      const demands = (await demandsOf(api, id)).filter(isLimit)
      return { data: await Promise.all(demands.map((demand) => shownLimit(api, demand))), meta: {} }
    },
  })
}
