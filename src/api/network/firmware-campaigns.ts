/** Campaigns: make one, start it, look how far it is, end it (FIRMWARE-C1 to FIRMWARE-C6). */

import {
  CampaignListSchema,
  CampaignSchema,
  CampaignWithRowsSchema,
  CreateCampaignSchema,
  campaignParams,
  campaignQuery,
  campaignRowQuery,
} from '../../application/firmware/campaigns/schemas.ts'
import { draftCampaign } from '../../application/firmware/campaigns.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import type { CampaignAction } from '../../domain/firmware/campaign.ts'
import { representCampaign, representRow } from '../../domain/firmware/campaigns/represent.ts'
import type { Campaign, CampaignRow } from '../../domain/firmware/records.ts'
import { needsScope, sees, sharedChargePoints } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound, Problem } from '../problem.ts'
import { json, orRefused } from '../respond.ts'

const TAG = 'Firmware'
const PATH = '/2/firmware-campaigns'
const FIRMWARE = needsScope('chargers:firmware')

const ACTIONS: Readonly<Record<CampaignAction, string>> = {
  start: 'Start a campaign: its charge points are chosen now, and the first wave begins',
  pause: 'Send nothing more for the time being',
  resume: 'Go on with a campaign that was paused, or stopped by its failures, which then count no more',
  cancel: 'End a campaign: what a charge point has taken already cannot be called back',
}

export function addCampaigns(api: Api, rollouts: Rollouts): void {
  addCreation(api, rollouts)
  addReading(api, rollouts)
  for (const action of ['start', 'pause', 'resume', 'cancel'] as const) addAction(api, rollouts, action)
}

function addCreation(api: Api, rollouts: Rollouts): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createFirmwareCampaign',
    tag: TAG,
    summary: 'Create a firmware campaign',
    description:
      'It is a draft until it is started; `counts` tells how many it would reach now, and GET which ones. Who has this version already, or another model, is skipped. An application reaches the charge points that are shared with it.',
    access: FIRMWARE,
    body: CreateCampaignSchema,
    problems: [409, 422],
    responses: { 201: located(CampaignSchema, 'The draft') },
    async handle({ principal, body }) {
      const grantId = principal.kind === 'token' ? principal.grantId : undefined
      const campaign = orRefused(await draftCampaign(api, principal.accountId, body, grantId))
      await api.writes.putRecords('firmware_campaigns', [campaign])
      const rows = await rollouts.plan(campaign, sharedChargePoints(principal))
      return json(representCampaign(campaign, rows), 201, { location: `${PATH}/${campaign.id}` })
    },
  })
}

function addReading(api: Api, rollouts: Rollouts): void {
  const { endpoints, reads } = api
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listFirmwareCampaigns',
    tag: TAG,
    summary: 'List firmware campaigns',
    access: FIRMWARE,
    query: campaignQuery,
    responses: { 200: described(CampaignListSchema, 'A page of campaigns, by id') },
    async handle({ principal, query }) {
      const { accountId } = principal
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery('firmware campaigns', principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, afterId) => {
        const found: Campaign[] = []
        let id = afterId
        // An application sees its own; others are passed over until the page is full.
        for (;;) {
          const page = await reads.listRecords('firmware_campaigns', {
            where: { accountId },
            limit: count,
            ...(id !== undefined && { after: { accountId, id } }),
          })
          found.push(...page.filter((campaign) => mayKnow(principal, campaign)))
          id = page.at(-1)?.id
          if (page.length < count || found.length >= count) return found.slice(0, count)
        }
      })
      const shown = await Promise.all(
        rows.map(async (campaign) => representCampaign(campaign, await rollouts.rows(campaign.id))),
      )
      return json({ data: shown, meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{campaignId}`,
    operationId: 'getFirmwareCampaign',
    tag: TAG,
    summary: 'Get a firmware campaign with its charge points',
    access: FIRMWARE,
    params: campaignParams,
    query: campaignRowQuery,
    responses: { 200: described(CampaignWithRowsSchema, 'The campaign, and a page of its charge points by id') },
    async handle({ principal, params, query }) {
      const campaign = await find(api, principal, params.campaignId)
      const all =
        campaign.state === 'draft'
          ? await rollouts.plan(campaign, sharedChargePoints(principal))
          : await rollouts.rows(campaign.id)
      const known = all.filter(({ chargePointId: id }) => sees(principal, { id, accountId: campaign.accountId }))
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`firmware campaign ${campaign.id}`, principal, query)
      const byId = known
        .filter(({ state }) => query.state === undefined || state === query.state)
        .map((row) => ({ id: row.chargePointId, row }))
        .sort((one, other) => (one.id < other.id ? -1 : 1))
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, afterId) =>
        byId.filter(({ id }) => afterId === undefined || id > afterId).slice(0, count),
      )
      const shown = rows.map(({ row }) => row)
      return json({
        ...representCampaign(campaign, known),
        data: await representRows(api, shown),
        meta: { nextCursor },
      })
    },
  })
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

function addAction(api: Api, rollouts: Rollouts, action: CampaignAction): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{campaignId}/${action}`,
    operationId: `${action}FirmwareCampaign`,
    tag: TAG,
    summary: ACTIONS[action],
    access: FIRMWARE,
    params: campaignParams,
    problems: [409],
    responses: { 200: described(CampaignSchema, 'The campaign as it is now') },
    async handle({ principal, params }) {
      const campaign = await find(api, principal, params.campaignId)
      const changed = await rollouts.act(campaign, action, {
        shared: sharedChargePoints(principal),
        isPerson: principal.kind === 'credential',
      })
      if (!changed) {
        const { state } = await find(api, principal, params.campaignId)
        throw new Problem(409, 'campaign_state', `The campaign is ${state}; ${action} is not possible then.`)
      }
      return json(representCampaign(changed, await rollouts.rows(changed.id)))
    },
  })
}

/** @throws Problem 404, the same for another account's and another application's */
async function find(api: Api, principal: Principal, id: string): Promise<Campaign> {
  const campaign = await api.reads.getRecord('firmware_campaigns', { accountId: principal.accountId, id })
  if (!campaign || !mayKnow(principal, campaign)) throw notFound('firmware campaign')
  return campaign
}

/** An application knows its own, because others name charge points that are not shared with it. */
function mayKnow(principal: Principal, { grantId }: Campaign): boolean {
  return principal.kind === 'credential' || principal.grantId === grantId
}
