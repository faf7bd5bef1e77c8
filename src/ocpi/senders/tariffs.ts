/** Sender of Tariffs (OCPI-A2): all of the account, in pages. */
import { tariffIn } from '../objects/tariff.ts'
import type { OcpiModule } from '../wire/module.ts'
import { pageOf } from '../wire/pages.ts'
import { listed } from './listed.ts'

export const tariffsModule: OcpiModule = {
  identifier: 'tariffs',
  role: 'SENDER',
  routes: [
    {
      method: 'GET',
      path: '',
      async handle(request) {
        const { context, version, party } = request
        const tariffs = await context.reads.listTariffs(party.accountId)
        return pageOf(request, {
          ...listed(tariffs, 'updatedAt', 'tariffId'),
          show: (shown) => shown.map((tariff) => tariffIn(version, tariff, tariff.updatedAt, party)),
        })
      },
    },
  ],
}
