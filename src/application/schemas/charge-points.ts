import { z } from '@hono/zod-openapi'
import { DESCRIPTION, NAME } from '../../domain/typed-text.ts'
import { IDENTITY_LIMIT } from '../../ocpp/identity.ts'
import { PROTOCOLS } from '../../ocpp/versions.ts'
import { CONNECTOR_STATUSES } from '../charge-points/find.ts'
import { labelFault, MAX_LABELS, readLabel } from '../charge-points/register.ts'
import { listOf, pageParameters, prioritySchema, queryInteger, time, typedText } from './common.ts'

const securityProfile = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
  .openapi({ description: '0: no password. 1: password. 2: password over TLS. 3: client certificate over TLS.' })
const protocols = z.array(z.enum(PROTOCOLS)).min(1).max(PROTOCOLS.length)
const validation = z.enum(['strict', 'lenient', 'off'])
const registrationStatus = z.enum(['Accepted', 'Pending', 'Rejected'])
const subjectCheck = z.enum(['contains', 'exact', 'off']).openapi({
  description:
    'What the common name of its certificate must say of its serial number; contains unless given. off: its organization is not looked at either.',
})
const expectedSerialNumber = typedText({ most: 64 }).openapi({
  description:
    'What the common name of its certificate must say until it has booted; without it that must be its identity, unless the certificate was made for it here.',
})
const name = typedText(NAME)
const password = z.string().openapi({
  minLength: 16,
  maxLength: 40,
  description: '16 to 40 characters; of 32 to 40 hexadecimal digits the decoded bytes are accepted too.',
})

type LabelValue = z.ZodString | z.ZodNullable<z.ZodString>

/** @param value of one: `null`, where it may be, removes it */
export const labelsSchema = <Value extends LabelValue>(value: Value) =>
  z.record(z.string(), value).superRefine((sent, context) => {
    for (const [key, text] of Object.entries<string | null>(sent)) {
      const fault = labelFault(key, text)
      if (fault) context.addIssue({ code: 'custom', path: [key], params: { code: fault.code }, message: fault.message })
    }
  })

const labels = <Value extends LabelValue>(value: Value) =>
  labelsSchema(value).openapi({
    description: `Keys of 1 to 63 of a-z, 0-9, "_", "." and "-", values of up to 255 characters, ${MAX_LABELS} of them at most. Others stay as they are.`,
    example: { site: 'North' },
  })

const wired = {
  phaseRotation: z
    .string()
    .regex(/^(NotApplicable|Unknown|RST|RTS|SRT|STR|TRS|TSR|[RST])$/, 'must be RST in some order, or one of the three')
    .optional()
    .openapi({ description: 'Which phase of the connection feeds L1, L2 and L3.', example: 'STR' }),
  phases: z.int().min(1).max(3).optional(),
  maxAmps: z.number().min(0).max(10_000).optional(),
}
const wiring = z.strictObject({
  evseId: z.int().min(1).max(999).optional(),
  connectorId: z.int().min(1).max(999),
  ...wired,
})

const wirings = z
  .array(wiring)
  .max(100)
  .superRefine((connectors, context) => {
    const seen = new Set<string>()
    for (const [at, { evseId, connectorId }] of connectors.entries()) {
      const name = `${evseId ?? connectorId} ${connectorId}`
      if (seen.has(name)) {
        const params = { code: 'duplicate_key' }
        context.addIssue({ code: 'custom', path: [at, 'connectorId'], params, message: 'is wired twice' })
      }
      seen.add(name)
    }
  })

export const ConnectorSchema = z
  .strictObject({
    evseId: z.int().optional(),
    connectorId: z.int(),
    status: z.string(),
    errorCode: z.string().optional(),
    ...wired,
    updatedAt: time(),
  })
  .openapi('Connector')

const attributes = {
  id: z.string().openapi({ description: 'The OCPP identity.' }),
  name: z.string().optional(),
  protocol: z.string().optional(),
  online: z.boolean(),
  lastSeenAt: time().optional(),
  registrationStatus,
  vendor: z.string().optional(),
  model: z.string().optional(),
  serialNumber: z.string().optional(),
  firmwareVersion: z.string().optional(),
  connectors: z.array(ConnectorSchema),
  labels: z
    .record(z.string(), z.string())
    .optional()
    .openapi({ description: 'The account’s own words for it, by key.', example: { site: 'North' } }),
  securityProfile: z.int(),
  protocols: z.array(z.string()).optional(),
  validation: validation.optional(),
  disabled: z.literal(true).optional(),
  acceptExpired: z
    .literal(true)
    .optional()
    .openapi({ description: 'Its certificate is taken after its end, so that it can ask for a new one.' }),
  subjectCheck: subjectCheck.optional(),
  expectedSerialNumber: expectedSerialNumber.optional(),
  priority: prioritySchema.optional(),
}

