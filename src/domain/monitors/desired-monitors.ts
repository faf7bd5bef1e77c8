/** What becomes of an intent for a monitor beside its state (MONITOR-A3, MONITOR-A4). */

import { lookAgain } from '../device-model/following.ts'
import type { Intent, IntentAnswer, Want } from '../intents/records.ts'
import { answered, failed, found, intentName, requested } from '../intents/states.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import { recordsOf } from '../records/records-of.ts'
import { type DesiredMonitor, type MonitorSet, monitorKey, monitorText, type StationMonitor } from './records.ts'

/** What was set together is asked for together. */
const LOOK_AFTER_MS = 5_000
/** A charge point that calls it a duplicate and reports none like it is believed after so many attempts. */
const MAX_DUPLICATES = 3

const monitors = recordsOf('station_monitors')

export function desiredMonitorOf({ desired }: Pick<Intent, 'desired'>): DesiredMonitor {
  return desired as DesiredMonitor
}

export function monitorOf(all: readonly StationMonitor[], key: string): StationMonitor | undefined {
  const name = key.toLowerCase()
  return all.find((each) => each.key === name && each.isOurs) ?? all.find((each) => each.key === name)
}

/** It was sent, and no answer has come yet: the charge point may have it under an unknown number. */
function isUnanswered({ attempts, state }: Pick<Intent, 'attempts' | 'state'>): boolean {
  return attempts > 0 && (state === 'sent' || state === 'pending' || state === 'expired')
}

/** Another desired state of the same monitor does not make one known that may be there. */
export function stillUnanswered(before: Intent | undefined, after: Intent): Intent {
  if (!before || after === before || after.kind !== 'monitor' || !isUnanswered(before)) return after
  return { ...after, attempts: before.attempts }
}

/** It is cleared once its number is known: an answer or a report tells it (MONITOR-A4). */
export function awaitsNumber(all: readonly StationMonitor[], intent: Intent): boolean {
  const isClear = intent.kind === 'monitor' && desiredMonitorOf(intent).clear === true
  return isClear && intent.attempts > 0 && monitorOf(all, intent.key)?.isOurs !== true
}

/** Withdrawn: the monitor is cleared, even if it is unknown whether it was set. Undefined: the intent is forgotten. */
export function clearing(draft: BlockDraft, intent: Intent): Intent | undefined {
  const { chargePointId, accountId } = draft.state
  const { kind, key, state, appliedRevision, attempts } = intent
  if (desiredMonitorOf(intent).clear) return intent
  const isThere = monitorOf(draft.state.records.all('station_monitors'), key)?.isOurs === true
  const mayBeThere = isUnanswered(intent) || (appliedRevision !== undefined && state === 'applied')
  if (!isThere && !mayBeThere) return undefined
  const desired: DesiredMonitor = { ...desiredMonitorOf(intent), clear: true }
  const clear = requested(intent, { kind, key, desired }, { chargePointId, accountId }, draft.now)
  if (isThere) return clear
  // The answer to the set that is under way decides.
  if (state !== 'sent') scheduleSnapshot(draft)
  return { ...clear, attempts: Math.max(1, attempts), reason: 'its number is not known yet' }
}

/** @returns undefined where it is known now that the charge point does not have it */
export function monitorFailed(draft: BlockDraft, intent: Intent, isUnsent: boolean): Intent | undefined {
  if (!awaitsNumber(draft.state.records.all('station_monitors'), intent)) return intent
  if (isUnsent && intent.attempts <= 1) return undefined
  scheduleSnapshot(draft)
  return isUnsent ? { ...intent, attempts: intent.attempts - 1 } : intent
}

