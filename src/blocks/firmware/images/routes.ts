/**
 * Firmware images: brought by a form, kept with their checksum, checked against their signature (FIRMWARE-I1 to
 * FIRMWARE-I3).
 */
import type { Context } from 'hono'
import { isoTime } from '../../../commands/row.ts'
import { bodyPieces } from '../../../files/body.ts'
import { FileFault } from '../../../files/file-fault.ts'
import { safeFileName } from '../../../files/file-name.ts'
import { isForm, readForm } from '../../../files/multipart.ts'
import type { Files, KeptFile } from '../../../files/store.ts'
import { needsScope } from '../../../http/access/access.ts'
import type { ApiEnv } from '../../../http/endpoint.ts'
import { CLOSING, problemOfFile } from '../../../http/file-answer.ts'
import { listPage, listQuery } from '../../../http/pages.ts'
import type { Api } from '../../../http/parts.ts'
import { notFound, Problem } from '../../../http/problem.ts'
import { validate } from '../../../http/requests/validation.ts'
import { json, noContent } from '../../../http/respond.ts'
import { json as described, located, PAGE_DEFAULT } from '../../../http/schemas/common.ts'
import type { FirmwareImage } from '../records.ts'
import { imageFile } from './image-file.ts'
import {
  FirmwareFormSchema,
  FirmwareListSchema,
  FirmwareSchema,
  fieldsOf,
  firmwareFields,
  firmwareParams,
  firmwareQuery,
} from './schemas.ts'
import { certificateFault, isSignatureOf, signatureFault } from './signature.ts'

const TAG = 'Firmware'
const PATH = '/2/firmware'
const FIRMWARE = needsScope('chargers:firmware')

interface Brought {
  readonly id: string
  readonly fileName: string
  readonly kept: KeptFile
}

export function addImages(api: Api, files: Files): void {
  addUpload(api, files)
  addReading(api)
  addDeletion(api, files)
}

function addUpload(api: Api, files: Files): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createFirmware',
    tag: TAG,
    summary: 'Add a firmware image',
    description:
      'multipart/form-data with `file`, `version`, and where they are known `models`, `certificate` (PEM), `signature` (base64) and `sha256`. The signature is checked; without one the image is sent unsigned.',
    access: FIRMWARE,
    form: FirmwareFormSchema,
    problems: [422],
    responses: { 201: located(FirmwareSchema, 'The image') },
    async handle({ principal, context }) {
      const { fields, file } = await bring(api, files, context)
      try {
        const image = await imageOf(api, files, principal.accountId, fields, file)
        await api.writes.putRecords('firmware_images', [image])
        return json(represent(image), 201, { location: `${PATH}/${image.id}` })
      } catch (error) {
        await files.remove(imageFile(file.id))
        throw error
      }
    },
  })
}

async function bring(
  api: Api,
  files: Files,
  { req }: Context<ApiEnv>,
): Promise<{ readonly fields: readonly (readonly [string, string])[]; readonly file: Brought }> {
  const contentType = req.header('content-type') ?? ''
  if (!isForm(contentType)) {
    const detail = 'Send a form: content-type multipart/form-data with the parts file and version.'
    throw new Problem(415, 'unsupported_media_type', detail, {
      headers: { ...CLOSING, 'accept-post': 'multipart/form-data' },
    })
  }
  const id = `fw_${api.random(12).toString('hex')}`
  try {
    // The form's other parts need some room beside the file.
    if (Number(req.header('content-length') ?? 0) > files.maxBytes + 1024 * 1024) {
      throw new FileFault('tooLarge', `A file may have at most ${files.maxBytes} bytes.`)
    }
    const { fields, file } = await readForm(
      bodyPieces(req.raw.body, api.after),
      contentType,
      async (content, name) => ({
        id,
        fileName: safeFileName(name, 'firmware.bin'),
        kept: await files.keep(imageFile(id), content),
      }),
    )
    if (!file) throw new FileFault('malformed', 'The form holds no file.')
    if (file.kept.bytes === 0) throw new FileFault('malformed', 'The file is empty.')
    return { fields, file }
  } catch (error) {
    await files.remove(imageFile(id))
    throw problemOfFile(error)
  }
}

