/** Partners over the API (OCPI-A1, OCPI-A8). */
import { z } from '@hono/zod-openapi'
import type { Api } from '../../api/api-parts.ts'
import { pageOf, recordPage, resource } from '../../api/resource.ts'
import { orNotFound, orRefused } from '../../api/respond.ts'
import type { PartnerOrders } from '../../application/partners/orders.ts'
import { listOf, pageQuery, time, typedText } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { OCPI_VERSIONS, type OcpiParty, type Partner, type PartnerExchange } from '../../domain/partners/records.ts'
import { NAME } from '../../domain/typed-text.ts'
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
    handle: async ({ principal: { accountId }, body }) =>
      shownParty(
        await orders.putParty({
          accountId,
          countryCode: body.countryCode.toUpperCase(),
          partyId: body.partyId.toUpperCase(),
          businessDetails: body.businessDetails,
        }),
      ),
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
    async handle({ principal: { accountId }, body: { name, url, token, roles = [] } }) {
      if (url !== undefined && token !== undefined) {
        return shownPartner(orRefused(await orders.register(accountId, { name, url, token })))
      }
      return shownInvited(orRefused(await orders.invite(accountId, name, roles)), api)
    },
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
    async handle({ partner }) {
      const done = orRefused(await orders.rotate(partner))
      return 'token' in done ? shownInvited(done, api) : shownPartner(done)
    },
  })
  one.get('/exchanges', 'listPartnerExchanges', 'List what was exchanged with a roaming partner, newest first', {
    description: 'Requests in both directions: bodies up to 16 KiB, tokens left out.',
    query: pageQuery,
    ok: [ExchangeListSchema, 'A page of exchanges'],
    handle: (request) =>
      pageOf<PartnerExchange>(api, request, {
        name: 'partner exchanges',
        bound: { partner: request.partner.partnerId },
        place: ({ exchangeId }) => [exchangeId],
        rows: (limit, last) => {
          const { accountId, partnerId } = request.partner
          const after = last && { accountId, partnerId, exchangeId: last[0] }
          return reads.listRecords('partner_exchanges', {
            where: { accountId, partnerId },
            newestFirst: true,
            limit,
            after,
          })
        },
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

function shownPartner(partner: Partner) {
  const { partnerId: id, name, state, version, versionsUrl, roles, hubPartyId, endpoints } = partner
  const { lastContactAt, tokensPulledAt, createdAt, updatedAt } = partner
  return {
    id,
    name,
    state,
    version,
    versionsUrl,
    roles,
    hubPartyId,
    endpoints,
    lastContactAt: lastContactAt === undefined ? undefined : isoTime(lastContactAt),
    tokensPulledAt: tokensPulledAt === undefined ? undefined : isoTime(tokensPulledAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}

/** With what the partner needs: our address and its token. */
function shownInvited({ partner, token }: { readonly partner: Partner; readonly token: string }, { settings }: Api) {
  return { ...shownPartner(partner), token, versionsUrl: versionsUrlOf(settings) }
}

function shownExchange(exchange: PartnerExchange): object {
  const { accountId: _, partnerId: __, exchangeId: id, at, ...rest } = exchange
  return { id, at: isoTime(at), ...rest }
}

const text = (most: number) => typedText({ most })
const businessDetails = z.strictObject({ name: text(100), website: z.url().max(255).optional() })
const partyMembers = {
  countryCode: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be two letters, as ISO 3166-1 has them')
    .openapi({ example: 'DE' }),
  partyId: z
    .string()
    .regex(/^[A-Za-z0-9]{3}$/, 'must be three letters or digits')
    .openapi({ example: 'PWR' }),
  businessDetails,
}
const PutPartySchema = z.strictObject(partyMembers).openapi('PutOcpiParty')
const PartySchema = z.strictObject({ ...partyMembers, updatedAt: time() }).openapi('OcpiParty')

const roles = z.array(z.strictObject({ role: z.string().max(36), ...partyMembers })).max(1000)
const name = typedText(NAME)

const PostPartnerSchema = z
  .strictObject({
    name,
    roles: roles.optional().openapi({ description: 'Parties that are expected; replaced by those that register.' }),
    url: z.url().max(2000).optional().openapi({ description: 'Of the partner’s versions.' }),
    token: z.string().min(1).max(64).optional().openapi({ description: 'Token A of the partner.' }),
  })
  .refine(({ url, token }) => (url === undefined) === (token === undefined), {
    path: ['token'],
    message: 'must stand beside `url`, or neither',
  })
  .openapi('PostPartner')

const PatchPartnerSchema = z
  .strictObject({ name: name.optional(), state: z.enum(['registered', 'suspended']).optional() })
  .openapi('PatchPartner')

const PartnerSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: z.enum(['invited', 'registered', 'suspended', 'removed']),
    token: z.string().optional().openapi({ description: 'Of an invitation, shown once.' }),
    version: z.enum(OCPI_VERSIONS).optional(),
    versionsUrl: z.string().optional().openapi({ description: 'Of the partner; beside `token` ours.' }),
    roles: z.array(z.object({ role: z.string(), countryCode: z.string(), partyId: z.string(), businessDetails })),
    hubPartyId: z.string().optional(),
    endpoints: z.array(
      z.strictObject({ identifier: z.string(), role: z.enum(['SENDER', 'RECEIVER']).optional(), url: z.string() }),
    ),
    lastContactAt: time().optional(),
    tokensPulledAt: time().optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Partner')

const PartnerListSchema = listOf('PartnerList', PartnerSchema)

const ExchangeSchema = z
  .strictObject({
    id: z.string(),
    at: time(),
    direction: z.enum(['in', 'out']),
    method: z.string(),
    url: z.string(),
    status: z.int().openapi({ description: 'Of HTTP; 0: there was no answer.' }),
    statusCode: z.int().optional().openapi({ description: 'Of OCPI.' }),
    request: z.string().optional(),
    response: z.string().optional(),
    durationMs: z.int(),
    attempt: z.int(),
  })
  .openapi('PartnerExchange')

const ExchangeListSchema = listOf('PartnerExchangeList', ExchangeSchema)

const ReplaySchema = z.strictObject({ fault: z.string().optional() }).openapi('PartnerReplay')
