/** Campaigns: make one, start it, look how far it is, end it (FIRMWARE-C1 to FIRMWARE-C6). */
import type { z } from '@hono/zod-openapi'
import { needsScope, sees, sharedChargePoints } from '../../../http/access/access.ts'
import type { Principal } from '../../../http/access/principal.ts'
import { listPage, listQuery } from '../../../http/pages.ts'
import type { Api } from '../../../http/parts.ts'
import { invalidRequest, notFound, Problem } from '../../../http/problem.ts'
import type { Present } from '../../../http/requests/validation.ts'
import { json } from '../../../http/respond.ts'
import { json as described, located, PAGE_DEFAULT } from '../../../http/schemas/common.ts'
import type { Rollouts } from '../../../rollouts/rollouts.ts'
import type { CampaignAction } from '../campaign.ts'
import { certificateFault, signatureFault } from '../images/signature.ts'
import type { Campaign, CampaignRow, FirmwareTarget } from '../records.ts'
import { representCampaign, representRow } from './represent.ts'
import {
  CampaignListSchema,
  CampaignSchema,
  CampaignWithRowsSchema,
  CreateCampaignSchema,
  campaignParams,
  campaignQuery,
} from './schemas.ts'

const TAG = 'Firmware'
const PATH = '/2/firmware-campaigns'
const FIRMWARE = needsScope('chargers:firmware')

const ACTIONS: Readonly<Record<CampaignAction, string>> = {
  start: 'Start a campaign: its charge points are chosen now, and the first wave begins',
  pause: 'Send nothing more for the time being',
  resume: 'Go on with a campaign that was paused',
  cancel: 'End a campaign: what a charge point has taken already cannot be called back',
}

export function addCampaigns(api: Api, rollouts: Rollouts): void {
  addCreation(api)
  addReading(api, rollouts)
  for (const action of ['start', 'pause', 'resume', 'cancel'] as const) addAction(api, rollouts, action)
}

function addCreation(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createFirmwareCampaign',
    tag: TAG,
    summary: 'Prepare a campaign',
    description: 'It is a draft until it is started. An application reaches the charge points that are shared with it.',
    access: FIRMWARE,
    body: CreateCampaignSchema,
    problems: [422],
    responses: { 201: located(CampaignSchema, 'The draft') },
    async handle({ principal, body }) {
      const campaign = await orderedCampaign(api, principal, body)
      await api.writes.putRecords('firmware_campaigns', [campaign])
      return json(representCampaign(campaign, []), 201, { location: `${PATH}/${campaign.id}` })
    },
  })
}

type Body = z.output<typeof CreateCampaignSchema>

const MINUTE_MS = 60_000

async function orderedCampaign(api: Api, principal: Principal, body: Present<Body>): Promise<Campaign> {
  const { accountId } = principal
  const { target, models } = await targetOf(api, accountId, body)
  const createdAt = api.now()
  return {
    accountId,
    id: `cmp_${api.random(12).toString('hex')}`,
    ...(principal.kind === 'token' && { grantId: principal.grantId }),
    state: 'draft',
    selector: body.selector,
    target,
    ...(models && { models }),
    ...(body.window && { hours: body.window }),
    waves: body.waves ?? ['100%'],
    maxFailureMillionths: Math.round((body.maxFailureRate ?? 0) * 1_000_000),
    soakMs: (body.soakMinutes ?? 60) * MINUTE_MS,
    silenceMs: (body.silenceMinutes ?? 120) * MINUTE_MS,
    onlyIdle: body.onlyIdle ?? false,
    retryOffline: body.retryOffline ?? true,
    wave: 0,
    createdAt,
    updatedAt: createdAt,
  }
}

/** FIRMWARE-I2: the signature was checked when the image came; the certificate must still be valid. */
async function targetOf(
  { reads, now }: Api,
  accountId: string,
  { firmwareId, location, version, certificate, signature }: Present<Body>,
): Promise<{ readonly target: FirmwareTarget; readonly models?: readonly string[] | undefined }> {
  if (firmwareId !== undefined) {
    const others = Object.entries({ location, version, certificate, signature }).filter(
      ([, value]) => value !== undefined,
    )
    if (others.length > 0) {
      throw invalidRequest(others.map(([name]) => fault(name, 'invalid_value', 'is known of the image: leave it out')))
    }
    const image = await reads.getRecord('firmware_images', { accountId, id: firmwareId })
    if (!image) throw unprocessable('firmwareId', 'not_found', 'is no firmware of this account')
    requireCertificate(image.certificate, now())
    const { version: brought, models } = image
    const signed = image.signature !== undefined && { certificate: image.certificate, signature: image.signature }
    return { target: { version: brought, firmwareId, ...signed }, models }
  }
  if (location === undefined) throw invalidRequest([fault('firmwareId', 'required', 'is required, or else location')])
  if (version === undefined) throw invalidRequest([fault('version', 'required', 'is required together with location')])
  if ((certificate === undefined) !== (signature === undefined)) {
    const missing = certificate === undefined ? 'certificate' : 'signature'
    throw unprocessable(missing, `${missing}_invalid`, 'is missing: certificate and signature go together')
  }
  requireCertificate(certificate, now())
  const misspelt = signature === undefined ? undefined : signatureFault(signature)
  if (misspelt !== undefined) throw unprocessable('signature', 'signature_invalid', misspelt)
  const signed = certificate !== undefined && { certificate, signature }
  return { target: { version, location, ...signed } }
}

function requireCertificate(certificate: string | undefined, now: number): void {
  const wrong = certificate === undefined ? undefined : certificateFault(certificate, now)
  if (wrong !== undefined) throw unprocessable('certificate', 'certificate_invalid', wrong)
}

function fault(name: string, code: string, message: string) {
  return { pointer: `/${name}`, code, message }
}

function unprocessable(name: string, code: string, message: string): Problem {
  return new Problem(422, code, `The campaign cannot be carried out: ${name} ${message}.`, {
    errors: [fault(name, code, message)],
  })
}

function addReading(api: Api, rollouts: Rollouts): void {
  const { endpoints, reads, core } = api
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listFirmwareCampaigns',
    tag: TAG,
    summary: 'Campaigns of the account',
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
    summary: 'A campaign with its charge points',
    access: FIRMWARE,
    params: campaignParams,
    query: campaignQuery,
    responses: { 200: described(CampaignWithRowsSchema, 'The campaign, and a page of its charge points by id') },
    async handle({ principal, params, query }) {
      const campaign = await find(api, principal, params.campaignId)
      const known = (await rollouts.rows(campaign.id)).filter(({ chargePointId: id }) =>
        sees(principal, { id, accountId: campaign.accountId }),
      )
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`firmware campaign ${campaign.id}`, principal, query)
      const byId = known.map((row) => ({ id: row.chargePointId, row }))
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, afterId) =>
        byId.filter(({ id }) => afterId === undefined || id > afterId).slice(0, count),
      )
      const shown = rows.map(({ row }) => row)
      return json({
        ...representCampaign(campaign, known),
        data: await representRows(core, shown),
        meta: { nextCursor },
      })
    },
  })
}

async function representRows(core: Api['core'], rows: readonly CampaignRow[]): Promise<readonly object[]> {
  const found = rows.length === 0 ? [] : await core.connectivity(rows.map(({ chargePointId }) => chargePointId))
  const online = new Set(found.filter((one) => one.online).map(({ chargePointId }) => chargePointId))
  return rows.map((row) => representRow(row, online.has(row.chargePointId)))
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
      const changed = await rollouts.act(campaign, action, sharedChargePoints(principal))
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
