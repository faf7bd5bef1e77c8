/** Firmware images over the API: brought by a form, listed, deleted (FIRMWARE-I1 to FIRMWARE-I3). */

import {
  FirmwareFormSchema,
  FirmwareListSchema,
  FirmwareSchema,
  firmwareParams,
  firmwareQuery,
} from '../../application/firmware/images/schemas.ts'
import { deleteImage, type ImageOwner, takeImage } from '../../application/firmware/images.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { knowledgeOf } from '../../domain/firmware/images/visible.ts'
import type { FirmwareImage } from '../../domain/firmware/records.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Files } from '../../files/store.ts'
import { needsScope } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { carriedOut, json, noContent, orRefused } from '../respond.ts'

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
    summary: 'Upload a firmware image',
    description:
      'multipart/form-data with `file`, `version`, and where they are known `models`, `certificate` (PEM), `signature` (base64) and `sha256`. The signature is checked; without one the image is sent unsigned.',
    access: FIRMWARE,
    form: FirmwareFormSchema,
    problems: [409, 422],
    responses: { 201: located(FirmwareSchema, 'The image') },
    async handle({ principal, context }) {
      const image = orRefused(await takeImage({ ...api, files }, ownerOf(principal), context.req.raw))
      return json(represent(image, 'own'), 201, { location: `${PATH}/${image.id}` })
    },
  })
}

function addReading({ endpoints, reads, ...api }: Api): void {
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listFirmware',
    tag: TAG,
    summary: 'List firmware images',
    description:
      'An application reads those that it brought, and of the account’s no more than what names them in a campaign.',
    access: FIRMWARE,
    query: firmwareQuery,
    responses: { 200: described(FirmwareListSchema, 'A page of images, by id') },
    async handle({ principal, query }) {
      const { accountId } = principal
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery('firmware', principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, afterId) => {
        const found: FirmwareImage[] = []
        let id = afterId
        // Those of other applications are passed over until the page is full.
        for (;;) {
          const page = await reads.listRecords('firmware_images', {
            where: { accountId },
            limit: count,
            ...(id !== undefined && { after: { accountId, id } }),
          })
          found.push(...page.filter((image) => knowledgeOf(image, ownerOf(principal).grantId)))
          id = page.at(-1)?.id
          if (page.length < count || found.length >= count) return found.slice(0, count)
        }
      })
      return json({ data: rows.map((image) => shownTo(principal, image)), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{firmwareId}`,
    operationId: 'getFirmware',
    tag: TAG,
    summary: 'Get a firmware image',
    access: FIRMWARE,
    params: firmwareParams,
    responses: { 200: described(FirmwareSchema, 'The image') },
    async handle({ principal, params: { firmwareId: id } }) {
      const image = await reads.getRecord('firmware_images', { accountId: principal.accountId, id })
      const shown = image && shownTo(principal, image)
      if (!shown) throw notFound('firmware')
      return json(shown)
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
    description: 'Refused while a campaign that is not over uses it. An application deletes those that it brought.',
    access: FIRMWARE,
    params: firmwareParams,
    problems: [409],
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params: { firmwareId } }) {
      carriedOut(await deleteImage({ ...api, files }, ownerOf(principal), firmwareId))
      return noContent()
    },
  })
}

/** An application acts for itself, whatever else of the account is shared with it. */
function ownerOf(principal: Principal): ImageOwner {
  const { accountId } = principal
  return principal.kind === 'token' ? { accountId, grantId: principal.grantId } : { accountId }
}

function shownTo(principal: Principal, image: FirmwareImage): object | undefined {
  const known = knowledgeOf(image, ownerOf(principal).grantId)
  return known && represent(image, known)
}

function represent(image: FirmwareImage, known: 'own' | 'name'): object {
  const { id, version, models, fileName, bytes, sha256, certificate, signature, createdAt } = image
  const name = { id, version, models, signed: signature !== undefined, createdAt: isoTime(createdAt) }
  return known === 'name' ? name : { ...name, fileName, bytes, sha256, certificate, signature }
}
