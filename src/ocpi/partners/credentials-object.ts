/** The credentials object of OCPI, ours and a partner's, and the tokens in it (OCPI-A1). */
import { z } from '@hono/zod-openapi'
import { hashCredential, SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import type { OcpiParty, OcpiVersion, Partner } from '../../domain/partners/records.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import { ciText } from '../wire/fields.ts'
import type { Offered } from './endpoints.ts'

export function versionsUrlOf({ baseUrl }: { readonly baseUrl: string }): string {
  return `${baseUrl}/ocpi/versions`
}

export function credentialsOf(party: OcpiParty, token: string, settings: { readonly baseUrl: string }) {
  const { businessDetails, partyId, countryCode } = party
  return {
    token,
    url: versionsUrlOf(settings),
    roles: [{ role: 'CPO', business_details: businessDetails, party_id: partyId, country_code: countryCode }],
  }
}

const PREFIX = SECRET_PREFIXES.partnerToken
const SHAPE = new RegExp(`^${PREFIX}([0-9a-f]{16})_[A-Za-z0-9_-]{43}$`)
const ID_BYTES = 8
const SECRET_BYTES = 32

export function newPartnerId(random: (bytes: number) => Buffer): string {
  return random(ID_BYTES).toString('hex')
}

/** Names its partner: 64 characters, the most that OCPI allows. */
export function newToken(partnerId: string, random: (bytes: number) => Buffer) {
  const text = `${PREFIX}${partnerId}_${random(SECRET_BYTES).toString('base64url')}`
  return { text, hash: hashCredential(text) }
}

/**
 * `Token` and the token in base64, which some send with a line feed in it; others send it plain (ocpi#212).
 */
export function readAuthorization(header: string | undefined) {
  const value = /^Token +(\S+) *$/i.exec(header ?? '')?.[1]
  if (value === undefined) return undefined
  for (const text of [value, Buffer.from(value, 'base64').toString('latin1').trim()]) {
    const partnerId = SHAPE.exec(text)?.[1]
    if (partnerId !== undefined) return { text, partnerId, hash: hashCredential(text) }
  }
  return undefined
}

/** At 2.3.0 a hub is no role: it names itself in `hub_party_id`. */
const ROLES = ['CPO', 'EMSP', 'NAP', 'NSP', 'OTHER', 'SCSP']

const address = z
  .string()
  .max(2000)
  .refine((text) => urlFault(text) === undefined, 'must be an address with https')

/** @param version absent: of an answer to us, in which a role that we do not know is no reason to fail */
export function credentialsSchema(version?: OcpiVersion) {
  return z.looseObject({
    token: z.string().regex(/^[\x21-\x7e]{1,64}$/, 'must have 1 to 64 printable ASCII characters and no blanks'),
    url: address,
    hub_party_id: z.string().length(5).toUpperCase().optional(),
    roles: z
      .array(
        z.looseObject({
          role: version ? z.enum(version === '2.2.1' ? [...ROLES, 'HUB'] : ROLES) : ciText(36),
          business_details: z.looseObject({ name: ciText(100), website: z.string().max(2000).nullish() }),
          party_id: z.string().length(3).toUpperCase(),
          country_code: z.string().length(2).toUpperCase(),
        }),
      )
      .min(1)
      .max(1000),
  })
}

type Credentials = z.output<ReturnType<typeof credentialsSchema>>

/** What is kept of the credentials that the partner has sent or answered. */
export function asRegistered(
  partner: Partner,
  { token, url, hub_party_id: hubPartyId, roles }: Credentials,
  { version, endpoints }: Pick<Offered, 'version' | 'endpoints'>,
  sealed: SealedBox,
): Partner {
  return {
    ...partner,
    // An operator may have suspended it meanwhile.
    state: partner.state === 'suspended' ? 'suspended' : 'registered',
    sealedToken: sealed.seal(token, partner.partnerId),
    versionsUrl: url,
    version,
    endpoints,
    hubPartyId,
    roles: roles.map(({ role, business_details: { name, website }, party_id: partyId, country_code: countryCode }) => ({
      role,
      countryCode,
      partyId,
      businessDetails: { name, ...(website && { website }) },
    })),
  }
}
