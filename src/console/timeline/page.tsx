/** Everything that happened to a charge point, a page at a time (CONSOLE-N12). */

import type { FC } from 'hono/jsx'
import { chargePointTimeline, isTimelinePosition, type TimelineEntry } from '../../application/timeline/orders.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import { TIMELINE_KINDS } from '../../domain/timeline/records.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { TextLink } from '../../web/parts/table.tsx'
import { Instant, shownTime } from '../../web/times.tsx'
import { showingStation } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { saidOf } from '../history/history.tsx'
import { Paging, Tabs } from '../kit/list.tsx'
import { Chip, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, messagePath, sessionPath } from '../paths.ts'

/** Of an address; what is longer is none of ours. */
const MAX_PLACE_LENGTH = 8000

export const addTimelinePage: MountConsolePages = (page) => {
  page('/charge-points/:chargePoint/timeline', { GET: showTimeline })
}

const showTimeline: ConsolePage = showingStation('see', async (visit, view) => {
  const { site, context, accountId, frame } = visit
  const kind = TIMELINE_KINDS.find((one) => one === context.req.query('kind'))
  const window = {
    accountId,
    chargePointId: view.id,
    from: undefined,
    to: undefined,
    kinds: kind && new Set([kind]),
  }
  const before = placeOf(context.req.query('before'))
  const [chargePoint, { entries, positions }] = await Promise.all([
    shownNow(visit, view),
    chargePointTimeline(site, window, before, frame.pageSize),
  ])
  const words = wordsIn('timeline', frame)
  const path = `${chargePointPath(frame, view.id)}/timeline`
  return (
    <Page frame={frame} title={words.timeline} wide>
      <StationHead visit={visit} chargePoint={chargePoint} at="timeline" />
      <Tabs
        frame={frame}
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
            {entries.map(({ entry }) => (
              <li>
                <Entry frame={frame} chargePointId={view.id} entry={entry as TimelineEntry} />
              </li>
            ))}
          </ul>
        )}
        <Paging
          frame={frame}
          path={path}
          query={{ kind }}
          next={positions && { before: textOf(positions) }}
          newestFirst
        />
      </section>
    </Page>
  )
})

function placeOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text.length > MAX_PLACE_LENGTH) return undefined
  const place = parsedJson(Buffer.from(text, 'base64url').toString('utf8'))
  return isTimelinePosition(place) ? place : undefined
}

function textOf(positions: readonly string[]): string {
  return Buffer.from(JSON.stringify(positions)).toString('base64url')
}

const BAD: ReadonlySet<string> = new Set(['refused', 'security'])

const Entry: FC<{ frame: Frame; chargePointId: string; entry: TimelineEntry }> = ({ frame, chargePointId, entry }) => {
  const words = wordsIn('timeline', frame)
  const { at, kind, count, lastAt } = entry
  return (
    <>
      <span class="time">
        <Instant frame={frame} at={Date.parse(at)} />
      </span>{' '}
      <Chip tone={kind === 'connected' ? 'good' : BAD.has(kind) ? 'bad held' : ''} text={words.kinds[kind]} />{' '}
      <Said frame={frame} chargePointId={chargePointId} entry={entry} />{' '}
      {count !== undefined && (
        <span class="soft">
          {words.times(count)}
          {lastAt !== undefined && `, ${words.until} ${shownTime(frame, Date.parse(lastAt))}`}
        </span>
      )}
    </>
  )
}

const Said: FC<{ frame: Frame; chargePointId: string; entry: TimelineEntry }> = ({ frame, chargePointId, entry }) => {
  const words = wordsIn('timeline', frame)
  const { id, kind, method, direction, status, error, sessionId, state, key, intentKind, reason, commandId } = entry
  if (kind === 'command') {
    return (
      <>
        <TextLink to={messagePath(frame, chargePointId, id)} text={method ?? ''} />{' '}
        <bdi>
          {line([
            direction && words.directions[direction],
            wordOf(wordsIn('messages', frame).commandStatuses, status),
            error?.code,
            error?.description,
          ])}
        </bdi>
      </>
    )
  }
  if (kind === 'session' && sessionId !== undefined) {
    return (
      <>
        <a href={sessionPath(frame, sessionId)}>{placeOfSession(frame, entry) || words.session}</a>{' '}
        <bdi>{wordOf(wordsIn('sessions', frame).sessionStates, state)}</bdi>
      </>
    )
  }
  if (kind === 'intent') {
    const said = (
      <bdi>
        {line([
          wordOf(wordsIn('intents', frame).kinds, intentKind),
          key,
          wordOf(wordsIn('intents', frame).states, state),
          reason,
        ])}
      </bdi>
    )
    return commandId === undefined ? said : <a href={messagePath(frame, chargePointId, commandId)}>{said}</a>
  }
  const { id: _, at: __, kind: ___, count: ____, lastAt: _____, error: ______, ...details } = entry
  return <bdi>{saidOf({ details }, frame)}</bdi>
}

function placeOfSession(frame: Frame, { evseId, connectorId }: TimelineEntry): string | undefined {
  const place = [evseId, connectorId].filter((part) => part !== undefined)
  return place.length > 0 ? `${wordsIn('sessions', frame).connector} ${place.join('/')}` : undefined
}

function wordOf(names: Readonly<Record<string, string>>, state: string | undefined): string | undefined {
  return state && (names[state] ?? state)
}

function line(parts: readonly (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}
