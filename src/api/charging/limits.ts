/** Limits of a charge point by name (CHARGING-S3). */
import {
  type AskedLimit,
  capsOf,
  isLimit,
  limitFault,
  MOST_LIMITS,
  ownerOf,
  representLimit,
} from '../../application/charging/limits.ts'
import { LimitListSchema, LimitSchema, limitParams, PutLimitSchema } from '../../application/charging/schemas.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import type { ChargingDemand } from '../../domain/charging/records.ts'
import { grantOf, needsScope, requireOrdered, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { notFound, Problem } from '../problem.ts'
import { chargePointResource, resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'

const COMMON = { tag: 'Charging limits', access: needsScope('chargers:control') } as const
const PATH = '/2/evse-controllers/{evseController}/limits'

export function addLimits(api: Api): void {
  const limits = resource(api, {
    ...{ ...COMMON, path: `${PATH}/{name}`, params: limitParams },
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
      const asked: AskedLimit = body
      const fault = limitFault(asked, api.now())
      if (fault) throw unfit(fault)
      const { accountId, id: chargePointId } = chargePoint
      const { evseId = 0 } = asked
      const all = await demandsOf(api, chargePointId)
      const known = all.filter(({ owner }) => owner === ownerOf(name))
      for (const one of known) requireOrdered(principal, one)
      if (known.length === 0 && all.filter(isLimit).length >= MOST_LIMITS) {
        throw new Problem(409, 'too_many_limits', `A charge point has at most ${MOST_LIMITS} limits: delete one.`)
      }
      const grantId = grantOf(principal)
      const moved = known
        .filter((one) => one.evseId !== evseId)
        .map((one) => ({ owner: one.owner, evseId: one.evseId }))
      const put = {
        owner: ownerOf(name),
        evseId,
        caps: capsOf(asked),
        asked,
        ...(grantId !== undefined && { grantId }),
      }
      const input = { kind: 'chargingDemanded', demands: [...moved, put] } as const
      orRefused(await api.core.decideBlock({ accountId, chargePointId, input }))
      const shown = await show(api, chargePointId, await find(api, chargePointId, name))
      const location = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/limits/${encodeURIComponent(name)}`
      return known.length > 0 ? shown : json(shown, 201, { location })
    },
  })
  limits.get('', 'getLimit', 'Get a limit', {
    ok: [LimitSchema, 'The limit, with its proof'],
    handle: async ({ chargePoint: { id }, params: { name } }) => show(api, id, await find(api, id, name)),
  })
  limits.delete('', 'deleteLimit', 'Delete a limit', {
    description: 'The charge point is told so now, or when it connects.',
    done: 'Deleted',
    async handle({ principal, chargePoint: { accountId, id: chargePointId }, params: { name } }) {
      const demand = await find(api, chargePointId, name)
      requireOrdered(principal, demand)
      const { owner, evseId } = demand
      const input = { kind: 'chargingDemanded', demands: [{ owner, evseId }] } as const
      orRefused(await api.core.decideBlock({ accountId, chargePointId, input }))
    },
  })
  chargePointResource(api, { ...COMMON, path: '/limits' }).get('', 'listLimits', 'List limits of a charge point', {
    ok: [LimitListSchema, 'All of its limits'],
    async handle({ chargePoint: { id } }) {
      const demands = (await demandsOf(api, id)).filter(isLimit)
      return { data: await Promise.all(demands.map((demand) => show(api, id, demand))), meta: {} }
    },
  })
}

function unfit({ pointer, message }: { readonly pointer: string; readonly message: string }): Problem {
  const errors = [{ pointer, code: 'invalid_limit', message }]
  return new Problem(422, 'invalid_limit', `${pointer || 'The limit'} ${message}.`, { errors })
}

async function demandsOf({ reads }: Api, chargePointId: string): Promise<readonly ChargingDemand[]> {
  return reads.listRecords('charging_demands', { where: { chargePointId }, limit: 500 })
}

async function find(api: Api, chargePointId: string, name: string): Promise<ChargingDemand> {
  const all = await demandsOf(api, chargePointId)
  const found = all.find(({ owner }) => owner === ownerOf(name))
  if (!found) throw notFound('limit')
  return found
}

async function show(
  { reads, now, settings: { voltage } }: Api,
  chargePointId: string,
  demand: ChargingDemand,
): Promise<object> {
  const [station, profiles, wiring] = await Promise.all([
    reads.getRecord('charging_stations', { chargePointId }),
    reads.listRecords('charging_profiles', { where: { chargePointId, source: 'desired' }, limit: 500 }),
    reads.getRecord('wirings', { chargePointId }),
  ])
  return representLimit(demand, { station, profiles, connectors: wiring?.connectors ?? [], voltage, now: now() })
}
