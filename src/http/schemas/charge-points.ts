/** Charge points, which the API calls EVSE controllers: their registration and what they told us. */
import { z } from '@hono/zod-openapi'
import { cursorParameter, limitParameter, listOf, time } from './common.ts'

/** Profile 3 (client certificates) cannot be registered: the endpoint does not offer it. */
const securityProfile = z
  .union([z.literal(0), z.literal(1), z.literal(2)])
  .openapi({ description: '0: no password. 1: password. 2: password over TLS.' })
const protocols = z
  .array(z.enum(['ocpp1.6', 'ocpp2.0.1']))
  .min(1)
  .max(2)
const validation = z.enum(['strict', 'lenient', 'off'])
const registrationStatus = z.enum(['Accepted', 'Pending', 'Rejected'])
const name = z.string().min(1).max(200)
/** Its rule is checked apart, with words of its own. */
const password = z.string().openapi({
  minLength: 16,
  maxLength: 40,
  description: '16 to 40 characters; of 32 to 40 hexadecimal digits the decoded bytes are accepted too.',
})

export const ConnectorSchema = z
  .strictObject({
    evseId: z.int().optional(),
    connectorId: z.int(),
    status: z.string(),
    errorCode: z.string().optional(),
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
  securityProfile: z.int(),
  protocols: z.array(z.string()).optional(),
  validation: validation.optional(),
  disabled: z.literal(true).optional(),
}

export const ChargePointSchema = z.strictObject(attributes).openapi('EvseController')

export const CreatedChargePointSchema = z
  .strictObject({
    ...attributes,
    password: z.string().optional().openapi({ description: 'Only when it was generated, and only here.' }),
  })
  .openapi('CreatedEvseController')

export const ChargePointListSchema = listOf('EvseControllerList', ChargePointSchema)

export const CreateChargePointSchema = z
  .strictObject({
    id: z.string().min(1).max(255),
    password: password.optional(),
    securityProfile: securityProfile.optional(),
    protocols: protocols.optional(),
    name: name.optional(),
    validation: validation.optional(),
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
  })
  .openapi('ChangeEvseController')

export const chargePointParams = z.object({ evseController: z.string() })
export const chargePointQuery = z.strictObject({ limit: limitParameter, cursor: cursorParameter })