export const ChargePointSchema = z.strictObject(attributes).openapi('EvseController')

export const ChangedChargePointSchema = z
  .strictObject({
    ...attributes,
    warning: z.string().optional().openapi({ description: 'What the change does not do by itself.' }),
  })
  .openapi('ChangedEvseController')

export const CreatedChargePointSchema = z
  .strictObject({
    ...attributes,
    password: z.string().optional().openapi({ description: 'Only when it was generated, and only here.' }),
  })
  .openapi('CreatedEvseController')

export const ChargePointListSchema = listOf('EvseControllerList', ChargePointSchema)

export const CreateChargePointSchema = z
  .strictObject({
    // Its faults are those of an identity that connects (registrationFaults).
    id: z.string().openapi({ minLength: 1, maxLength: IDENTITY_LIMIT }),
    password: password.optional(),
    securityProfile: securityProfile.optional(),
    protocols: protocols.optional(),
    name: name.optional(),
    validation: validation.optional(),
    labels: labels(z.string()).optional(),
    expectedSerialNumber: expectedSerialNumber.optional(),
  })
  .openapi('CreateEvseController')

export const ChangeChargePointSchema = z
  .strictObject({
    name: name.nullable().optional(),
    password: password.nullable().optional().openapi({ description: 'null removes it (security profile 0 only).' }),
    securityProfile: securityProfile.optional(),
    protocols: protocols.nullable().optional(),
    validation: validation.nullable().optional(),
    registrationStatus: registrationStatus
      .optional()
      .openapi({ description: 'Accepted approves a pending one, together with its password.' }),
    disabled: z.boolean().optional(),
    labels: labels(z.string().nullable()).optional(),
    acceptExpired: z.boolean().optional(),
    subjectCheck: subjectCheck.optional(),
    expectedSerialNumber: expectedSerialNumber.nullable().optional(),
    connectors: wirings.optional().openapi({ description: 'How they are wired; replaces what was said.' }),
    priority: prioritySchema.optional(),
  })
  .openapi('ChangeEvseController')

export const chargePointParams = z.object({ evseController: z.string() })
const MAX_TEXT_LENGTH = 255
const exactly = (what: string) =>
  z
    .string()
    .max(MAX_TEXT_LENGTH)
    .optional()
    .openapi({ description: `Exactly this ${what}.` })

const label = z
  .string()
  .transform((text, context) => {
    const read = readLabel(text)
    if (read) return read
    const message = 'must be key:value, such as site:North, with a key of 1 to 63 of a-z, 0-9, "_", "." and "-"'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .openapi({ type: 'string' })

export const labelParameter = z
  .array(label)
  .optional()
  .openapi({ description: 'key:value; repeated: all of them.', example: ['site:North'] })

/** Filters all hold; a repeated `status` is any of them, a repeated `label` all of them. */
export const chargePointQuery = z.strictObject({
  label: labelParameter,
  site: exactly('label `site`'),
  online: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .openapi({ type: 'string', enum: ['true', 'false'] }),
  status: z
    .array(z.enum(CONNECTOR_STATUSES))
    .optional()
    .openapi({ description: 'Of any connector; repeated: any of them.', example: ['Faulted'] }),
  vendor: exactly('vendor'),
  model: exactly('model'),
  firmwareVersion: exactly('firmware version'),
  securityProfile: queryInteger(0, 3, 'Registered with this one.').optional(),
  q: z
    .string()
    .max(MAX_TEXT_LENGTH)
    .optional()
    .openapi({ description: 'Part of id, name or serial number, upper and lower case alike.' }),
  sort: z.enum(['id', 'lastSeenAt', 'name']).optional().openapi({ description: '`id` unless given.' }),
  order: z.enum(['asc', 'desc']).optional().openapi({ description: '`asc` unless given.' }),
  ...pageParameters,
})

const MAX_IDS = 10_000
const text = typedText(DESCRIPTION)

const ids = z.array(text).min(1).max(MAX_IDS).optional()

/** The selector of configurations, campaigns and alert rules (CONFIG-A2). */
export const SelectorSchema = z
  .strictObject({
    ids,
    labels: labelsSchema(z.string()).optional(),
    vendor: text.optional(),
    model: text.optional(),
    firmwareVersion: text.optional(),
    not: z
      .strictObject({ ids, labels: labelsSchema(z.string()).optional() })
      .optional()
      .openapi({
        description: 'Charge points to leave out, by id or by label.',
      }),
  })
  .openapi('Selector', {
    description: 'Which charge points are meant: all that is given must hold. {}: all of the account.',
  })
