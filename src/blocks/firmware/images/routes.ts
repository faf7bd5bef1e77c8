/** Firmware images over the API: brought by a form, listed, deleted (FIRMWARE-I1 to FIRMWARE-I3). */
import { isoTime } from '../../../commands/shown-command.ts'
import type { Files } from '../../../files/store.ts'
import { needsScope } from '../../../http/access/access.ts'
import type { Api } from '../../../http/api-parts.ts'
import { listPage, listQuery } from '../../../http/list-page.ts'
import { notFound } from '../../../http/problem.ts'
import { carriedOut, json, noContent, orRefused } from '../../../http/respond.ts'
import { json as described, located, PAGE_DEFAULT } from '../../../http/schemas/common.ts'
import type { FirmwareImage } from '../records.ts'
import { deleteImage, takeImage } from './orders.ts'
import { FirmwareFormSchema, FirmwareListSchema, FirmwareSchema, firmwareParams, firmwareQuery } from './schemas.ts'

const TAG = 'Firmware'
const PATH = '/2/firmware'
const FIRMWARE = needsScope('chargers:firmware')

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
    problems: [409, 422],
    responses: { 201: located(FirmwareSchema, 'The image') },
    async handle({ principal, context }) {
      const image = orRefused(await takeImage({ ...api, files }, principal.accountId, context.req.raw))
      return json(represent(image), 201, { location: `${PATH}/${image.id}` })
    },
  })
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

function addDeletion(api: Api, files: Files): void {
  api.endpoints.add({
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
    async handle({ principal: { accountId }, params: { firmwareId } }) {
      carriedOut(await deleteImage({ ...api, files }, accountId, firmwareId))
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
