/** What becomes of an intent for a monitor beside its state (MONITOR-A3, MONITOR-A4). */
import type { BlockDraft } from '../../ports/blocks.ts'
import type { Intent, IntentAnswer } from '../intents/records.ts'
import { answered, failed, found, wanted } from '../intents/states.ts'
import { monitorText } from './names.ts'
import type { MonitorWish, StationMonitor } from './records.ts'

/** What was set together is asked for together. */
const LOOK_AFTER_MS = 5_000
/** A charge point that calls it a duplicate and reports none like it is believed after so many attempts. */
const MOST_DUPLICATES = 3

export function wishOf({ desired }: Pick<Intent, 'desired'>): MonitorWish {
  return desired as MonitorWish
}

/** The one of the charge point that an intent means; of two our own. */
export function monitorOf(all: readonly StationMonitor[], key: string): StationMonitor | undefined {
  const name = key.toLowerCase()
  return all.find((each) => each.key === name && each.isOurs) ?? all.find((each) => each.key === name)
}

/** Wanted no longer: what was set is cleared, and what may have been set as well. Undefined: it is forgotten. */
export function clearing(draft: BlockDraft, intent: Intent): Intent | undefined {
  const { chargePointId, accountId } = draft.state
  const { kind, key, state, appliedRevision } = intent
  if (wishOf(intent).clear) return intent
  const known = monitorOf(draft.state.records.all('station_monitors'), key)
  const mayBeThere =
    known?.isOurs === true || state === 'sent' || (appliedRevision !== undefined && state === 'applied')
  if (!mayBeThere) return undefined
  const desired: MonitorWish = { ...wishOf(intent), clear: true }
  return wanted(intent, { kind, key, desired }, { chargePointId, accountId }, draft.now)
}

/** @returns undefined where nothing more is wanted: it was cleared */
export function monitorAnswered(
  draft: BlockDraft,
  intent: Intent,
  revision: number,
  answer: IntentAnswer,
): Intent | undefined {
  const { chargePointId } = draft.state
  const { firmwareVersion } = draft.state.status
  const { clear, ...monitor } = wishOf(intent)
  const known = monitorOf(draft.state.records.all('station_monitors'), intent.key)
  const isTaken = answer.outcome === 'accepted'
  if (clear && revision === intent.revision && isTaken) {
    if (known) draft.changeRecord({ kind: 'station_monitors', remove: { chargePointId, id: known.id } })
    return undefined
  }
  if (isTaken && answer.monitorId !== undefined) {
    const { monitorId: id } = answer
    if (known && known.id !== id) {
      draft.changeRecord({ kind: 'station_monitors', remove: { chargePointId, id: known.id } })
    }
    const put = { chargePointId, id, key: intent.key.toLowerCase(), monitor, isOurs: true, updatedAt: draft.now }
    draft.changeRecord({ kind: 'station_monitors', put })
  }
  if (answer.isDuplicate && known === undefined && intent.attempts < MOST_DUPLICATES) {
    lookSoon(draft)
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
  lookSoon(draft)
  // It is not read back by a call of its own: a report of all monitors tells.
  const { nextAttemptAt: _, ...awaiting } = after
  return awaiting
}

/** Asks for the monitors of the charge point a little later. */
export function lookSoon(draft: BlockDraft, waitMs = LOOK_AFTER_MS): void {
  const { chargePointId } = draft.state
  const known = draft.record('device_models', { chargePointId })
  const model = known ?? { chargePointId, failures: 0, asksInTens: false, limits: {}, variableCount: 0 }
  const monitorsDueAt = draft.now + waitMs
  if (model.monitorsDueAt !== undefined && model.monitorsDueAt >= draft.now && model.monitorsDueAt <= monitorsDueAt)
    return
  draft.changeRecord({ kind: 'device_models', put: { ...model, monitorsDueAt } })
}

/** A complete report says which monitors there are (MONITOR-A5). @returns undefined: it was cleared */
export function monitorMet(intent: Intent, told: StationMonitor | undefined, now: number): Intent | undefined {
  const { clear, ...monitor } = wishOf(intent)
  if (clear) return told === undefined && intent.state !== 'sent' ? undefined : intent
  const text = monitorText(monitor)
  const has = told === undefined ? 'no such monitor' : monitorText(told.monitor)
  return found(intent, { value: has }, now, text)
}
