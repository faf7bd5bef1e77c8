/** Sender of Tariffs (OCPI-A2): all of the account, in pages. */
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { tariffIn } from '../objects/tariff.ts'
import type { OcpiModule } from '../wire/module.ts'
import { pageOf, type Span } from '../wire/pages.ts'

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
        return pageOf<Tariff>(request, {
          count: async (span) => within(tariffs, span).length,
          rows: async (span, limit, after) => tariffsBehind(within(tariffs, span), limit, after),
          id: ({ tariffId }) => tariffId,
          show: (shown) => shown.map((tariff) => tariffIn(version, tariff, tariff.updatedAt, party)),
        })
      },
    },
  ],
}

function within(tariffs: readonly Tariff[], { from = 0, below = Number.POSITIVE_INFINITY }: Span): readonly Tariff[] {
  return tariffs.filter(({ updatedAt }) => updatedAt >= from && updatedAt < below)
}

/** In the order of their ids. */
function tariffsBehind(tariffs: readonly Tariff[], limit: number, after = ''): readonly Tariff[] {
  return tariffs
    .filter(({ tariffId }) => tariffId > after)
    .sort((a, b) => (a.tariffId < b.tariffId ? -1 : 1))
    .slice(0, limit)
}
