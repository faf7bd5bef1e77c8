/** Receiver of Tokens (OCPI-A3): what partners push, and the same by pull (`token-pull.ts`). */
import { z } from '@hono/zod-openapi'
import type { OcpiVersion, Partner, PartnerToken } from '../../domain/partners/records.ts'
import { ciText, ocpiTime, openEnum, readFields, withoutNulls } from '../wire/fields.ts'
import {
  INVALID,
  missing,
  type OcpiAnswer,
  type OcpiModule,
  type OcpiRequest,
  refused,
  UNKNOWN_TOKEN,
} from '../wire/module.ts'
import { parseOcpiTime } from '../wire/times.ts'

const PATH = '/{country}/{party}/{uid}'
const DEFAULT_TYPE = 'RFID'

export const tokensModule: OcpiModule = {
  identifier: 'tokens',
  role: 'RECEIVER',
  routes: [
    { method: 'GET', path: PATH, handle: getToken },
    { method: 'PUT', path: PATH, handle: putToken },
    { method: 'PATCH', path: PATH, handle: patchToken },
  ],
}

async function getToken(request: OcpiRequest): Promise<OcpiAnswer> {
  const found = await findToken(request, typeOf(request) ?? DEFAULT_TYPE)
  return found ? { data: found.body } : missing(UNKNOWN_TOKEN, UNKNOWN)
}

async function putToken(request: OcpiRequest): Promise<OcpiAnswer> {
  const read = readToken(request.partner, request.version, request.body)
  if (!read.ok) return read.answer
  const fault = addressFault(request, read.token)
  if (fault) return refused(INVALID, fault)
  await request.context.writes.putRecords('partner_tokens', [read.token])
  return {}
}

/** Members that are not in it stay; none can be taken away. */
async function patchToken(request: OcpiRequest): Promise<OcpiAnswer> {
  const { body, partner, version, context } = request
  const patch = readFields(z.looseObject({ last_updated: ocpiTime }), body)
  if (!patch.ok) return patch.answer
  const found = await findToken(request, typeOf(request) ?? DEFAULT_TYPE)
  if (!found) return refused(UNKNOWN_TOKEN, UNKNOWN)
  const read = readToken(partner, version, { ...found.body, ...patch.value })
  if (!read.ok) return read.answer
  const fault = addressFault(request, read.token)
  if (fault) return refused(INVALID, fault)
  if (!isSame(read.token.type, found.type)) return refused(INVALID, 'type of a token cannot be changed.')
  await context.writes.putRecords('partner_tokens', [read.token])
  return {}
}

const UNKNOWN = 'This token is not known: send it with PUT. Its type is RFID unless ?type= names another.'

type ReadToken =
  | { readonly ok: true; readonly token: PartnerToken }
  | { readonly ok: false; readonly answer: OcpiAnswer }

/** A whole token of one of the partner's parties, as it is stored: unknown members included. */
export function readToken(partner: Partner, version: OcpiVersion, body: unknown): ReadToken {
  const read = readFields(SCHEMAS[version], body)
  if (!read.ok) return read
  const { country_code, party_id, uid, type, valid, whitelist, contract_id, last_updated } = read.value
  const { accountId, partnerId } = partner
  if (!hasParty(partner, country_code, party_id)) {
    const message = `country_code and party_id name ${country_code} ${party_id}, which is none of your parties: send your credentials with all of them.`
    return { ok: false, answer: refused(INVALID, message) }
  }
  return {
    ok: true,
    token: {
      accountId,
      partnerId,
      uid: uid.toLowerCase(),
      countryCode: country_code.toUpperCase(),
      partyId: party_id.toUpperCase(),
      type,
      valid,
      whitelist,
      contractId: contract_id,
      body: withoutNulls(body) as PartnerToken['body'],
      lastUpdated: parseOcpiTime(last_updated) ?? 0,
    },
  }
}

/** At 2.2.1 the parties of a hub come by HubClientInfo. */
export function hasParty({ roles, version }: Partner, countryCode: string, partyId: string): boolean {
  return roles.some(
    (one) =>
      (isSame(one.countryCode, countryCode) && isSame(one.partyId, partyId)) ||
      (version === '2.2.1' && one.role === 'HUB'),
  )
}

const TYPES = ['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID']

const schemaOf = (version: OcpiVersion) =>
  z.looseObject({
    country_code: z.string().length(2),
    party_id: z.string().length(3),
    uid: ciText(36),
    type: openEnum(version, TYPES),
    contract_id: ciText(36),
    visual_number: z.string().max(64).optional(),
    issuer: z.string().max(64),
    group_id: z.string().max(36).optional(),
    valid: z.boolean(),
    whitelist: z.enum(['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER']),
    language: z.string().length(2).optional(),
    default_profile_type: z.enum(['CHEAP', 'FAST', 'GREEN', 'REGULAR']).optional(),
    energy_contract: z
      .looseObject({ supplier_name: z.string().max(64), contract_id: z.string().max(64).nullish() })
      .optional(),
    last_updated: ocpiTime,
  })

const SCHEMAS = { '2.2.1': schemaOf('2.2.1'), '2.3.0': schemaOf('2.3.0') } satisfies Record<OcpiVersion, unknown>

function typeOf({ query }: OcpiRequest): string | undefined {
  return query.get('type') || undefined
}

/** The address names the same token as the body; without `?type=` the body says it. */
function addressFault(request: OcpiRequest, token: PartnerToken): string | undefined {
  const { country = '', party = '', uid = '' } = request.params
  if (!isSame(country, token.countryCode)) return 'country_code is not the one of the address.'
  if (!isSame(party, token.partyId)) return 'party_id is not the one of the address.'
  if (!isSame(uid, token.uid)) return 'uid is not the one of the address.'
  return isSame(typeOf(request) ?? token.type, token.type) ? undefined : 'type is not the one of the address.'
}

async function findToken({ context, partner, params }: OcpiRequest, type: string): Promise<PartnerToken | undefined> {
  const { country = '', party = '', uid = '' } = params
  const { accountId, partnerId } = partner
  return context.reads.getRecord('partner_tokens', {
    accountId,
    partnerId,
    uid: uid.toLowerCase(),
    countryCode: country.toUpperCase(),
    partyId: party.toUpperCase(),
    type,
  })
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
