/** Limits of a charge point by name (CHARGING-S3). */
import { type AskedLimit, isLimit, ownerOf } from '../../application/charging/limits.ts'
import { demandsOf, findLimit, putLimit, removeLimit, shownLimit } from '../../application/charging/orders.ts'
import { LimitListSchema, LimitSchema, limitParams, PutLimitSchema } from '../../application/charging/schemas.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import { grantOf, needsScope, requireOrdered, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'

const COMMON = { tag: 'Charging limits', access: needsScope('chargers:control') } as const
const PATH = '/2/evse-controllers/{evseController}/limits'

export function addLimits(api: Api): void {
  const limits = resource(api, {
    ...COMMON,
    path: `${PATH}/{name}`,
    params: limitParams,
    find: async ({ principal, params }) => ({
      chargePoint: await visibleChargePoint(api.reads, principal, params.evseController),
    }),
  })
  limits.put('', 'putLimit', 'Create or replace a limit', {
    description:
      'What the charge point, or one EVSE of it, may draw. Of several limits the smallest holds. It is sent in whatever form the charge point takes, now or when it connects, again after a boot and after a pause of the charge, and proof tells whether it is kept.',
    body: PutLimitSchema,
    problems: [409, 422],
    responses: {
      200: described(LimitSchema, 'It was there before'),
      201: located(LimitSchema, 'It is new'),
    },
    async handle({ principal, chargePoint, params: { name }, body }) {
      const { id } = chargePoint
      for (const one of await demandsOf(api, id)) if (one.owner === ownerOf(name)) requireOrdered(principal, one)
      const asked: AskedLimit = body
      const { before, after } = orRefused(await putLimit(api, chargePoint, name, asked, grantOf(principal)))
      const shown = await shownLimit(api, after)
      const location = `/2/evse-controllers/${encodeURIComponent(id)}/limits/${encodeURIComponent(name)}`
      return before ? shown : json(shown, 201, { location })
    },
  })
  limits.get('', 'getLimit', 'Get a limit', {
    ok: [LimitSchema, 'The limit, with its proof'],
    handle: async ({ chargePoint: { id }, params: { name } }) =>
      shownLimit(api, orRefused(await findLimit(api, id, name))),
  })
  limits.delete('', 'deleteLimit', 'Delete a limit', {
    description: 'The charge point is told so now, or when it connects.',
    done: 'Deleted',
    async handle({ principal, chargePoint, params: { name } }) {
      const demand = orRefused(await findLimit(api, chargePoint.id, name))
      requireOrdered(principal, demand)
      return removeLimit(api, chargePoint, demand)
    },
  })
  chargePointResource(api, { ...COMMON, path: '/limits' }).get('', 'listLimits', 'List limits of a charge point', {
    ok: [LimitListSchema, 'All of its limits'],
    async handle({ chargePoint: { id } }) {
      const demands = (await demandsOf(api, id)).filter(isLimit)
      return { data: await Promise.all(demands.map((demand) => shownLimit(api, demand))), meta: {} }
    },
  })
}
