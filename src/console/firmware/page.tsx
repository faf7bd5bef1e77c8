/** Firmware on the console: images, and campaigns that bring a fleet to a version (CONSOLE-N5 to CONSOLE-N7). */
import type { FC } from 'hono/jsx'
import { draftCampaign } from '../../application/firmware/campaigns.ts'
import { deleteImage, takeImage } from '../../application/firmware/images.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import { plannedRows } from '../../domain/firmware/plan.ts'
import type { Campaign, FirmwareUpdate } from '../../domain/firmware/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import type { Files } from '../../files/store.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import { showingStation } from '../charge-points/own-charge-point.ts'
import { type ShownChargePoint, shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, ConsoleSite, MountConsolePages } from '../console-parts.ts'
import { typedWith } from '../kit/form.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, ButtonLink, chip, cutOff, Facts, firmwareTexts, link, Panel } from '../kit/parts.tsx'
import { queryText } from '../paths.ts'
import { selectedBy } from '../selector/selector-form.ts'
import { acting, actingPage, again, mayAct, receiving, type Shown, showing, trying, type Visit } from '../visit.tsx'
import { CampaignFormPage, type CampaignPreview, readCampaign } from './campaign-form.tsx'
import { ACTIONS, CampaignPage, DELETION, FirmwarePage, ROW_STATES, tokenOf, UPLOAD } from './firmware-page.tsx'

const NEW = 'new firmware campaign'
const CAMPAIGNS = '/firmware-campaigns'
const MAX_IMAGES = 500

export function firmwarePages(files: Files, rollouts: Rollouts): MountConsolePages {
  return (page) => {
    page('/firmware', { GET: showFirmware, POST: uploadImage(files) })
    page('/charge-points/:chargePoint/firmware', { GET: showStationFirmware })
    page('/firmware/:firmwareId/delete', { POST: removeImage(files) })
    page('/new-firmware-campaign', { GET: showNew, POST: create })
    page('/new-firmware-campaign/try', { POST: preview })
    page(`${CAMPAIGNS}/:campaignId`, { GET: showCampaign(rollouts) })
    page(`${CAMPAIGNS}/:campaignId/:action`, { POST: act(rollouts) })
  }
}

const showNew: ConsolePage = actingPage((visit) => formPage(visit, { form: new URLSearchParams(), faults: {} }))

/** Only a preview; nothing is stored. */
const preview: ConsolePage = trying(NEW, async (visit, form) => {
  const { site, accountId } = visit
  const draft = await draftOf(visit, form)
  if ('refused' in draft) return refused(visit, form, draft)
  const found = await selectChargePoints(site.reads, accountId, draft.selector)
  const online = await onlineOf(
    visit.site,
    found.map(({ id }) => id),
  )
  const rows = plannedRows(draft, found, online, draft.createdAt)
  const page = await formPage(visit, { form, faults: {} }, { rows, waves: draft.waves, online })
  return { page, status: 200 }
})

const create: ConsolePage = acting(NEW, async (visit, form) => {
  const draft = await draftOf(visit, form)
  if ('refused' in draft) return refused(visit, form, draft)
  await visit.site.writes.putRecords('firmware_campaigns', [draft])
  return `${CAMPAIGNS}/${draft.id}`
})

async function draftOf({ site, accountId }: Visit, form: URLSearchParams): Promise<Campaign | Refusal> {
  const read = readCampaign(form)
  return 'refused' in read ? read : draftCampaign(site, accountId, read)
}

async function refused(visit: Visit, form: URLSearchParams, refusal: Refusal): Promise<Shown> {
  return again(await formPage(visit, typedWith(form, refusal)), refusal)
}

async function formPage(visit: Visit, typed: Typed, shownPreview?: CampaignPreview) {
  const where = { accountId: visit.accountId }
  const found = await visit.site.reads.listRecords('firmware_images', { where, limit: MAX_IMAGES })
  const images = [...found].sort((a, b) => b.createdAt - a.createdAt)
  const selected = typed.form.size === 0 ? undefined : await selectedBy(visit, typed.form)
  return (
    <CampaignFormPage
      {...{ visit, images, typed, timeZone: visit.site.timeZone, selected }}
      action={NEW}
      preview={shownPreview}
    />
  )
}

