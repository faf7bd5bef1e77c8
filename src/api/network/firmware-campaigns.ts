/** Campaigns: make one, start it, look how far it is, end it (FIRMWARE-C1 to FIRMWARE-C6). */

import {
  CampaignListSchema,
  CampaignSchema,
  CampaignWithRowsSchema,
  CreateCampaignSchema,
  campaignParams,
  campaignRowQuery,
  draftCampaign,
} from '../../application/firmware/campaigns.ts'
import {
  deleteImage,
  FirmwareFormSchema,
  FirmwareListSchema,
  FirmwareSchema,
  firmwareParams,
  takeImage,
} from '../../application/firmware/images.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import { pageQuery } from '../../application/schemas/common.ts'
import { type CampaignAction, representCampaign, representRow } from '../../domain/firmware/campaign.ts'
import { knowledgeOf } from '../../domain/firmware/images.ts'
import type { Campaign, CampaignRow, FirmwareImage } from '../../domain/firmware/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Files } from '../../files/store.ts'
import { grantOf, ownerOf, type Principal, sees, sharedChargePoints } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { pageOf, recordPage, resource } from '../resource.ts'
import { notFound, orRefused, Problem } from '../respond.ts'

const ACTIONS: Readonly<Record<CampaignAction, string>> = {
  start: 'Start a campaign: its charge points are chosen now, and the first wave begins',
  pause: 'Send nothing more for the time being',
  resume: 'Go on with a campaign that was paused, or stopped by its failures, which then count no more',
  cancel: 'End a campaign: what a charge point has taken already cannot be called back',
}

export function addCampaigns(api: Api, rollouts: Rollouts): void {
  const common = { tag: 'Firmware', path: '/2/firmware-campaigns' } as const
  const campaigns = resource(api, common)
  const one = resource(api, {
    ...common,
    path: `${common.path}/{campaignId}`,
    params: campaignParams,
    find: async ({ principal, params }) => ({ campaign: await find(api, principal, params.campaignId) }),
  })
  campaigns.post('', 'createFirmwareCampaign', 'Create a firmware campaign', {
    description:
      'It is a draft until it is started; `counts` tells how many it would reach now, and GET which ones. Who has this version already, or another model, is skipped. An application reaches the charge points that are shared with it.',
    body: CreateCampaignSchema,
    problems: [409, 422],
    created: [CampaignSchema, 'The draft'],
    async handle({ principal, body }) {
      const grantId = grantOf(principal)
      const campaign = orRefused(await draftCampaign(api, principal.accountId, body, grantId))
      await api.writes.putRecords('firmware_campaigns', [campaign])
      const rows = await rollouts.plan(campaign, sharedChargePoints(principal))
      return representCampaign(campaign, rows)
    },
  })
  campaigns.get('', 'listFirmwareCampaigns', 'List firmware campaigns', {
    query: pageQuery,
    ok: [CampaignListSchema, 'A page of campaigns, by id'],
    handle: (request) =>
      recordPage(api, request, {
        name: 'firmware campaigns',
        kind: 'firmware_campaigns',
        fits: (campaign) => mayKnow(request.principal, campaign),
        show: (rows) =>
          Promise.all(rows.map(async (campaign) => representCampaign(campaign, await rollouts.rows(campaign.id)))),
      }),
  })
  one.get('', 'getFirmwareCampaign', 'Get a firmware campaign with its charge points', {
    query: campaignRowQuery,
    ok: [CampaignWithRowsSchema, 'The campaign, and a page of its charge points by id'],
    async handle(request) {
      const { campaign, principal, query } = request
      const all =
        campaign.state === 'draft'
          ? await rollouts.plan(campaign, sharedChargePoints(principal))
          : await rollouts.rows(campaign.id)
      const known = all.filter(({ chargePointId: id }) => sees(principal, { id, accountId: campaign.accountId }))
      const byId = known
        .filter(({ state }) => query.state === undefined || state === query.state)
        .sort((first, second) => (first.chargePointId < second.chargePointId ? -1 : 1))
      const page = await pageOf(api, request, {
        name: `firmware campaign ${campaign.id}`,
        place: ({ chargePointId }: CampaignRow) => [chargePointId],
        rows: async (limit, last) =>
          byId.filter(({ chargePointId }) => !last || chargePointId > last[0]).slice(0, limit),
        show: (rows) => representRows(api, rows),
      })
      return { ...representCampaign(campaign, known), ...page }
    },
  })
  for (const action of ['start', 'pause', 'resume', 'cancel'] as const) {
    one.post(`/${action}`, `${action}FirmwareCampaign`, ACTIONS[action], {
      problems: [409],
      ok: [CampaignSchema, 'The campaign as it is now'],
      holds: ({ campaign }) => campaign,
      async handle({ campaign, principal, params }) {
        const changed = await rollouts.act(campaign, action, {
          shared: sharedChargePoints(principal),
          isPerson: principal.kind === 'credential',
        })
        if (changed) return representCampaign(changed, await rollouts.rows(changed.id))
        const { state } = await find(api, principal, params.campaignId)
        throw new Problem(409, 'campaign_state', `The campaign is ${state}; ${action} is not possible then.`)
      },
    })
  }
}

async function representRows({ core, reads }: Api, rows: readonly CampaignRow[]): Promise<readonly object[]> {
  const found = rows.length === 0 ? [] : await core.connectivity(rows.map(({ chargePointId }) => chargePointId))
  const online = new Set(found.filter((one) => one.online).map(({ chargePointId }) => chargePointId))
  return Promise.all(
    rows.map(async (row) => {
      const { chargePointId, requestId } = row
      const key = requestId === undefined ? undefined : { chargePointId, requestId }
      const update = key && (await reads.getRecord('firmware_updates', key))
      return representRow(row, online.has(chargePointId), update?.statuses)
    }),
  )
}

/** @throws Problem 404, the same for another account's and another application's */
async function find(api: Api, principal: Principal, id: string): Promise<Campaign> {
  const campaign = await api.reads.getRecord('firmware_campaigns', { accountId: principal.accountId, id })
  if (!campaign || !mayKnow(principal, campaign)) throw notFound('firmware campaign')
  return campaign
}

function mayKnow(principal: Principal, { grantId }: Campaign): boolean {
  return principal.kind === 'credential' || principal.grantId === grantId
}

/** Firmware images over the API: brought by a form, listed, deleted (FIRMWARE-I1 to FIRMWARE-I3). */
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
