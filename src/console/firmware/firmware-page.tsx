import type { FC } from 'hono/jsx'
import { type CampaignAction, stateAfter } from '../../domain/firmware/campaign.ts'
import type { Campaign, CampaignRow, CampaignState, FirmwareImage, RowState } from '../../domain/firmware/records.ts'
import { Action, type Frame, Page, type Typed, Warning } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Columns, Table, TableCard, Title } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { Form } from '../kit/form.tsx'
import { Paging, Tabs } from '../kit/list.tsx'
import { ago, ButtonLink, Chip, chip, cutOff, Facts, firmwareTexts, link, station } from '../kit/parts.tsx'
import { SelectorText, selectorText } from '../selector/choosing.tsx'
import { mayAct, type Visit } from '../visit.tsx'

const STYLES: Readonly<Record<CampaignState, string>> = {
  draft: '',
  running: 'good',
  paused: 'amber',
  stopped: 'bad',
  cancelled: '',
  done: 'good',
}

export const CampaignChip: FC<{ frame: Frame; state: CampaignState }> = ({ frame, state }) => (
  <Chip tone={STYLES[state]} text={firmwareTexts(frame).states[state]} />
)

export const UPLOAD = 'firmware upload'
export const DELETION = 'firmware deletion'

export const FirmwarePage: FC<{
  readonly visit: Visit
  readonly images: readonly FirmwareImage[]
  readonly nextImage: string | undefined
  readonly campaigns: readonly Campaign[]
  readonly nextCampaign: string | undefined
  readonly typed: Typed
}> = ({ visit, images, nextImage, campaigns, nextCampaign, typed }) => {
  const { frame } = visit
  const words = firmwareTexts(frame)
  const path = `${frame.root}/firmware`
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
        rows={campaigns}
        empty={words.noCampaigns}
        columns={[
          link(words.campaign, ({ id, target }) => ({
            to: `${frame.root}/firmware-campaigns/${id}`,
            text: `${words.campaign} ${target.version}`,
          })),
          cutOff(words.whichStations, ({ selector }) => selectorText(frame, selector), { wideOnly: true }),
          { title: words.state, width: 136, cell: ({ state }) => <CampaignChip frame={frame} state={state} /> },
          { title: words.wave, width: 88, wideOnly: true, cell: ({ wave, waves }) => `${wave} / ${waves.length}` },
          ago(frame, words.changed, ({ updatedAt }) => updatedAt, { wideOnly: false }),
        ]}
        after={<Paging frame={frame} path={path} next={nextCampaign ? { campaign: nextCampaign } : undefined} />}
      />
      <TableCard<FirmwareImage>
        live="images"
        heading={words.images}
        oneLine
        rows={images}
        empty={words.noImages}
        columns={imageColumns(visit)}
        after={<Paging frame={frame} path={path} next={nextImage ? { image: nextImage } : undefined} />}
      />
    </Page>
  )
}

function imageColumns(visit: Visit): Columns<FirmwareImage> {
  const { frame, csrf } = visit
  const words = firmwareTexts(frame)
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
        <Action
          to={`${frame.root}/firmware/${id}/delete`}
          csrf={csrf(DELETION)}
          style="danger"
          ask={words.deleteImageAsk}
          order={words.deleteOf(`${words.firmware} ${version}`)}
          text={words.delete}
        />
      ),
    },
  ]
}

export const ACTIONS = ['start', 'pause', 'resume', 'cancel'] as const satisfies readonly CampaignAction[]

export const ROW_STATES = [
  'failed',
  'rejected',
  'notRecallable',
  'running',
  'waiting',
  'planned',
  'skipped',
  'cancelled',
  'succeeded',
] as const satisfies readonly RowState[]

interface Props {
  readonly visit: Visit
  readonly campaign: Campaign
  readonly rows: readonly CampaignRow[]
  readonly shown: readonly CampaignRow[]
  readonly state: RowState | undefined
  readonly isWrong: boolean
  readonly next: string | undefined
  readonly online: ReadonlySet<string>
}

