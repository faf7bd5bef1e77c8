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
    create: {
      describe:
        'For one charge point, or for all of the account that have none of their own. With `elements` or a `name` an account has several: the one that was made first is its default.',
    },
    change: { describe: 'For sessions that start from now on; sessions that run keep the version they started with.' },
    replace: {
      describe: 'As a change, and what the request leaves out is gone: from `elements` to simple prices, for example.',
    },
    delete: { describe: 'Sessions that run keep it. Of several of the account the next one becomes the default.' },
  },
  store: {
    list: (reads, accountId) => reads.listTariffs(accountId),
    get: (reads, accountId, id) => reads.findTariff(accountId, id),
    create: (writes, made: Tariff) => writes.createTariff(made),
    change: (writes, accountId, id, values: TariffRates, at) => writes.updateTariff(accountId, id, values, at),
    replace: (writes, accountId, id, values: TariffRates, at) => writes.updateTariff(accountId, id, values, at, true),
    delete: ({ writes }, accountId, id, at) => writes.deleteTariff(accountId, id, at),
  },
  isTaken: async (reads, { accountId, ...row }) => {
    const { tariffId, chargePointId, name, elements } = row as Partial<Tariff>
    if (chargePointId !== undefined || name || elements) return false
    return (await reads.listTariffs(accountId)).some((one) => isOnlyOne(one) && one.tariffId !== tariffId)
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

/** One of the account that has neither name nor elements. */
function isOnlyOne({ chargePointId, name, elements }: Tariff): boolean {
  return chargePointId === undefined && !name && !elements
}
