/** `/2/tariffs` (COST-L1). */
import {
  ChangeTariffSchema,
  CreateTariffSchema,
  TariffListSchema,
  TariffSchema,
  tariffParams,
} from '../../application/schemas/tariffs.ts'
import {
  changeTariff,
  createTariff,
  deleteTariff,
  findTariff,
  representTariff,
  shownRates,
  storedRates,
} from '../../application/tariffs/tariffs.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

const COMMON = { tag: 'Tariffs', path: '/2/tariffs' } as const

export function addTariffs(api: Api): void {
  const tariffs = resource(api, COMMON)
  const tariff = resource(api, { ...COMMON, path: `${COMMON.path}/{tariffId}`, params: tariffParams })
  tariffs.get('', 'listTariffs', 'List tariffs', {
    ok: [TariffListSchema, 'All tariffs'],
    handle: async ({ principal }) => ({
      data: (await api.reads.listTariffs(principal.accountId)).map(representTariff),
      meta: {},
    }),
  })
  tariff.get('', 'getTariff', 'Get a tariff', {
    ok: [TariffSchema, 'The tariff'],
    handle: async ({ principal, params }) =>
      representTariff(orRefused(await findTariff(api, principal.accountId, params.tariffId))),
  })
  tariffs.post('', 'createTariff', 'Create a tariff', {
    description: 'For one charge point, or for all of the account that have none of their own.',
    body: CreateTariffSchema,
    problems: [404, 409],
    created: [TariffSchema, 'The tariff'],
    handle: async ({ principal: { accountId }, body: { evseControllerId: chargePointId, ...rates } }) =>
      representTariff(orRefused(await createTariff(api, { accountId, chargePointId }, storedRates(rates)))),
  })
  tariff.patch('', 'changeTariff', 'Create a new version of a tariff', {
    description: 'For sessions that start from now on; sessions that run keep the version they started with.',
    body: ChangeTariffSchema,
    ok: [TariffSchema, 'The tariff'],
    async handle({ principal, params, body }) {
      const before = orRefused(await findTariff(api, principal.accountId, params.tariffId))
      const rates = storedRates({ ...shownRates(before), ...body })
      return representTariff(orRefused(await changeTariff(api, before, rates)))
    },
  })
  tariff.delete('', 'deleteTariff', 'Delete a tariff', {
    description: 'Sessions that run keep it.',
    done: 'Deleted',
    handle: ({ principal, params }) => deleteTariff(api, principal.accountId, params.tariffId),
  })
}