export const CampaignPage: FC<Props> = (props) => {
  const { visit, campaign, rows, shown, state, isWrong, next, online } = props
  const { frame } = visit
  const words = firmwareTexts(frame)
  const path = `${frame.root}/firmware-campaigns/${campaign.id}`
  const counts = ROW_STATES.map((one) => [one, rows.filter((row) => row.state === one).length] as const)
  return (
    <Page frame={frame} title={`${words.campaign} ${campaign.target.version}`} wide live>
      <Title
        text={[words.campaign, ' ', <bdi>{campaign.target.version}</bdi>]}
        up={[[`${frame.root}/firmware`, words.firmware]]}
      />
      <div data-live="campaign">
        <About {...props} />
        <Waves {...props} />
      </div>
      <section class="card" data-live="rows" aria-label={words.whichStations}>
        {isWrong && <Warning>{words.badState}</Warning>}
        <Tabs
          frame={frame}
          path={path}
          name="state"
          chosen={state}
          options={[
            [undefined, `${words.all} ${rows.length}`],
            ...counts.flatMap(([one, count]) =>
              count === 0 ? [] : [[one, `${words.rowStates[one]} ${count}`] as const],
            ),
          ]}
        />
        <Table<CampaignRow>
          rows={shown}
          empty={words.noRows}
          columns={[
            station(frame, words.station, ({ chargePointId }) => chargePointId),
            { title: words.wave, cell: ({ wave }) => (wave === 0 ? '' : wave) },
            chip(words.state, (row) => [rowStyle(row.state), words.rowStates[row.state]]),
            { title: words.status, text: ({ status }) => status },
            {
              title: words.reason,
              text: (row) =>
                row.reason ??
                (row.state === 'waiting' && !online.has(row.chargePointId) ? frame.texts.offline : undefined),
            },
            ago(frame, words.changed, ({ updatedAt }) => updatedAt, { wideOnly: false }),
          ]}
        />
        <Paging frame={frame} path={path} query={{ state }} next={next} />
      </section>
    </Page>
  )
}

const About: FC<Props> = ({ visit, campaign }) => {
  const { frame, csrf } = visit
  const words = firmwareTexts(frame)
  const { id, state, reason, selector, target, hours, soakUntil } = campaign
  const possible = ACTIONS.filter((action) => stateAfter(state, action) !== undefined)
  return (
    <section class="card">
      <p>
        <CampaignChip frame={frame} state={state} /> <bdi>{reason}</bdi>{' '}
        {soakUntil !== undefined && words.soaks(shownTime(frame, soakUntil))}
      </p>
      <Facts
        facts={[
          [words.whichStations, <SelectorText frame={frame} selector={selector} />],
          [
            words.version,
            <>
              <bdi>{target.version}</bdi> <bdi class="soft">{target.location}</bdi>{' '}
              <span class="chip">{target.signature === undefined ? words.unsigned : words.signed}</span>
            </>,
          ],
          [words.time, hours && `${hours.start}–${hours.end} ${hours.timeZone} ${(hours.days ?? []).join(' ')}`],
        ]}
      />
      {mayAct(visit) && possible.length > 0 && (
        <div class="actions">
          {possible.map((action) => (
            <Action
              to={`${frame.root}/firmware-campaigns/${id}/${action}`}
              csrf={csrf(tokenOf(id))}
              style={action === 'cancel' ? 'danger' : 'main'}
              ask={action === 'cancel' ? words.cancelHint : undefined}
              text={words.actions[action]}
            />
          ))}
        </div>
      )}
    </section>
  )
}

export function tokenOf(id: string): string {
  return `firmware campaign ${id}`
}

const Waves: FC<Props> = ({ visit, campaign, rows }) => {
  const words = firmwareTexts(visit.frame)
  const { waves, wave: current, maxFailureMillionths } = campaign
  const reached = waves.map((reach, at) => {
    const members = rows.filter(({ wave }) => wave === at + 1)
    const failed = members.filter(({ state }) => state === 'failed' || state === 'rejected').length
    const ended = failed + members.filter(({ state }) => state === 'succeeded').length
    return { wave: at + 1, reach, all: members.length, failed, ended }
  })
  return (
    <TableCard
      label={words.waves}
      plain
      rows={reached}
      row={({ wave }) => ({ 'aria-current': wave === current ? 'step' : undefined })}
      columns={[
        { title: words.wave, cell: ({ wave }) => (wave === current ? <strong>{wave}</strong> : wave) },
        { title: words.share, cell: ({ reach }) => reach.replace('%', ' %') },
        { title: words.reaches, cell: ({ all }) => all },
        {
          title: words.progress,
          cell: ({ all, ended }) => (
            <>
              <progress max={Math.max(1, all)} value={ended} aria-label={words.progress} /> {ended} / {all}
            </>
          ),
        },
        {
          title: words.failureRate,
          cell: ({ failed, ended }) => (
            <>
              <span class={failed > 0 ? 'warn-text' : ''}>
                {failed}
                {ended > 0 && ` (${shownFigure(visit.frame, (failed * 100) / ended, 1)} %)`}
              </span>{' '}
              <span class="soft">· {words.allowed(maxFailureMillionths / 10_000)}</span>
            </>
          ),
        },
      ]}
    />
  )
}

function rowStyle(state: RowState): string {
  if (state === 'succeeded') return 'good'
  return state === 'failed' || state === 'rejected' || state === 'notRecallable' ? 'bad' : ''
}
