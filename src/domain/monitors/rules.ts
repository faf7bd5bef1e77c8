/** What reports of monitors and events make of what is known (MONITOR-A5 to MONITOR-A8). */

import { followPage, newestReport } from '../device-model/following.ts'
import { withoutSecret } from '../device-model/variable-names.ts'
import type { Intent } from '../intents/records.ts'
import { putIntent } from '../intents/states.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { awaitsNumber, desiredMonitorOf, foundUnanswered, monitorMet, monitorOf } from './desired-monitors.ts'
import { monitorKey, type ReportedMonitor, type StationMonitor } from './records.ts'

/** Of one charge point; what it has beyond is not followed. */
export const MAX_MONITORS = 1000
const MAX_EVENTS_PER_HOUR = 1000
const HOUR_MS = 3600_000

export function onMonitorPage(draft: BlockDraft, input: InputOf<'monitorPage'>): Outcome {
  let fresh: readonly StationMonitor[] = []
  const followed = followPage(draft, input, 'monitors', (reportId) => {
    fresh = keepMonitors(draft, input.monitors, reportId)
    return fresh.length < new Set(input.monitors.map(({ id }) => id)).size
  })
  if (followed?.ending === 'complete') onMonitorsComplete(draft, followed.id, followed.truncated, fresh)
  if (!followed) reconcileReport(draft, fresh)
  return {}
}

/** All pages are here: what the report left out is gone, and intents are compared with it. */
export function onMonitorsComplete(
  draft: BlockDraft,
  reportId: number,
  truncated: boolean,
  fresh: readonly StationMonitor[],
): void {
  const { chargePointId } = draft.state
  const known = new Map(draft.state.records.all('station_monitors').map((each) => [each.id, each]))
  for (const each of fresh) known.set(each.id, each)
  if (truncated) return
  for (const { id, seenIn, updatedAt } of [...known.values()]) {
    // A monitor that was set during the report may be missing in it, and a newer report may contain it already.
    if ((seenIn !== undefined && seenIn >= reportId) || updatedAt > askedAt(draft, reportId)) continue
    draft.changeRecord({ kind: 'station_monitors', remove: { chargePointId, id } })
    known.delete(id)
  }
  const left = [...known.values()]
  for (const intent of draft.state.records.all('intents')) {
    if (intent.kind !== 'monitor' || intent.updatedAt > askedAt(draft, reportId)) continue
    const reported = monitorOf(left, intent.key)
    const isOurs = reported === undefined || reported.isOurs || !desiredMonitorOf(intent).clear
    putIntent(draft, intent, isOurs ? monitorMet(draft, intent, reported) : foundUnanswered(draft, intent, reported))
  }
}

/** A report that another party ordered may leave monitors out, but what it contains counts. */
function reconcileReport(draft: BlockDraft, fresh: readonly StationMonitor[]): void {
  if (fresh.length === 0) return
  for (const intent of draft.state.records.all('intents')) {
    const reported = intent.kind === 'monitor' && intent.state === 'verified' ? monitorOf(fresh, intent.key) : undefined
    if (reported) putIntent(draft, intent, monitorMet(draft, intent, reported))
  }
}

/** The charge point does not report its monitors: what it accepted stays accepted. */
export function onMonitorsUnreadable(draft: BlockDraft, reason: string): void {
  const known = draft.state.records.all('station_monitors')
  for (const intent of draft.state.records.all('intents')) {
    // A monitor without a number cannot be cleared.
    if (awaitsNumber(known, intent)) putIntent(draft, intent, undefined)
    if (intent.kind !== 'monitor' || intent.state !== 'applied') continue
    putIntent(draft, intent, { ...intent, reason: `not read back: ${reason}`.slice(0, 500) })
  }
}

/** Whether monitors are desired there, or the number of one must be found. */
export function wantsMonitors(draft: BlockDraft): boolean {
  const known = draft.state.records.all('station_monitors')
  const isOfUse = (intent: Intent): boolean => !desiredMonitorOf(intent).clear || awaitsNumber(known, intent)
  return draft.state.records.all('intents').some((intent) => intent.kind === 'monitor' && isOfUse(intent))
}

export function keepEvents(
  draft: BlockDraft,
  { events, dropped }: Pick<InputOf<'eventsNotified'>, 'events' | 'dropped'>,
): void {
  const { chargePointId } = draft.state
  const hour = Math.floor(draft.now / HOUR_MS)
  const before = draft.record('event_tallies', { chargePointId })
  const kept = before?.hour === hour ? before.kept : 0
  const room = events.slice(0, Math.max(0, MAX_EVENTS_PER_HOUR - kept))
  for (const { id, at, event } of room) {
    const componentName = event.component.name.toLowerCase()
    const put = { chargePointId, newness: -at, id, componentName, event: withoutSecret(event), receivedAt: draft.now }
    draft.changeRecord({ kind: 'station_events', put })
  }
  const left = (before?.dropped ?? 0) + dropped + events.length - room.length
  const put = { chargePointId, hour, kept: kept + room.length, dropped: left }
  draft.changeRecord({ kind: 'event_tallies', put })
}

function keepMonitors(
  draft: BlockDraft,
  monitors: readonly ReportedMonitor[],
  reportId: number | undefined,
): readonly StationMonitor[] {
  const { chargePointId } = draft.state
  const all = draft.state.records.all('station_monitors')
  const known = new Map(all.map((each) => [each.id, each]))
  const fresh = new Map<number, StationMonitor>()
  let room = MAX_MONITORS - all.length
  for (const { id, ...monitor } of monitors) {
    const before = known.get(id)
    if (!before && !fresh.has(id) && room-- <= 0) continue
    const key = monitorKey(monitor).toLowerCase()
    const isOurs = before?.key === key ? before.isOurs : wasSet(draft, key)
    const seenIn = newestReport(before?.seenIn, reportId)
    const put = { chargePointId, id, key, monitor, isOurs, seenIn, updatedAt: draft.now }
    fresh.set(id, put)
    draft.changeRecord({ kind: 'station_monitors', put })
  }
  return [...fresh.values()]
}

/** It was accepted without its number. */
function wasSet(draft: BlockDraft, key: string): boolean {
  return draft.state.records
    .all('intents')
    .some(
      (intent) => intent.kind === 'monitor' && intent.appliedRevision !== undefined && intent.key.toLowerCase() === key,
    )
}

function askedAt(draft: BlockDraft, id: number): number {
  return draft.record('reports', { chargePointId: draft.state.chargePointId, id })?.askedAt ?? draft.now
}
