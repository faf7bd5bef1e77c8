import type { FC } from 'hono/jsx'
import { type CampaignAction, stateAfter } from '../../domain/firmware/campaign.ts'
import type { Campaign, CampaignRow, RowState } from '../../domain/firmware/records.ts'
import { Action } from '../../web/action.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { SelectorText } from '../selector/choosing.tsx'
import { operatorTexts } from '../texts.ts'
import { CampaignChip } from './firmware-page.tsx'
import { firmwareTexts } from './texts.ts'

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
  readonly frame: Frame
  readonly campaign: Campaign
  readonly rows: readonly CampaignRow[]
}

/** One campaign: its waves with what became of them, and each of its charge points. */
export const CampaignPage: FC<
  Props & {
    shown: readonly CampaignRow[]
    state: RowState | undefined
    isWrong: boolean
    next?: string
    online: ReadonlySet<string>
    csrf?: string
  }
> = ({ frame, campaign, rows, shown, state, isWrong, next, online, csrf }) => {
  const words = firmwareTexts(frame)
  const path = `${frame.root}/firmware-campaigns/${campaign.id}`
  return (
    <Page frame={frame} title={`${words.campaign} ${campaign.target.version}`} wide live>
      <h1>
        {words.campaign} <bdi>{campaign.target.version}</bdi>
      </h1>
      <div data-live="campaign">
        <About frame={frame} campaign={campaign} {...(csrf !== undefined && { csrf })} />
        <Waves frame={frame} campaign={campaign} rows={rows} />
      </div>
      <section class="card" data-live="rows" aria-label={words.whichStations}>
        {isWrong && <Warning>{words.badState}</Warning>}
        <p class="filters">
          <a href={path} aria-current={state === undefined ? 'page' : undefined}>
            {words.all} {rows.length}
          </a>
          {ROW_STATES.map((one) => [one, rows.filter((row) => row.state === one).length] as const)
            .filter(([, count]) => count > 0)
            .map(([one, count]) => (
              <a href={path + queryText({ state: one })} aria-current={one === state ? 'page' : undefined}>
                {words.rowStates[one]} {count}
              </a>
            ))}
        </p>
        {shown.length === 0 ? <p class="soft">{words.noRows}</p> : <Rows {...{ frame, rows: shown, online }} />}
        {next !== undefined && (
          <p class="filters">
            <a href={path + queryText({ ...(state && { state }), after: next })} rel="next">
              {operatorTexts(frame).next}
            </a>
          </p>
        )}
      </section>
      <p>
        <a href={`${frame.root}/firmware`}>{words.firmware}</a>
      </p>
    </Page>
  )
}

const About: FC<{ frame: Frame; campaign: Campaign; csrf?: string | undefined }> = ({ frame, campaign, csrf }) => {
  const words = firmwareTexts(frame)
  const { id, state, reason, selector, target, hours, soakUntil } = campaign
  const possible = ACTIONS.filter((action) => stateAfter(state, action) !== undefined)
  return (
    <section class="card">
      <p>
        <CampaignChip frame={frame} state={state} /> <bdi>{reason}</bdi>{' '}
        {soakUntil !== undefined && words.soaks(shownTime(soakUntil))}
      </p>
      <dl>
        <dt>{words.whichStations}</dt>
        <dd>
          <SelectorText frame={frame} selector={selector} />
        </dd>
        <dt>{words.version}</dt>
        <dd>
          <bdi>{target.version}</bdi> <bdi class="soft">{target.location}</bdi>{' '}
          <span class="chip">{target.signature === undefined ? words.unsigned : words.signed}</span>
        </dd>
        {hours && (
          <>
            <dt>{operatorTexts(frame).time}</dt>
            <dd>
              {hours.start}–{hours.end} {hours.timeZone} {(hours.days ?? []).join(' ')}
            </dd>
          </>
        )}
      </dl>
      {csrf !== undefined && possible.length > 0 && (
        <div class="actions">
          {possible.map((action) => (
            <Action
              to={`${frame.root}/firmware-campaigns/${id}/${action}`}
              csrf={csrf}
              style={action === 'cancel' ? 'danger' : 'main'}
              {...(action === 'cancel' && { ask: words.cancelHint })}
            >
              {words.actions[action]}
            </Action>
          ))}
        </div>
      )}
    </section>
  )
}

const Waves: FC<Props> = ({ frame, campaign: { waves, wave: current, maxFailureMillionths }, rows }) => {
  const words = firmwareTexts(frame)
  return (
    <section class="card scrolls" aria-label={words.waves} tabindex={0}>
      <table>
        <thead>
          <tr>
            {[words.wave, '', words.reaches, words.progress, words.failureRate].map((title) =>
              title === '' ? <td /> : <th scope="col">{title}</th>,
            )}
          </tr>
        </thead>
        <tbody>
          {waves.map((reach, at) => {
            const members = rows.filter(({ wave }) => wave === at + 1)
            const failed = members.filter(({ state }) => state === 'failed' || state === 'rejected').length
            const ended = failed + members.filter(({ state }) => state === 'succeeded').length
            return (
              <tr aria-current={at + 1 === current ? 'step' : undefined}>
                <td>{at + 1 === current ? <strong>{at + 1}</strong> : at + 1}</td>
                <td>{reach}</td>
                <td>{members.length}</td>
                <td>
                  <progress max={Math.max(1, members.length)} value={ended} aria-label={words.progress} /> {ended} /{' '}
                  {members.length}
                </td>
                <td>
                  <span class={failed > 0 ? 'warn-text' : ''}>
                    {failed}
                    {ended > 0 && ` (${Math.round((failed * 1000) / ended) / 10} %)`}
                  </span>{' '}
                  <span class="soft">{words.allowed(maxFailureMillionths / 10_000)}</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

const Rows: FC<{ frame: Frame; rows: readonly CampaignRow[]; online: ReadonlySet<string> }> = ({
  frame,
  rows,
  online,
}) => {
  const words = firmwareTexts(frame)
  return (
    <table class="cards">
      <Headings of={[words.station, words.wave, words.state, words.status, words.reason, words.changed]} />
      <tbody>
        {rows.map(({ chargePointId: id, wave, state, status, reason, updatedAt }) => (
          <tr>
            <td class="host">
              <a href={chargePointPath(frame, id)}>
                <bdi>{id}</bdi>
              </a>
            </td>
            <td data-label={words.wave}>{wave === 0 ? '' : wave}</td>
            <td data-label={words.state}>
              <span class={`chip ${rowStyle(state)}`}>{words.rowStates[state]}</span>
            </td>
            <TextCell label={words.status} text={status} />
            <TextCell
              label={words.reason}
              text={reason ?? (state === 'waiting' && !online.has(id) ? frame.texts.offline : undefined)}
            />
            <td class="time">{shownTime(updatedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function rowStyle(state: RowState): string {
  if (state === 'succeeded') return 'good'
  return state === 'failed' || state === 'rejected' || state === 'notRecallable' ? 'bad' : ''
}
