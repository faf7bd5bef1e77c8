/** Firmware images: taken from a form with checksum and signature check, deleted (FIRMWARE-I1 to FIRMWARE-I3). */

import { certificateFault, isSignatureOf, signatureFault } from '../../domain/firmware/images/image-signature.ts'
import { imageFile, knowledgeOf } from '../../domain/firmware/images/visible.ts'
import { type FirmwareImage, OPEN_STATES } from '../../domain/firmware/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch, refuse, refuseFaults } from '../../domain/refuse.ts'
import { bodyPieces } from '../../files/body.ts'
import { FileFault, refusalOfFile } from '../../files/file-fault.ts'
import { safeFileName } from '../../files/file-name.ts'
import { isForm, readForm } from '../../files/multipart.ts'
import type { Files, KeptFile } from '../../files/store.ts'
import { noRoomFor } from '../account-limits.ts'
import { check } from '../check-schema.ts'
import type { UseCaseContext } from '../context.ts'
import { fieldsOf, firmwareFields } from './images/schemas.ts'

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
