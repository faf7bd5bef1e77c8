/** What a tariff comes to, beside what follows from its declaration (TARIFF-A3). */
import { z } from '@hono/zod-openapi'
import { publicPrice, quote } from '../../application/tariffs/quote.ts'
import { PublicPriceSchema, QuoteRequestSchema, QuoteSchema, showPriced } from '../../application/tariffs/schemas.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addTariffRoutes(api: Api): void {
  const tariffs = resource(api, { tag: 'Tariffs', path: '/2/tariffs' })
  tariffs.post('/quote', 'quoteTariff', 'Quote a charge', {
    description: 'What a charge would cost by the present version of a tariff.',
    body: QuoteRequestSchema,
    problems: [404],
    ok: [QuoteSchema, 'What it would cost'],
    handle: async ({ principal, body }) => showPriced(orRefused(await quote(api, principal.accountId, body))),
  })
  tariffs.get('/{tariffId}/public', 'getPublicPrice', 'Get a tariff as the public is to see it', {
    params: z.object({ tariffId: z.string() }),
    ok: [PublicPriceSchema, 'Its prices'],
    handle: async ({ principal, params }) => orRefused(await publicPrice(api, principal.accountId, params.tariffId)),
  })
}
