/** Firmware images: taken from a form with checksum and signature check, deleted (FIRMWARE-I1 to FIRMWARE-I3). */

import { z } from '@hono/zod-openapi'
import {
  certificateFault,
  imageFile,
  isSignatureOf,
  knowledgeOf,
  signatureFault,
} from '../../domain/firmware/images.ts'
import { type FirmwareImage, OPEN_STATES } from '../../domain/firmware/records.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFaults } from '../../domain/refuse.ts'
import { FileFault, isForm, readForm, refusalOfFile, safeFileName } from '../../files/multipart.ts'
import { bodyPieces, type Files, type KeptFile } from '../../files/store.ts'
import { check } from '../check-schema.ts'
import { noRoomFor, type UseCaseContext } from '../context.ts'
import { listOf, time, typedText } from '../schemas/common.ts'

export interface ImageContext extends Pick<UseCaseContext, 'reads' | 'writes' | 'random' | 'now' | 'after'> {
  readonly files: Files
}

type Fields = readonly (readonly [name: string, value: string])[]

interface Brought {
  readonly id: string
  readonly fileName: string
  readonly kept: KeptFile
}

interface PageForm {
  readonly mayKeep: (before: Fields) => void
  readonly counts: (name: string, value: string) => boolean
}

const OF_THE_API: PageForm = { mayKeep: () => undefined, counts: () => true }

export interface ImageOwner {
  readonly accountId: string
  readonly grantId?: string | undefined
}

/** Refuses what is no file or no form, with 400 and 422 what it says of the image. */
export async function takeImage(
  place: ImageContext,
  owner: ImageOwner,
  request: Request,
  { mayKeep, counts }: PageForm = OF_THE_API,
): Promise<FirmwareImage | Refusal> {
  const full = await noRoomFor('firmware_images', place.reads, owner.accountId)
  if (full) return { ...full, unread: true }
  const brought = await bring(place, request, mayKeep)
  if ('refused' in brought) return brought
  const { file } = brought
  const fields = brought.fields.filter(([name, value]) => counts(name, value))
  try {
    const image = await imageOf(place, owner, fields, file)
    if ('refused' in image) await place.files.remove(imageFile(file.id))
    else await place.writes.putRecords('firmware_images', [image])
    return image
  } catch (error) {
    await place.files.remove(imageFile(file.id))
    throw error
  }
}

/** Refuses with 409 while a campaign that is not over uses it, with 403 where its name alone is known. */
export async function deleteImage(
  { reads, writes, files }: ImageContext,
  { accountId, grantId }: ImageOwner,
  id: string,
): Promise<Refusal | undefined> {
  const image = await reads.getRecord('firmware_images', { accountId, id })
  if (!image || knowledgeOf(image, grantId) !== 'own') return noSuch('firmware')
  for (const state of OPEN_STATES) {
    const campaigns = await reads.listRecords('firmware_campaigns', { where: { accountId, state }, limit: 10_000 })
    if (campaigns.some(({ target }) => target.firmwareId === id)) {
      return refuse(409, 'firmware_in_use', `A campaign that is ${state} uses this firmware; cancel it first.`)
    }
  }
  await writes.removeRecords('firmware_images', [{ accountId, id }])
  await files.remove(imageFile(id))
  return undefined
}

async function bring(
  { files, random, after }: ImageContext,
  request: Request,
  mayKeep: (before: Fields) => void,
): Promise<{ readonly fields: Fields; readonly file: Brought } | Refusal> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!isForm(contentType)) {
    const detail = 'Send a form: content-type multipart/form-data with the parts file and version.'
    return { ...refuse(415, 'unsupported_media_type', detail), unread: true }
  }
  const id = `fw_${random(12).toString('hex')}`
  try {
    // The form's other parts need some room beside the file.
    if (Number(request.headers.get('content-length') ?? 0) > files.maxBytes + 1024 * 1024) {
      throw new FileFault('tooLarge', `A file may have at most ${files.maxBytes} bytes.`)
    }
    const { fields, file } = await readForm(
      bodyPieces(request.body, after),
      contentType,
      async (content, name, before) => {
        mayKeep(before)
        const kept = await files.keep(imageFile(id), content)
        return { id, fileName: safeFileName(name, 'firmware.bin'), kept }
      },
    )
    if (!file) throw new FileFault('malformed', 'The form holds no file.')
    if (file.kept.bytes === 0) throw new FileFault('malformed', 'The file is empty.')
    return { fields, file }
  } catch (error) {
    await files.remove(imageFile(id))
    if (error instanceof FileFault) return refusalOfFile(error)
    throw error
  }
}

async function imageOf(
  { files, now }: ImageContext,
  { accountId, grantId }: ImageOwner,
  fields: Fields,
  { id, fileName, kept }: Brought,
): Promise<FirmwareImage | Refusal> {
  const checked = check(firmwareFields, fieldsOf(fields))
  if (!checked.ok) return refuseFaults(checked.faults)
  const { version, models, certificate, signature, sha256 } = checked.value
  if (sha256 !== undefined && sha256 !== kept.sha256) {
    return unprocessable('checksum_differs', '/sha256', `differs from the file’s, which is ${kept.sha256}`)
  }
  const image: FirmwareImage = {
    accountId,
    id,
    version,
    models,
    fileName,
    ...kept,
    createdAt: now(),
    grantId,
  }
  if (certificate === undefined && signature === undefined) return image
  if (certificate === undefined) return unprocessable('certificate_invalid', '/certificate', 'is missing')
  if (signature === undefined) return unprocessable('signature_invalid', '/signature', 'is missing')
  const wrong = certificateFault(certificate, now())
  if (wrong !== undefined) return unprocessable('certificate_invalid', '/certificate', wrong)
  const misspelt = signatureFault(signature)
  if (misspelt !== undefined) return unprocessable('signature_invalid', '/signature', misspelt)
  if (!(await isSignatureOf(files.read(imageFile(id)), certificate, signature))) {
    return unprocessable('signature_invalid', '/signature', 'is not the certificate’s signature of this file')
  }
  return { ...image, certificate, signature }
}

function unprocessable(code: string, pointer: string, message: string): Refusal {
  const detail = `The firmware cannot be used: ${pointer.slice(1)} ${message}.`
  return { ...refuse(422, code, detail), errors: [{ pointer, code, message }] }
}

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
function fieldsOf(fields: readonly (readonly [name: string, value: string])[]): Readonly<Record<string, unknown>> {
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
