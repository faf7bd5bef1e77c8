/** Firmware images over the API: brought by a form, listed, deleted (FIRMWARE-I1 to FIRMWARE-I3). */

import {
  FirmwareFormSchema,
  FirmwareListSchema,
  FirmwareSchema,
  firmwareParams,
} from '../../application/firmware/images/schemas.ts'
import { deleteImage, takeImage } from '../../application/firmware/images.ts'
import { pageQuery } from '../../application/schemas/common.ts'
import { knowledgeOf } from '../../domain/firmware/images/visible.ts'
import type { FirmwareImage } from '../../domain/firmware/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Files } from '../../files/store.ts'
import { ownerOf, type Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { recordPage } from '../record-page.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addImages(api: Api, files: Files): void {
  const { reads } = api
  const find = async (principal: Principal, id: string): Promise<FirmwareImage> => {
    const image = await reads.getRecord('firmware_images', { accountId: principal.accountId, id })
    if (!image || !shownTo(principal, image)) throw notFound('firmware')
    return image
  }
  const images = resource(api, { tag: 'Firmware', path: '/2/firmware' })
  images.post('', 'createFirmware', 'Upload a firmware image', {
    description:
      'multipart/form-data with `file`, `version`, and where they are known `models`, `certificate` (PEM), `signature` (base64) and `sha256`. The signature is checked; without one the image is sent unsigned.',
    form: FirmwareFormSchema,
    problems: [409, 422],
    created: [FirmwareSchema, 'The image'],
    async handle({ principal, context }) {
      return represent(orRefused(await takeImage({ ...api, files }, ownerOf(principal), context.req.raw)), 'own')
    },
  })
  images.get('', 'listFirmware', 'List firmware images', {
    description:
      'An application reads those that it brought, and of the account’s no more than what names them in a campaign.',
    query: pageQuery,
    ok: [FirmwareListSchema, 'A page of images, by id'],
    handle: (request) =>
      recordPage(api, request, {
        name: 'firmware',
        kind: 'firmware_images',
        fits: (image) => shownTo(request.principal, image) !== undefined,
        show: (rows) => rows.flatMap((image) => shownTo(request.principal, image) ?? []),
      }),
  })
  images.get('/{firmwareId}', 'getFirmware', 'Get a firmware image', {
    params: firmwareParams,
    ok: [FirmwareSchema, 'The image'],
    handle: async ({ principal, params: { firmwareId } }) => shownTo(principal, await find(principal, firmwareId)),
  })
  images.delete('/{firmwareId}', 'deleteFirmware', 'Delete a firmware image', {
    description: 'Refused while a campaign that is not over uses it. An application deletes those that it brought.',
    params: firmwareParams,
    problems: [409],
    done: 'Deleted',
    holds: ({ principal, params: { firmwareId } }) => find(principal, firmwareId),
    handle: ({ principal, params: { firmwareId } }) => deleteImage({ ...api, files }, ownerOf(principal), firmwareId),
  })
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
