/** Firmware on the console: images, and campaigns that bring a fleet to a version (CONSOLE-N5 to CONSOLE-N7). */

import { draftCampaign } from '../../application/firmware/campaigns.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import { selectChargePoints } from '../../domain/blocks/selector.ts'
import { plannedRows } from '../../domain/firmware/plan.ts'
import type { Campaign } from '../../domain/firmware/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import type { Files } from '../../files/store.ts'
import type { Typed } from '../../web/entries.tsx'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { pageOfRows } from '../kit/page-of-rows.ts'
import { firmwareTexts } from '../kit/texts.ts'
import { typedWith } from '../kit/typed.ts'
import { selectedBy } from '../selector/selector-form.ts'
import { acting, actingPage, again, type Shown, showing, trying, type Visit } from '../visit.tsx'
import { CampaignFormPage, type CampaignPreview, readCampaign } from './campaign-form.tsx'
import { ACTIONS, CampaignPage, ROW_STATES, tokenOf } from './campaign-page.tsx'
import { removeImage, showFirmware, uploadImage } from './images.tsx'
import { showStationFirmware } from './station-page.tsx'

const NEW = 'new firmware campaign'
const CAMPAIGNS = '/firmware-campaigns'
const MAX_IMAGES = 500

export function firmwarePages(files: Files, rollouts: Rollouts): MountConsolePages {
  return (page, parts) => {
    page('/firmware', { GET: showFirmware, POST: uploadImage(files, parts) })
    page('/charge-points/:chargePoint/firmware', { GET: showStationFirmware(parts) })
    page('/firmware/:firmwareId/delete', { POST: removeImage(files, parts) })
    page('/new-firmware-campaign', { GET: showNew(parts), POST: create(parts) })
    page('/new-firmware-campaign/try', { POST: preview(parts) })
    page(`${CAMPAIGNS}/:campaignId`, { GET: showCampaign(parts, rollouts) })
    page(`${CAMPAIGNS}/:campaignId/:action`, { POST: act(rollouts) })
  }
}

function showNew(parts: OperatorContext): ConsolePage {
  return actingPage((visit) => formPage(parts, visit, { form: new URLSearchParams(), faults: {} }))
}

/** Only a preview; nothing is stored. */
function preview(parts: OperatorContext): ConsolePage {
  return trying(NEW, async (visit, form) => {
    const { site, accountId } = visit
    const draft = await draftOf(visit, form)
    if ('refused' in draft) return refused(parts, visit, form, draft)
    const found = await selectChargePoints(site.reads, accountId, draft.selector)
    const online = await onlineOf(
      parts,
      found.map(({ id }) => id),
    )
    const rows = plannedRows(draft, found, online, draft.createdAt)
    const page = await formPage(parts, visit, { form, faults: {} }, { rows, waves: draft.waves, online })
    return { page, status: 200 }
  })
}

function create(parts: OperatorContext): ConsolePage {
  return acting(NEW, async (visit, form) => {
    const draft = await draftOf(visit, form)
    if ('refused' in draft) return refused(parts, visit, form, draft)
    await visit.site.writes.putRecords('firmware_campaigns', [draft])
    return `${CAMPAIGNS}/${draft.id}`
  })
}

async function draftOf({ site, accountId }: Visit, form: URLSearchParams): Promise<Campaign | Refusal> {
  const read = readCampaign(form)
  if ('faults' in read) return { ...refuse(400, 'invalid_request', ''), errors: read.faults }
  return draftCampaign(site, accountId, read.body)
}

async function refused(parts: OperatorContext, visit: Visit, form: URLSearchParams, refusal: Refusal): Promise<Shown> {
  return again(await formPage(parts, visit, typedWith(form, refusal)), refusal)
}

async function formPage({ timeZone }: OperatorContext, visit: Visit, typed: Typed, shownPreview?: CampaignPreview) {
  const where = { accountId: visit.accountId }
  const found = await visit.site.reads.listRecords('firmware_images', { where, limit: MAX_IMAGES })
  const images = [...found].sort((a, b) => b.createdAt - a.createdAt)
  const selected = typed.form.size === 0 ? undefined : await selectedBy(visit, typed.form)
  return <CampaignFormPage {...{ visit, images, typed, timeZone, selected }} action={NEW} preview={shownPreview} />
}

function showCampaign(parts: OperatorContext, rollouts: Rollouts): ConsolePage {
  return showing('see', async (visit) => {
    const campaign = await find(visit)
    if (!campaign) return undefined
    const { context, frame } = visit
    const { state: asked = '', after = '' } = context.req.query()
    const state = ROW_STATES.find((one) => one === asked)
    const isWrong = asked !== '' && state === undefined
    const isDraft = campaign.state === 'draft'
    const all = isDraft ? await rollouts.plan(campaign, undefined) : await rollouts.rows(campaign.id)
    const fitting = all.filter((row) => (!state || row.state === state) && row.chargePointId > after)
    const { rows, last } = pageOfRows(fitting, frame)
    const online = await onlineOf(
      parts,
      rows.map(({ chargePointId }) => chargePointId),
    )
    const next = last?.chargePointId
    const page = <CampaignPage {...{ visit, campaign, rows: all, shown: rows, state, isWrong, next, online }} />
    return isWrong ? { page, status: 400 } : page
  })
}

function act(rollouts: Rollouts): ConsolePage {
  return acting(actionOf, async (visit) => {
    const campaign = await find(visit)
    const action = ACTIONS.find((one) => one === visit.context.req.param('action'))
    if (!campaign || !action) return noSuch('campaign')
    if (await rollouts.act(campaign, action, { isPerson: true })) return `${CAMPAIGNS}/${campaign.id}`
    const { state } = (await find(visit)) ?? campaign
    const words = firmwareTexts(visit.frame)
    return refuse(409, 'campaign_state', words.wrongState(words.states[state]))
  })
}

function actionOf({ req }: PageContext): string {
  return tokenOf(req.param('campaignId') ?? '')
}

async function find({ site, context, accountId }: Visit): Promise<Campaign | undefined> {
  return site.reads.getRecord('firmware_campaigns', { accountId, id: context.req.param('campaignId') ?? '' })
}

async function onlineOf({ core }: OperatorContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = ids.length === 0 ? [] : await core.connectivity(ids)
  return new Set(found.filter(({ online }) => online).map(({ chargePointId }) => chargePointId))
}
