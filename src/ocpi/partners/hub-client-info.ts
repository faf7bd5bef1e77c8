/** Receiver of HubClientInfo (OCPI-A6): what a hub says of the parties behind it is kept and given back. */
import { z } from '@hono/zod-openapi'
import { ocpiTime, openEnum, readFields, withoutNulls } from '../wire/fields.ts'
import {
  INVALID,
  missing,
  type OcpiAnswer,
  type OcpiModule,
  type OcpiRequest,
  receiver,
  refused,
} from '../wire/module.ts'
import { parseOcpiTime } from '../wire/times.ts'

export const hubClientInfoModule: OcpiModule = {
  ...receiver('hubclientinfo', '/{country}/{party}', { GET: getClient, PUT: putClient }),
  isConfiguration: true,
}

const ROLES = ['CPO', 'EMSP', 'HUB', 'NAP', 'NSP', 'OTHER', 'SCSP']

async function getClient(request: OcpiRequest): Promise<OcpiAnswer> {
  const found = await request.context.reads.getRecord('hub_clients', keyOf(request))
  return found ? { data: found.body } : missing(INVALID, 'Nothing was heard of this party: send it with PUT.')
}

async function putClient(request: OcpiRequest): Promise<OcpiAnswer> {
  const schema = z.looseObject({
    country_code: z.string().length(2),
    party_id: z.string().length(3),
    role: openEnum(request.version, ROLES),
    status: z.enum(['CONNECTED', 'OFFLINE', 'PLANNED', 'SUSPENDED']),
    last_updated: ocpiTime,
  })
  const read = readFields(schema, request.body)
  if (!read.ok) return read.answer
  const { country_code, party_id, last_updated } = read.value
  const key = keyOf(request)
  if (country_code.toUpperCase() !== key.countryCode) return refused(INVALID, 'country_code is not the address’s.')
  if (party_id.toUpperCase() !== key.partyId) return refused(INVALID, 'party_id is not the address’s.')
  const body = withoutNulls(request.body) as Readonly<Record<string, unknown>>
  const put = { ...key, body, lastUpdated: parseOcpiTime(last_updated) ?? 0 }
  await request.context.writes.putRecords('hub_clients', [put])
  return {}
}

function keyOf({ partner: { accountId, partnerId }, params: { country = '', party = '' } }: OcpiRequest) {
  return { accountId, partnerId, countryCode: country.toUpperCase(), partyId: party.toUpperCase() }
}
