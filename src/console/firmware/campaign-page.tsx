/** A campaign: its waves, what became of each charge point, and what may be done with it (CONSOLE-N7). */
import type { FC } from 'hono/jsx'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import { type CampaignAction, stateAfter } from '../../domain/firmware/campaign.ts'
import type { Campaign, CampaignRow, CampaignState, RowState } from '../../domain/firmware/records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { Action, type Frame, Page, Warning } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table, TableCard, Title } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import { shownTime } from '../../web/times.tsx'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { Paging, StateTabs } from '../kit/list.tsx'
import { pageOfRows } from '../kit/listing.ts'
import { ago, Chip, chip, Facts, station, wordsIn } from '../kit/parts.tsx'
import { SelectorText } from '../selector/choosing.tsx'
import { acting, mayAct, showing, type Visit } from '../visit.tsx'

export const CAMPAIGNS = '/firmware-campaigns'

const STYLES: Readonly<Record<CampaignState, string>> = {
  draft: '',
  running: 'good',
  paused: 'amber',
  stopped: 'bad',
  cancelled: '',
  done: 'good',
}

export const CampaignChip: FC<{ frame: Frame; state: CampaignState }> = ({ frame, state }) => (
  <Chip tone={STYLES[state]} text={wordsIn('firmware', frame).states[state]} />
)

const ACTIONS = ['start', 'pause', 'resume', 'cancel'] as const satisfies readonly CampaignAction[]

const ROW_STATES = [
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

export function showCampaign(rollouts: Rollouts): ConsolePage {
  return showing('see', async (visit) => {
    const campaign = await find(visit)
    if (!campaign) return undefined
    const { context, frame } = visit
    const words = wordsIn('firmware', frame)
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
    const path = `${frame.root}${CAMPAIGNS}/${campaign.id}`
    const counts: Partial<Record<RowState, number>> = {}
    for (const row of all) counts[row.state] = (counts[row.state] ?? 0) + 1
    const page = (
      <Page frame={frame} title={`${words.campaign} ${campaign.target.version}`} wide live>
        <Title
          text={[words.campaign, ' ', <bdi>{campaign.target.version}</bdi>]}
          up={[[`${frame.root}/firmware`, words.firmware]]}
        />
        <div data-live="campaign">
          <About visit={visit} campaign={campaign} />
          <Waves frame={frame} campaign={campaign} rows={all} />
        </div>
        <section class="card" data-live="rows" aria-label={words.whichStations}>
          {isWrong && <Warning>{words.badState}</Warning>}
          <StateTabs
            {...{ frame, path, chosen: state, states: ROW_STATES, words: words.rowStates, counts, all: all.length }}
          />
          <Table<CampaignRow>
            rows={rows}
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
          <Paging frame={frame} path={path} query={{ state }} next={last?.chargePointId} />
        </section>
      </Page>
    )
    return isWrong ? { page, status: 400 } : page
  })
}

export function act(rollouts: Rollouts): ConsolePage {
  return acting(actionOf, async (visit) => {
    const campaign = await find(visit)
    const action = ACTIONS.find((one) => one === visit.context.req.param('action'))
    if (!campaign || !action) return noSuch('campaign')
    if (await rollouts.act(campaign, action, { isPerson: true })) return `${CAMPAIGNS}/${campaign.id}`
    const { state } = (await find(visit)) ?? campaign
    const words = wordsIn('firmware', visit.frame)
    return refuse(409, 'campaign_state', words.wrongState(words.states[state]))
  })
}

function actionOf({ req }: PageContext): string {
  return `firmware campaign ${req.param('campaignId')}`
}

async function find({ site, context, accountId }: Visit): Promise<Campaign | undefined> {
  return site.reads.getRecord('firmware_campaigns', { accountId, id: context.req.param('campaignId') ?? '' })
}

export async function onlineOf({ core }: ConsoleSite, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = ids.length === 0 ? [] : await core.connectivity(ids)
  return new Set(found.filter(({ online }) => online).map(({ chargePointId }) => chargePointId))
}

const About: FC<{ visit: Visit; campaign: Campaign }> = ({ visit, campaign }) => {
  const { frame, csrf, context } = visit
  const words = wordsIn('firmware', frame)
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
              to={`${frame.root}${CAMPAIGNS}/${id}/${action}`}
              csrf={csrf(actionOf(context))}
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

type WavesProps = { frame: Frame; campaign: Campaign; rows: readonly CampaignRow[] }

const Waves: FC<WavesProps> = ({ frame, campaign, rows }) => {
  const words = wordsIn('firmware', frame)
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
                {ended > 0 && ` (${shownFigure(frame, (failed * 100) / ended, 1)} %)`}
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
