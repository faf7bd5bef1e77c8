/** Asks a partner about a token while a driver waits (OCPI-A10). */
import { z } from '@hono/zod-openapi'
import { overlap } from '../../domain/locations/rules.ts'
import type { PartnerQuestion, PartnerVerdict } from '../../domain/partners/records.ts'
import type { AskPartner } from '../../domain/ports/core.ts'
import { ciText, readFields } from '../wire/fields.ts'
import { type OcpiContext, UNKNOWN_TOKEN } from '../wire/module.ts'
import type { Called } from './client.ts'
import { endpointUrl } from './endpoints.ts'

const LIMIT_MS = 4_000
const MAX_EVSES = 1000
const UNKNOWN: PartnerVerdict = { allowed: 'unknown' }

type Asked = Parameters<AskPartner>[0]

interface Place {
  readonly location_id: string
  readonly evse_uids: readonly string[]
}

/** Never rejects. */
export async function authorize(
  context: Pick<OcpiContext, 'reads' | 'client' | 'now' | 'log'>,
  question: Asked,
): Promise<PartnerVerdict> {
  const { reads, client, now, log } = context
  const { accountId, partnerId, countryCode, partyId, uid, type } = question
  const began = now()
  try {
    const [partner, party, place] = await Promise.all([
      reads.getRecord('partners', { accountId, partnerId }),
      reads.getRecord('ocpi_parties', { accountId }),
      placeOf(context, question),
    ])
    const tokens = partner && endpointUrl(partner, 'tokens', 'SENDER')
    if (partner?.state !== 'registered' || !party || tokens === undefined) return UNKNOWN
    const query = type === 'RFID' ? '' : `?type=${encodeURIComponent(type)}`
    const called = await client.call(partner, {
      method: 'POST',
      url: `${tokens}/${encodeURIComponent(uid)}/authorize${query}`,
      body: place,
      routing: { from: party, to: { countryCode, partyId } },
      timeoutMs: Math.max(1, LIMIT_MS - Math.max(0, now() - began)),
    })
    return verdictOf(called, question, place)
  } catch (error) {
    log.error({ partner: partnerId, error: error instanceof Error ? error.message : String(error) }, 'not asked')
    return UNKNOWN
  }
}

/** Our location with its EVSEs at this charge point; some partners refuse without (2002). */
async function placeOf(
  { reads }: Pick<OcpiContext, 'reads'>,
  { chargePointId, ocppEvseId }: Asked,
): Promise<Place | undefined> {
  const all = await reads.listRecords('location_evses', { where: { chargePointId }, limit: MAX_EVSES })
  const here = all.filter((one) => overlap(one, { ocppEvseId }))
  const [first] = here
  if (!first) return undefined
  const evses = here.filter(({ locationId }) => locationId === first.locationId)
  return { location_id: first.locationId, evse_uids: evses.map(({ uid }) => uid) }
}

const Answer = z.looseObject({
  allowed: z.enum(['ALLOWED', 'BLOCKED', 'EXPIRED', 'NO_CREDIT', 'NOT_ALLOWED']),
  token: z.looseObject({ uid: ciText(36), contract_id: ciText(36).optional(), group_id: z.string().max(36).nullish() }),
  location: z.looseObject({ location_id: ciText(36), evse_uids: z.array(z.string()).nullish() }).optional(),
  authorization_reference: ciText(36).optional(),
})

const REFUSED = { BLOCKED: 'Blocked', EXPIRED: 'Expired', NO_CREDIT: 'NoCredit', NOT_ALLOWED: 'Invalid' } as const

export function verdictOf(called: Called, question: PartnerQuestion, place: Place | undefined): PartnerVerdict {
  if (!called.ok) return called.code === UNKNOWN_TOKEN ? { allowed: 'no', status: 'Unknown' } : UNKNOWN
  const read = readFields(Answer, called.data)
  if (!read.ok || !isSame(read.value.token.uid, question.uid)) return UNKNOWN
  const { allowed, token, location, authorization_reference: reference } = read.value
  if (allowed !== 'ALLOWED') return { allowed: 'no', status: REFUSED[allowed] }
  if (place && location && !includes(location, place)) return { allowed: 'no', status: 'Invalid' }
  const { partnerId, countryCode, partyId, uid, type, contractId = uid } = question
  const authorizationReference = reference === undefined ? {} : { authorizationReference: reference }
  return {
    allowed: 'yes',
    groupId: token.group_id || undefined,
    partner: {
      partnerId,
      countryCode,
      partyId,
      uid,
      type,
      contractId: token.contract_id ?? contractId,
      authMethod: 'AUTH_REQUEST',
      ...authorizationReference,
    },
  }
}

type Where = NonNullable<z.output<typeof Answer>['location']>

function includes({ location_id, evse_uids }: Where, place: Place): boolean {
  if (!isSame(location_id, place.location_id)) return false
  return !evse_uids || place.evse_uids.some((uid) => evse_uids.some((one) => isSame(one, uid)))
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