async function imageOf(
  api: Api,
  files: Files,
  accountId: string,
  fields: readonly (readonly [string, string])[],
  { id, fileName, kept }: Brought,
): Promise<FirmwareImage> {
  const { version, models, certificate, signature, sha256 } = validate(firmwareFields, fieldsOf(fields))
  if (sha256 !== undefined && sha256 !== kept.sha256) {
    throw unprocessable('checksum_differs', '/sha256', `differs from the file’s, which is ${kept.sha256}`)
  }
  const image = { accountId, id, version, ...(models && { models }), fileName, ...kept, createdAt: api.now() }
  if (certificate === undefined && signature === undefined) return image
  if (certificate === undefined) throw unprocessable('certificate_invalid', '/certificate', 'is missing')
  if (signature === undefined) throw unprocessable('signature_invalid', '/signature', 'is missing')
  const wrong = certificateFault(certificate, api.now())
  if (wrong !== undefined) throw unprocessable('certificate_invalid', '/certificate', wrong)
  const misspelt = signatureFault(signature)
  if (misspelt !== undefined) throw unprocessable('signature_invalid', '/signature', misspelt)
  if (!(await isSignatureOf(files.read(imageFile(id)), certificate, signature))) {
    throw unprocessable('signature_invalid', '/signature', 'is not the certificate’s signature of this file')
  }
  return { ...image, certificate, signature }
}

function unprocessable(code: string, pointer: string, message: string): Problem {
  const detail = `The firmware cannot be used: ${pointer.slice(1)} ${message}.`
  return new Problem(422, code, detail, { errors: [{ pointer, code, message }] })
}

function addReading({ endpoints, reads, ...api }: Api): void {
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listFirmware',
    tag: TAG,
    summary: 'Firmware images of the account',
    access: FIRMWARE,
    query: firmwareQuery,
    responses: { 200: described(FirmwareListSchema, 'A page of images, by id') },
    async handle({ principal, query }) {
      const { accountId } = principal
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery('firmware', principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, (count, id) =>
        reads.listRecords('firmware_images', {
          where: { accountId },
          limit: count,
          ...(id !== undefined && { after: { accountId, id } }),
        }),
      )
      return json({ data: rows.map(represent), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{firmwareId}`,
    operationId: 'getFirmware',
    tag: TAG,
    summary: 'One firmware image',
    access: FIRMWARE,
    params: firmwareParams,
    responses: { 200: described(FirmwareSchema, 'The image') },
    async handle({ principal: { accountId }, params: { firmwareId: id } }) {
      const image = await reads.getRecord('firmware_images', { accountId, id })
      if (!image) throw notFound('firmware')
      return json(represent(image))
    },
  })
}

function addDeletion({ endpoints, reads, writes }: Api, files: Files): void {
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{firmwareId}`,
    operationId: 'deleteFirmware',
    tag: TAG,
    summary: 'Delete a firmware image',
    description: 'Refused while a campaign that is not over uses it.',
    access: FIRMWARE,
    params: firmwareParams,
    problems: [409],
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal: { accountId }, params: { firmwareId: id } }) {
      if (!(await reads.getRecord('firmware_images', { accountId, id }))) throw notFound('firmware')
      for (const state of ['draft', 'running', 'paused', 'stopped'] as const) {
        const campaigns = await reads.listRecords('firmware_campaigns', { where: { state }, limit: 10_000 })
        if (campaigns.some((campaign) => campaign.accountId === accountId && campaign.target.firmwareId === id)) {
          throw new Problem(409, 'firmware_in_use', `A campaign that is ${state} uses this firmware; cancel it first.`)
        }
      }
      await writes.removeRecords('firmware_images', [{ accountId, id }])
      await files.remove(imageFile(id))
      return noContent()
    },
  })
}

function represent(image: FirmwareImage): object {
  const { id, version, models, fileName, bytes, sha256, certificate, signature, createdAt } = image
  return {
    id,
    version,
    models,
    fileName,
    bytes,
    sha256,
    signed: signature !== undefined,
    certificate,
    signature,
    createdAt: isoTime(createdAt),
  }
}
