/** Firmware on the console: images and the campaigns that send them, and that of one charge point (CONSOLE-N5). */
import { deleteImage, takeImage } from '../../application/firmware/images.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import type { Campaign, FirmwareImage, FirmwareUpdate } from '../../domain/firmware/records.ts'
import type { Files } from '../../files/store.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { type Columns, TableCard, Title } from '../../web/parts/table.tsx'
import { showingStation } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Deletion, Form, typedWith } from '../kit/form.tsx'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, ButtonLink, chip, cutOff, Facts, link, Panel, wordsIn } from '../kit/parts.tsx'
import { queryText } from '../paths.ts'
import { selectorText } from '../selector/choosing.tsx'
import { acting, again, mayAct, receiving, showing, type Visit } from '../visit.tsx'
import { addCampaignForm } from './campaign-form.tsx'
import { act, CAMPAIGNS, CampaignChip, showCampaign } from './campaign-page.tsx'

const UPLOAD = 'firmware upload'
const DELETION = 'firmware deletion'

export function firmwarePages(files: Files, rollouts: Rollouts): MountConsolePages {
  return (page) => {
    page('/firmware', { GET: showing('see', (visit) => firmwarePage(visit)), POST: uploadImage(files) })
    page('/charge-points/:chargePoint/firmware', { GET: showStationFirmware })
    page('/firmware/:firmwareId/delete', { POST: removeImage(files) })
    addCampaignForm(page)
    page(`${CAMPAIGNS}/:campaignId`, { GET: showCampaign(rollouts) })
    page(`${CAMPAIGNS}/:campaignId/:action`, { POST: act(rollouts) })
  }
}

async function firmwarePage(visit: Visit, typed: Typed = NOTHING_TYPED) {
  const { site, context, accountId, frame } = visit
  const words = wordsIn('firmware', frame)
  const path = `${frame.root}/firmware`
  const { image, campaign } = context.req.query()
  const page = (id: string | undefined) => ({
    where: { accountId },
    limit: rowsAsked(frame),
    ...(id !== undefined && { after: { accountId, id } }),
  })
  const images = pageOfRows(await site.reads.listRecords('firmware_images', page(image)), frame)
  const campaigns = pageOfRows(await site.reads.listRecords('firmware_campaigns', page(campaign)), frame)
  return (
    <Page frame={frame} title={words.firmware} wide live>
      <Title text={words.firmware}>
        {mayAct(visit) && (
          // Its token stands before the file: nothing is stored of a form that is not ours.
          <Form
            visit={visit}
            action={UPLOAD}
            to={path}
            title={words.upload}
            folded={typed.form.size > 0 ? 'open' : 'closed'}
            typed={typed}
            refused={words.notSaved}
            file
            data={{ 'data-upload': words.uploading, 'data-broken': words.uploadFailed }}
            fields={[
              { name: 'version', label: words.version, hint: words.versionHint, required: true },
              { name: 'models', label: words.models, hint: words.modelsHint },
              { name: 'certificate', label: words.certificate, hint: words.signatureHint, lines: true },
              { name: 'signature', label: words.signatureField, lines: true },
              { name: 'sha256', label: 'SHA-256', hint: words.sha256Hint },
            ]}
            submit={words.uploadButton}
          >
            <label class="field">
              <span>{words.file}</span>
              <input type="file" name="file" required />
            </label>
          </Form>
        )}
        {mayAct(visit) && <ButtonLink main to={`${frame.root}/new-firmware-campaign`} text={words.makeCampaign} />}
      </Title>
      <TableCard<Campaign>
        live="campaigns"
        heading={words.campaigns}
        oneLine
        rows={campaigns.rows}
        empty={words.noCampaigns}
        columns={[
          link(words.campaign, ({ id, target }) => ({
            to: `${frame.root}${CAMPAIGNS}/${id}`,
            text: `${words.campaign} ${target.version}`,
          })),
          cutOff(words.whichStations, ({ selector }) => selectorText(frame, selector), { wideOnly: true }),
          { title: words.state, width: 136, cell: ({ state }) => <CampaignChip frame={frame} state={state} /> },
          { title: words.wave, width: 88, wideOnly: true, cell: ({ wave, waves }) => `${wave} / ${waves.length}` },
          ago(frame, words.changed, ({ updatedAt }) => updatedAt, { wideOnly: false }),
        ]}
        after={<Paging frame={frame} path={path} next={campaigns.last && { campaign: campaigns.last.id }} />}
      />
      <TableCard<FirmwareImage>
        live="images"
        heading={words.images}
        oneLine
        rows={images.rows}
        empty={words.noImages}
        columns={imageColumns(visit)}
        after={<Paging frame={frame} path={path} next={images.last && { image: images.last.id }} />}
      />
    </Page>
  )
}

function imageColumns(visit: Visit): Columns<FirmwareImage> {
  const { frame } = visit
  const words = wordsIn('firmware', frame)
  return [
    { title: words.version, kind: 'name', text: ({ version }) => version },
    {
      title: words.models,
      wideOnly: true,
      whole: ({ models }) => models?.join(', '),
      text: ({ models }) => models?.join(', ') ?? words.allModels,
    },
    cutOff(words.file, ({ fileName }) => fileName, { kind: 'host' }),
    { title: words.size, kind: 'number', width: 120, wideOnly: true, cell: ({ bytes }) => words.bytes(bytes) },
    { title: 'SHA-256', kind: 'host', wideOnly: true, whole: ({ sha256 }) => sha256, cell: ({ sha256 }) => sha256 },
    chip(
      words.signature,
      ({ signature: by }) => (by === undefined ? ['amber', words.unsigned] : ['good', words.signed]),
      {
        width: 120,
      },
    ),
    ago(frame, words.created, ({ createdAt }) => createdAt),
    mayAct(visit) && {
      title: words.action,
      kind: 'acts',
      width: 104,
      cell: ({ id, version }) => (
        <Deletion
          visit={visit}
          action={DELETION}
          of={`${frame.root}/firmware/${id}`}
          ask={words.deleteImageAsk}
          what={`${words.firmware} ${version}`}
        />
      ),
    },
  ]
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
      if (!('refused' in image)) return '/firmware'
      typed.delete('csrf')
      return again(await firmwarePage(visit, typedWith(typed, image)), image)
    } catch (error) {
      if (error instanceof Foreign) return 'foreign'
      throw error
    }
  })
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
  const { frame } = visit
  const words = wordsIn('firmware', frame)
  const { id, status } = view
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
          rows={updates.toSorted((one, other) => other.createdAt - one.createdAt)}
          oneLine
          empty={words.noUpdates}
          columns={[
            link(
              words.version,
              ({ target, campaignId }) => ({
                to: `${frame.root}${CAMPAIGNS}/${encodeURIComponent(campaignId)}`,
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
})
