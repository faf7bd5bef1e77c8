import { z } from '@hono/zod-openapi'
import { parsedJson } from '../../../domain/parsed-json.ts'
import { listOf, time, typedText } from '../../schemas/common.ts'

/** Of `name` there is no more than what a campaign needs (FIRMWARE-I5). */
const OWN = 'Absent for an application where the image is the account’s.'

export const FirmwareSchema = z
  .strictObject({
    id: z.string(),
    version: z.string(),
    models: z.array(z.string()).optional().openapi({ description: 'Absent: for every model.' }),
    fileName: z.string().optional().openapi({ description: OWN }),
    bytes: z.int().optional().openapi({ description: OWN }),
    sha256: z.string().optional().openapi({ description: OWN }),
    signed: z.boolean().openapi({ description: 'It has a certificate and a signature, which was checked.' }),
    certificate: z.string().optional(),
    signature: z.string().optional(),
    createdAt: time(),
  })
  .openapi('Firmware')

export const FirmwareListSchema = listOf('FirmwareList', FirmwareSchema)
export const firmwareParams = z.object({ firmwareId: z.string().max(100) })

export const trimmed = z
  .string()
  .trim()
  .pipe(typedText({ most: 50 }))
const modelList = z.array(trimmed).min(1).max(100)

export const firmwareFields = z.strictObject({
  version: trimmed,
  models: modelList.optional(),
  // Forms end lines with CR and LF, and tools break base64 into lines; charge points are sent neither.
  certificate: z
    .string()
    .transform((pem) => pem.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().min(1))
    .optional(),
  signature: z
    .string()
    .transform((base64) => base64.replaceAll(/\s/g, ''))
    .pipe(z.string().min(1))
    .optional(),
  sha256: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
})

export const FirmwareFormSchema = z
  .object({
    file: z.string().openapi({ format: 'binary' }),
    version: z.string().openapi({ description: 'As charge points report it once they run it.' }),
    models: z.array(z.string()).optional().openapi({ description: 'A list in JSON, with commas, or once for each.' }),
    certificate: z.string().optional().openapi({ description: 'PEM; together with the signature.' }),
    signature: z.string().optional().openapi({ description: 'Base64, over the SHA-256 of the file.' }),
    sha256: z.string().optional().openapi({ description: 'Hexadecimal; must be the file’s.' }),
  })
  .openapi('FirmwareForm')

/** `models` may come as one list in JSON, with commas, or once for each. */
export function fieldsOf(
  fields: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, unknown>> {
  const models = fields
    .filter(([name]) => name === 'models' || name === 'models[]')
    .flatMap(([, value]) => listed(value))
  const others = fields.filter(([name]) => name !== 'models' && name !== 'models[]')
  return { ...Object.fromEntries(others), ...(models.length > 0 && { models }) }
}

function listed(value: string): readonly unknown[] {
  const list = value.trim().startsWith('[') ? parsedJson(value) : undefined
  if (Array.isArray(list)) return list
  return value
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '')
}
