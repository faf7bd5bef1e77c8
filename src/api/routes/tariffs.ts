/**
 * Tariffs of an account or of one charge point, excluding VAT; a session keeps the version it started with (COST-L1).
 */

import { json as described, located } from '../../application/schemas/common.ts'
import { fromMillionths, millionths } from '../../application/schemas/money.ts'
import {
  ChangeTariffSchema,
  CreateTariffSchema,
  TariffListSchema,
  TariffSchema,
  tariffParams,
} from '../../application/schemas/tariffs.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Tariff, TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { credentialOnly, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { notFound, Problem } from '../problem.ts'
import { json, noContent } from '../respond.ts'

const TAG = 'Tariffs'
const PATH = '/2/tariffs'

interface ShownRates {
  readonly currency: string
  readonly perKwh: number
  readonly perMinute?: number
  readonly perSession?: number
  readonly idlePerMinute?: number
}

export function addTariffs(api: Api): void {
  addReads(api)
  addWrites(api)
}

function addReads({ endpoints, reads }: Api): void {
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listTariffs',
    tag: TAG,
    summary: 'List tariffs',
    access: credentialOnly,
    responses: { 200: described(TariffListSchema, 'All tariffs') },
    handle: async ({ principal }) =>
      json({ data: (await reads.listTariffs(principal.accountId)).map(represent), meta: {} }),
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{tariffId}`,
    operationId: 'getTariff',
    tag: TAG,
    summary: 'Get a tariff',
    access: credentialOnly,
    params: tariffParams,
    responses: { 200: described(TariffSchema, 'The tariff') },
    handle: async ({ principal, params }) =>
      json(represent(known(await reads.findTariff(principal.accountId, params.tariffId)))),
  })
}

function addWrites({ endpoints, reads, writes, random, now }: Api): void {
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createTariff',
    tag: TAG,
    summary: 'Create a tariff',
    description: 'For one charge point, or for all of the account that have none of their own.',
    access: credentialOnly,
    body: CreateTariffSchema,
    problems: [404, 409],
    responses: { 201: located(TariffSchema, 'The tariff') },
    async handle({ principal, body: { evseControllerId, ...shown } }) {
      if (evseControllerId !== undefined) await visibleChargePoint(reads, principal, evseControllerId)
      const tariff: Tariff = {
        tariffId: `tar_${random(12).toString('hex')}`,
        version: 1,
        accountId: principal.accountId,
        ...(evseControllerId !== undefined && { chargePointId: evseControllerId }),
        ...stored(shown),
        createdAt: now(),
        updatedAt: now(),
      }
      if ((await writes.createTariff(tariff)) === 'exists') {
        const whose = evseControllerId === undefined ? 'The account' : `The charge point ${evseControllerId}`
        throw new Problem(409, 'tariff_exists', `${whose} has a tariff already; change that one.`)
      }
      return json(represent(tariff), 201, { location: `${PATH}/${tariff.tariffId}` })
    },
  })
  endpoints.add({
    method: 'patch',
    path: `${PATH}/{tariffId}`,
    operationId: 'changeTariff',
    tag: TAG,
    summary: 'Create a new version of a tariff',
    description: 'For sessions that start from now on; sessions that run keep the version they started with.',
    access: credentialOnly,
    params: tariffParams,
    body: ChangeTariffSchema,
    responses: { 200: described(TariffSchema, 'The tariff') },
    async handle({ principal, params, body }) {
      const { accountId } = principal
      const before = known(await reads.findTariff(accountId, params.tariffId))
      const rates = stored({ ...shownRates(before), ...body })
      return json(represent(known(await writes.updateTariff(accountId, params.tariffId, rates, now()))))
    },
  })
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{tariffId}`,
    operationId: 'deleteTariff',
    tag: TAG,
    summary: 'Delete a tariff',
    description: 'Sessions that run keep it.',
    access: credentialOnly,
    params: tariffParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params }) {
      if (!(await writes.deleteTariff(principal.accountId, params.tariffId))) throw notFound('tariff')
      return noContent()
    },
  })
}

function known(tariff: Tariff | undefined): Tariff {
  if (!tariff) throw notFound('tariff')
  return tariff
}

function stored({ currency, perKwh, perMinute = 0, perSession = 0, idlePerMinute = 0 }: ShownRates): TariffRates {
  return {
    currency,
    perKwhMicros: millionths(perKwh),
    perMinuteMicros: millionths(perMinute),
    perSessionMicros: millionths(perSession),
    idlePerMinuteMicros: millionths(idlePerMinute),
  }
}

function shownRates(tariff: Tariff): ShownRates {
  return {
    currency: tariff.currency,
    perKwh: fromMillionths(tariff.perKwhMicros),
    perMinute: fromMillionths(tariff.perMinuteMicros),
    perSession: fromMillionths(tariff.perSessionMicros),
    idlePerMinute: fromMillionths(tariff.idlePerMinuteMicros),
  }
}

function represent(tariff: Tariff): object {
  const { tariffId, version, chargePointId, createdAt, updatedAt } = tariff
  return {
    id: tariffId,
    version,
    ...(chargePointId !== undefined && { evseControllerId: chargePointId }),
    ...shownRates(tariff),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}
