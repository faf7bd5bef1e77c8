/** Receiver of Tokens (OCPI-A3): what partners push, and the same by pull (`token-pull.ts`). */
import { z } from '@hono/zod-openapi'
import type { OcpiVersion, Partner, PartnerToken } from '../../domain/partners/records.ts'
import { ciText, ocpiTime, openEnum, readFields, withoutNulls } from '../wire/fields.ts'
import {
  INVALID,
  missing,
  type OcpiAnswer,
  type OcpiRequest,
  receiver,
  refused,
  UNKNOWN_TOKEN,
} from '../wire/module.ts'
import { parseOcpiTime } from '../wire/times.ts'

const DEFAULT_TYPE = 'RFID'

export const tokensModule = receiver('tokens', '/{country}/{party}/{uid}', {
  GET: getToken,
  PUT: putToken,
  PATCH: patchToken,
})

async function getToken(request: OcpiRequest): Promise<OcpiAnswer> {
  const found = await findToken(request)
  return found ? { data: found.body } : missing(UNKNOWN_TOKEN, UNKNOWN)
}

/** Without `?type=` the body says it. */
function putToken(request: OcpiRequest): Promise<OcpiAnswer> {
  return storeToken(request, request.body, request.query.get('type') || undefined)
}

/** Members that are not in it stay; none can be taken away. */
async function patchToken(request: OcpiRequest): Promise<OcpiAnswer> {
  const patch = readFields(z.looseObject({ last_updated: ocpiTime }), request.body)
  if (!patch.ok) return patch.answer
  const found = await findToken(request)
  if (!found) return refused(UNKNOWN_TOKEN, UNKNOWN)
  return storeToken(request, { ...found.body, ...patch.value }, found.type)
}

const UNKNOWN = 'This token is not known: send it with PUT. Its type is RFID unless ?type= names another.'
const NAMES = { country_code: 'countryCode', party_id: 'partyId', uid: 'uid', type: 'type' } as const

async function storeToken(request: OcpiRequest, body: unknown, type: string | undefined): Promise<OcpiAnswer> {
  const read = readToken(request.partner, request.version, body)
  if (!read.ok) return read.answer
  const { token } = read
  const named = keyIn(request, type ?? token.type)
  const wrong = Object.entries(NAMES).find(([, member]) => named[member] !== token[member])
  if (wrong) return refused(INVALID, `${wrong[0]} is not the one of the address.`)
  await request.context.writes.putRecords('partner_tokens', [token])
  return {}
}

function findToken(request: OcpiRequest): Promise<PartnerToken | undefined> {
  return request.context.reads.getRecord('partner_tokens', keyIn(request, request.query.get('type') || DEFAULT_TYPE))
}

function keyIn({ partner: { accountId, partnerId }, params }: OcpiRequest, type: string) {
  const { country = '', party = '', uid = '' } = params
  const [countryCode, partyId] = [country.toUpperCase(), party.toUpperCase()]
  return { accountId, partnerId, uid: uid.toLowerCase(), countryCode, partyId, type }
}

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
      countryCode: country_code,
      partyId: party_id,
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
function hasParty({ roles, version }: Partner, countryCode: string, partyId: string): boolean {
  return roles.some(
    (one) =>
      (one.countryCode === countryCode && one.partyId === partyId) || (version === '2.2.1' && one.role === 'HUB'),
  )
}

const TYPES = ['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID']

const schemaOf = (version: OcpiVersion) =>
  z.looseObject({
    country_code: z.string().length(2).toUpperCase(),
    party_id: z.string().length(3).toUpperCase(),
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

const SCHEMAS = { '2.2.1': schemaOf('2.2.1'), '2.3.0': schemaOf('2.3.0') } as const
