/** Partners, as the API and the forms of the console take and show them (OCPI-A1, OCPI-A8). */
import { z } from '@hono/zod-openapi'
import { OCPI_VERSIONS, PARTNER_STATES } from '../../domain/partners/records.ts'
import { NAME } from '../../domain/typed-text.ts'
import { listOf, time, typedText } from '../schemas/common.ts'

const businessDetails = z.strictObject({ name: typedText({ most: 100 }), website: z.url().max(255).optional() })
const partyMembers = {
  countryCode: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be two letters')
    .toUpperCase()
    .openapi({ example: 'DE' }),
  partyId: z
    .string()
    .regex(/^[A-Za-z0-9]{3}$/, 'must be three letters or digits')
    .toUpperCase()
    .openapi({ example: 'PWR' }),
  businessDetails,
}
export const PutPartySchema = z.strictObject(partyMembers).openapi('PutOcpiParty')
export const PartySchema = z.strictObject({ ...partyMembers, updatedAt: time() }).openapi('OcpiParty')

const name = typedText(NAME)
const role = z.strictObject({ role: z.string().max(36), ...partyMembers })

export const PostPartnerSchema = z
  .strictObject({
    name,
    roles: z
      .array(z.union([z.string().max(36), role]))
      .max(1000)
      .optional()
      .openapi({
        description: 'Parties that are expected, or names of roles alone (`EMSP`); replaced by those that register.',
      }),
    url: z.url().max(2000).optional().openapi({ description: 'Of the partner’s versions.' }),
    token: z.string().min(1).max(64).optional().openapi({ description: 'Token A of the partner.' }),
  })
  .refine(({ url, token }) => (url === undefined) === (token === undefined), {
    path: ['token'],
    message: 'must stand beside `url`, or neither',
  })
  .openapi('PostPartner')
export type NewPartner = z.output<typeof PostPartnerSchema>

export const PatchPartnerSchema = z
  .strictObject({ name: name.optional(), state: z.enum(['registered', 'suspended']).optional() })
  .openapi('PatchPartner')

export const PartnerSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: z.enum(PARTNER_STATES),
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
export const PartnerListSchema = listOf('PartnerList', PartnerSchema)

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
export const ExchangeListSchema = listOf('PartnerExchangeList', ExchangeSchema)

export const ReplaySchema = z.strictObject({ fault: z.string().optional() }).openapi('PartnerReplay')