function showCampaign(rollouts: Rollouts): ConsolePage {
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
      visit.site,
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

async function onlineOf({ core }: ConsoleSite, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = ids.length === 0 ? [] : await core.connectivity(ids)
  return new Set(found.filter(({ online }) => online).map(({ chargePointId }) => chargePointId))
}

/** CONSOLE-N5: images are uploaded by a form with a file, and deleted. */
const showFirmware: ConsolePage = showing('see', (visit) => firmwarePage(visit))

async function firmwarePage(visit: Visit, typed: Typed = NOTHING_TYPED) {
  const { site, context, accountId, frame } = visit
  const { image, campaign } = context.req.query()
  const page = (id: string | undefined) => ({
    where: { accountId },
    limit: rowsAsked(frame),
    ...(id !== undefined && { after: { accountId, id } }),
  })
  const images = pageOfRows(await site.reads.listRecords('firmware_images', page(image)), frame)
  const campaigns = pageOfRows(await site.reads.listRecords('firmware_campaigns', page(campaign)), frame)
  return (
    <FirmwarePage
      visit={visit}
      images={images.rows}
      nextImage={images.last?.id}
      campaigns={campaigns.rows}
      nextCampaign={campaigns.last?.id}
      typed={typed}
    />
  )
}

class Foreign extends Error {}

function uploadImage(files: Files): ConsolePage {
  return receiving(UPLOAD, async (visit, isOwn) => {
    const place = { ...visit.site, files }
    let typed = new URLSearchParams()
    try {
      // Its token comes before the file, and with it all that was typed.
      const image = await takeImage(place, { accountId: visit.accountId }, visit.context.req.raw, {
        mayKeep(before) {
          typed = new URLSearchParams(before.map(([name, value]): [string, string] => [name, value]))
          if (!isOwn(typed.get('csrf') ?? undefined)) throw new Foreign()
        },
        counts: (name, value) => name !== 'csrf' && value.trim() !== '',
      })
      return 'refused' in image ? notUploaded(visit, typed, image) : '/firmware'
    } catch (error) {
      if (error instanceof Foreign) return 'foreign'
      throw error
    }
  })
}

async function notUploaded(visit: Visit, typed: URLSearchParams, refusal: Refusal): Promise<Shown> {
  typed.delete('csrf')
  return again(await firmwarePage(visit, typedWith(typed, refusal)), refusal)
}

function removeImage(files: Files): ConsolePage {
  return acting(DELETION, async (visit) => {
    const id = visit.context.req.param('firmwareId') ?? ''
    return (await deleteImage({ ...visit.site, files }, { accountId: visit.accountId }, id)) ?? '/firmware'
  })
}

/** Firmware of one charge point: its current and requested version, and the outcome of each update (CONSOLE-N14). */
const MAX_SHOWN = 50
const TONES: Readonly<Record<FirmwareUpdate['state'], string>> = {
  waiting: '',
  running: '',
  succeeded: 'over',
  failed: 'bad held',
  rejected: 'bad held',
}

const showStationFirmware: ConsolePage = showingStation('see', async (visit, view) => {
  const where = { chargePointId: view.id }
  const [chargePoint, updates] = await Promise.all([
    shownNow(visit, view),
    visit.site.reads.listRecords('firmware_updates', { where, newestFirst: true, limit: MAX_SHOWN }),
  ])
  const newest = updates.toSorted((a, b) => b.createdAt - a.createdAt)
  return <StationFirmwarePage visit={visit} chargePoint={chargePoint} updates={newest} />
})

const StationFirmwarePage: FC<{
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly updates: readonly FirmwareUpdate[]
}> = ({ visit, chargePoint, updates }) => {
  const { frame } = visit
  const words = firmwareTexts(frame)
  const { id, status } = chargePoint.view
  const requested = updates.find(({ state }) => state === 'waiting' || state === 'running')
  return (
    <Page frame={frame} title={`${words.firmware} ${id}`} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="firmware" />
      <div data-live="firmware">
        <Panel
          title={words.firmware}
          end={
            mayAct(visit) && (
              <ButtonLink
                main
                to={`${frame.root}/new-bulk-order${queryText({ kind: 'firmware', id })}`}
                text={words.update}
              />
            )
          }
        >
          <Facts
            facts={[
              [words.current, <bdi>{status.firmwareVersion ?? words.notReported}</bdi>],
              [
                words.requested,
                requested === undefined ? words.nothingRequested : <bdi>{requested.target.version}</bdi>,
              ],
              [words.model, [status.vendor, status.model].filter((part) => part !== undefined).join(' ')],
            ]}
          />
        </Panel>
        <TableCard<FirmwareUpdate>
          heading={words.updates}
          rows={updates}
          oneLine
          empty={words.noUpdates}
          columns={[
            link(
              words.version,
              ({ target, campaignId }) => ({
                to: `${frame.root}/firmware-campaigns/${encodeURIComponent(campaignId)}`,
                text: target.version,
              }),
              { width: 160, whole: ({ target }) => target.version },
            ),
            chip(words.state, ({ state }) => [TONES[state], words.rowStates[state]], { width: 160 }),
            {
              title: words.status,
              wideOnly: true,
              text: ({ statuses, status: last }) => statuses.map((seen) => seen.status).join(' → ') || last,
              whole: ({ statuses }) => statuses.map((seen) => seen.status).join(' → '),
            },
            cutOff(words.reason, ({ reason }) => reason, { wideOnly: true }),
            ago(frame, words.changed, ({ updatedAt }) => updatedAt, { kind: 'number', width: 136, wideOnly: false }),
          ]}
        />
      </div>
    </Page>
  )
}
