import type { FC } from 'hono/jsx'
import type { TimelineEntry } from '../../application/timeline/schemas.ts'
import { TIMELINE_KINDS, type TimelineKind } from '../../domain/timeline/records.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { saidOf } from '../history/history-rows.tsx'
import { historyTexts } from '../history/texts.ts'
import { Paging, Tabs } from '../kit/list.tsx'
import { OfStation } from '../kit/of-station.tsx'
import { TextLink } from '../kit/table.tsx'
import { chargePointPath, messagePath, sessionPath } from '../paths.ts'
import { timelineTexts } from './texts.ts'

const BAD: ReadonlySet<string> = new Set(['refused', 'security'])

export const TimelinePage: FC<{
  frame: Frame
  chargePointId: string
  /** Only these. */
  kind: TimelineKind | undefined
  entries: readonly TimelineEntry[]
  /** Where the next page begins. */
  next: string | undefined
}> = ({ frame, chargePointId, kind, entries, next }) => {
  const words = timelineTexts(frame)
  const path = `${chargePointPath(frame, chargePointId)}/timeline`
  return (
    <Page frame={frame} title={words.timeline} wide>
      <OfStation frame={frame} what={words.timeline} id={chargePointId} />
      <Tabs
        label={words.narrowed}
        path={path}
        name="kind"
        chosen={kind}
        options={[[undefined, words.all], ...TIMELINE_KINDS.map((one) => [one, words.kinds[one]] as const)]}
      />
      <section class="card">
        {entries.length === 0 && <p class="soft">{words.nothing}</p>}
        {entries.length > 0 && (
          <ul class="rows">
            {entries.map((entry) => (
              <li>
                <Entry frame={frame} chargePointId={chargePointId} entry={entry} />
              </li>
            ))}
          </ul>
        )}
        <Paging
          frame={frame}
          path={path}
          query={{ kind }}
          next={next === undefined ? undefined : { before: next }}
          newestFirst
        />
      </section>
    </Page>
  )
}

const Entry: FC<{ frame: Frame; chargePointId: string; entry: TimelineEntry }> = ({ frame, chargePointId, entry }) => {
  const words = timelineTexts(frame)
  const { at, kind, count, lastAt } = entry
  return (
    <>
      <span class="time">{shown(at)}</span>{' '}
      <span class={`chip ${kind === 'connected' ? 'good' : BAD.has(kind) ? 'bad' : ''}`}>{words.kinds[kind]}</span>{' '}
      <Said frame={frame} chargePointId={chargePointId} entry={entry} />{' '}
      {count !== undefined && (
        <span class="soft">
          {words.times(count)}
          {lastAt !== undefined && `, ${words.until} ${shown(lastAt)}`}
        </span>
      )}
    </>
  )
}

/** What it says, with a way to what it is about. */
const Said: FC<{ frame: Frame; chargePointId: string; entry: TimelineEntry }> = ({ frame, chargePointId, entry }) => {
  const words = timelineTexts(frame)
  const { id, kind, method, direction, status, error, sessionId, state, key, intentKind, reason, commandId } = entry
  if (kind === 'command') {
    return (
      <>
        <TextLink to={messagePath(frame, chargePointId, id)} text={method ?? ''} />{' '}
        <bdi>{line([direction && words.directions[direction], status, error?.code, error?.description])}</bdi>
      </>
    )
  }
  if (kind === 'session' && sessionId !== undefined) {
    return (
      <>
        <a href={sessionPath(frame, sessionId)}>{words.session}</a>{' '}
        <bdi>{line([entry.evseId, entry.connectorId, state])}</bdi>
      </>
    )
  }
  if (kind === 'intent') {
    const said = <bdi>{line([intentKind, key, state, reason])}</bdi>
    return commandId === undefined ? said : <a href={messagePath(frame, chargePointId, commandId)}>{said}</a>
  }
  const { id: _, at: __, kind: ___, count: ____, lastAt: _____, error: ______, ...details } = entry
  return <bdi>{saidOf({ details }, historyTexts(frame))}</bdi>
}

function line(parts: readonly (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

function shown(time: string): string {
  return time.replace('T', ' ').replace('Z', '')
}
