/** Tariffs of an account or of a charge point, excluding VAT; a session keeps the version it began with (COST-L1). */
import type { Tariff, TariffRates } from '../ports/storage-webhooks.ts'
import { resource } from '../resources/resource.ts'
import { fields } from './fields.ts'

export const tariff = resource({
  name: 'Tariff',
  idPrefix: 'tar_',
  fields,
  calledBy: 'chargePointId',
  rights: { owner: 'account', api: 'credential', see: 'see', change: 'administrator' },
  operations: {
    list: {},
    get: {},
    create: { describe: 'For one charge point, or for all of the account that have none of their own.' },
    change: { describe: 'For sessions that start from now on; sessions that run keep the version they started with.' },
    delete: { describe: 'Sessions that run keep it.' },
  },
  store: {
    list: (reads, accountId) => reads.listTariffs(accountId),
    get: (reads, accountId, id) => reads.findTariff(accountId, id),
    create: (writes, made: Tariff) => writes.createTariff(made),
    change: (writes, accountId, id, values: TariffRates, at) => writes.updateTariff(accountId, id, values, at),
    delete: ({ writes }, accountId, id, at) => writes.deleteTariff(accountId, id, at),
  },
  exists: (id) =>
    `${id === undefined ? 'The account' : `The charge point ${id}`} has a tariff already; change that one.`,
  pages: { narrow: ['perKwh'] },
  command: {
    does: 'what sessions cost, excluding VAT',
    list: 'list the tariffs of an account',
    set: 'set the tariff of the account, or of one charge point; rates that are left out stay as they are',
    examples: [
      'pilotwire tariff set --currency EUR --per-kwh 0.49',
      'pilotwire tariff set --charge-point EV-001 --currency EUR --per-kwh 0.59 --per-minute 0.02',
    ],
  },
})