/** @returns undefined: it was cleared and is no longer desired */
export function monitorAnswered(
  draft: BlockDraft,
  intent: Intent,
  revision: number,
  answer: IntentAnswer,
): Intent | undefined {
  const { chargePointId } = draft.state
  const { firmwareVersion } = draft.state.status
  const { clear, ...monitor } = desiredMonitorOf(intent)
  const known = monitorOf(draft.state.records.all('station_monitors'), intent.key)
  const isTaken = answer.outcome === 'accepted'
  if (clear && revision === intent.revision && isTaken) {
    if (known) monitors.remove(draft, known)
    return undefined
  }
  if (isTaken && answer.monitorId !== undefined) {
    const { monitorId: id } = answer
    if (known && known.id !== id) monitors.remove(draft, known)
    const put = { chargePointId, id, key: intent.key.toLowerCase(), monitor, isOurs: true, updatedAt: draft.now }
    monitors.put(draft, put)
  }
  if (clear && revision !== intent.revision && known?.isOurs !== true && answer.monitorId === undefined) {
    if (!isTaken && !answer.isDuplicate && intent.attempts <= 1) return undefined
    scheduleSnapshot(draft)
  }
  if (answer.isDuplicate && known === undefined && intent.attempts < MAX_DUPLICATES) {
    scheduleSnapshot(draft)
    return failed(
      intent,
      'set',
      revision,
      'the charge point has one like it, for whose number it is asked',
      false,
      draft.now,
    )
  }
  const after = answered(intent, revision, answer, firmwareVersion, draft.now)
  if (after === intent || after.state !== 'applied') return after
  scheduleSnapshot(draft)
  // No call of its own reads it back: the report of all monitors does.
  const { nextAttemptAt: _, ...awaiting } = after
  return awaiting
}

function scheduleSnapshot(draft: BlockDraft): void {
  lookAgain(draft, 'monitors', LOOK_AFTER_MS)
}

/**
 * Whether a reported monitor is the one that was set without an answer: it has its value. @returns undefined: it is not
 */
export function foundUnanswered(draft: BlockDraft, intent: Intent, reported: StationMonitor): Intent | undefined {
  const { clear: _, ...monitor } = desiredMonitorOf(intent)
  if (monitorText(reported.monitor) !== monitorText(monitor)) return undefined
  monitors.put(draft, { ...reported, isOurs: true })
  const { reason: _r, ...rest } = intent
  return { ...rest, nextAttemptAt: draft.now }
}

/** A complete report says which monitors there are (MONITOR-A5). @returns undefined: it was cleared */
export function monitorMet(
  { now, state: { status } }: BlockDraft,
  intent: Intent,
  reported: StationMonitor | undefined,
): Intent | undefined {
  const { clear, ...monitor } = desiredMonitorOf(intent)
  if (clear) return reported === undefined && intent.state !== 'sent' ? undefined : intent
  const { firmwareVersion } = status
  const has = reported === undefined ? 'no such monitor' : monitorText(reported.monitor)
  return found(intent, { value: has }, now, { firmwareVersion, desired: monitorText(monitor), isReadable: false })
}

/** The monitors of a station, merged from all sets that select it (MONITOR-A2). */
export function namesOfMonitors({ monitors }: Pick<MonitorSet, 'monitors'>): readonly string[] {
  return monitors.map((monitor) => intentName({ kind: 'monitor', key: monitorKey(monitor) }))
}

/** Of all these the set changed last says the value. @param sets each with the monitor's place in it; at least one */
export function monitorWantOf(sets: readonly { readonly desired: MonitorSet; readonly at: number }[]): Want {
  const ranked = [...sets].sort(
    ({ desired: one }, { desired: other }) => one.updatedAt - other.updatedAt || (one.name < other.name ? -1 : 1),
  )
  const last = ranked.at(-1)
  const monitor = last?.desired.monitors[last.at]
  if (!monitor) throw new RangeError('A set of monitors does not have so many.')
  return {
    kind: 'monitor',
    key: monitorKey(monitor),
    desired: monitor,
    source: { monitors: ranked.map(({ desired }) => desired.name) },
  }
}
