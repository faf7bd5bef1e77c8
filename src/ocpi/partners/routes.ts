/** Partners over the API (OCPI-A1, OCPI-A8). */
import { z } from '@hono/zod-openapi'
import type { Api } from '../../api/api-parts.ts'
import { recordPage, resource } from '../../api/resource.ts'
import { orNotFound, orRefused } from '../../api/respond.ts'
import type { Invited, PartnerOrders } from '../../application/partners/orders.ts'
import {
  ExchangeListSchema,
  PartnerListSchema,
  PartnerSchema,
  PartySchema,
  PatchPartnerSchema,
  PostPartnerSchema,
  PutPartySchema,
  ReplaySchema,
} from '../../application/partners/schemas.ts'
import { pageQuery } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { OcpiParty, Partner, PartnerExchange } from '../../domain/partners/records.ts'
import { versionsUrlOf } from './credentials-object.ts'

const TAG = 'Roaming partners'
const PATH = '/2/ocpi/partners'

export function addPartners(api: Api, orders: PartnerOrders): void {
  const { reads } = api
  const party = resource(api, { tag: TAG, path: '/2/ocpi/party' })
  party.get('', 'getOcpiParty', 'Get the party of the account', {
    ok: [PartySchema, 'The party'],
    handle: async ({ principal: { accountId } }) =>
      shownParty(orNotFound(await reads.getRecord('ocpi_parties', { accountId }), 'party')),
  })
  party.put('', 'putOcpiParty', 'Set the party of the account', {
    description:
      'As which partners know the account: country code and party id of its contract with the issuer of ids. Partners learn of a change when tokens are rotated.',
    body: PutPartySchema,
    ok: [PartySchema, 'The party as it is stored'],
    handle: async ({ principal: { accountId }, body }) => shownParty(await orders.putParty({ accountId, ...body })),
  })

  const all = resource(api, { tag: TAG, path: PATH })
  all.get('', 'listPartners', 'List roaming partners', {
    query: pageQuery,
    ok: [PartnerListSchema, 'A page of partners'],
    handle: (request) =>
      recordPage(api, request, { name: 'partners', kind: 'partners', show: (rows) => rows.map(shownPartner) }),
  })
  all.post('', 'createPartner', 'Invite a roaming partner, or register with one', {
    description:
      'Without `url`: the answer has `token`, once, with which the partner registers with us. With `url` and `token` of an invitation by the partner: we register with it. What was begun and got no answer goes on when the same is sent again.',
    body: PostPartnerSchema,
    idempotent: 'optional',
    auditSubject: ({ name }) => name,
    problems: [409, 422],
    created: [PartnerSchema, 'The partner; `token` once'],
    handle: async ({ principal: { accountId }, body }) => shownDone(orRefused(await orders.add(accountId, body)), api),
  })

  const one = resource(api, {
    tag: TAG,
    path: `${PATH}/{partner}`,
    params: z.object({ partner: z.string() }),
    find: async ({ principal: { accountId }, params: { partner: partnerId } }) => ({
      partner: orNotFound(await reads.getRecord('partners', { accountId, partnerId }), 'partner'),
    }),
  })
  one.get('', 'getPartner', 'Get a roaming partner', {
    ok: [PartnerSchema, 'The partner'],
    handle: async ({ partner }) => shownPartner(partner),
  })
  one.patch('', 'changePartner', 'Rename or suspend a roaming partner', {
    description: 'A suspended partner is refused (401) and not called; `registered` takes it up again.',
    body: PatchPartnerSchema,
    problems: [409],
    ok: [PartnerSchema, 'The partner as it is now'],
    handle: async ({ partner, body }) => shownPartner(orRefused(await orders.change(partner, body))),
  })
  one.delete('', 'deletePartner', 'Withdraw the credentials of a roaming partner', {
    description: 'Its tokens and ours end at once, and the partner is informed. It stays in the list, as `removed`.',
    done: 'Withdrawn',
    handle: ({ partner }) => orders.remove(partner),
  })
  one.post('/rotate', 'rotatePartnerTokens', 'Rotate the tokens of a roaming partner', {
    description:
      'Both tokens are renewed; the old ones hold until the new ones were used, and where it fails. Of an invited partner the answer has a new `token`; a registration without an answer goes on.',
    problems: [409, 422],
    ok: [PartnerSchema, 'The partner; `token` of an invitation once'],
    handle: async ({ partner }) => shownDone(orRefused(await orders.rotate(partner)), api),
  })
  one.get('/exchanges', 'listPartnerExchanges', 'List what was exchanged with a roaming partner, newest first', {
    description: 'Requests in both directions: bodies up to 16 KiB, tokens left out.',
    query: pageQuery,
    ok: [ExchangeListSchema, 'A page of exchanges'],
    handle: ({ partner: { accountId, partnerId }, ...request }) =>
      recordPage(api, request, {
        name: `exchanges of ${partnerId}`,
        kind: 'partner_exchanges',
        where: { accountId, partnerId },
        newestFirst: true,
        show: (rows) => rows.map(shownExchange),
      }),
  })
  one.post('/exchanges/{exchange}/replay', 'replayPartnerExchange', 'Send an exchange with a roaming partner again', {
    description: 'Of what we sent, no credentials. What comes of it is a new exchange.',
    params: z.object({ exchange: z.string() }),
    problems: [409],
    ok: [ReplaySchema, '`fault` is absent where the partner took it'],
    async handle({ partner, params: { exchange: exchangeId } }) {
      const { accountId, partnerId } = partner
      const found = await reads.getRecord('partner_exchanges', { accountId, partnerId, exchangeId })
      return orRefused(await orders.replay(partner, orNotFound(found, 'exchange')))
    },
  })
}

function shownParty({ accountId: _, updatedAt, ...party }: OcpiParty): object {
  return { ...party, updatedAt: isoTime(updatedAt) }
}

function shownPartner({ accountId: _, tokenHashes: __, sealedToken: ___, partnerId: id, ...partner }: Partner) {
  const { lastContactAt, tokensPulledAt, createdAt, updatedAt } = partner
  return {
    id,
    ...partner,
    lastContactAt: isoTime(lastContactAt),
    tokensPulledAt: isoTime(tokensPulledAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}

/** An invitation with what the partner needs: our address and its token. */
function shownDone(done: Partner | Invited, { settings }: Api) {
  if (!('token' in done)) return shownPartner(done)
  return { ...shownPartner(done.partner), token: done.token, versionsUrl: versionsUrlOf(settings) }
}

function shownExchange({ accountId: _, partnerId: __, exchangeId: id, at, ...rest }: PartnerExchange): object {
  return { id, at: isoTime(at), ...rest }
}
