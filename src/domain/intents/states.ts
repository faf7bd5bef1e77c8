/** What each thing that can happen makes of an intent (INTENT-A2). Pure; the same record: nothing changed. */

import { isUnordered } from '../device-model/objection.ts'
import { isDue, isRecent } from '../due.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { FoundValue, Intent, IntentAnswer, IntentName, IntentState, Want } from './records.ts'
import { isWork } from './work.ts'

const FIRST_WAIT_MS = 60_000
const MAX_WAIT_MS = 3600_000
const DAY_MS = 24 * 3600_000
/** CONFIG-A7: how long after another value was found it is set again, the first, second and third time of a day. */
const SET_AGAIN_MS = [10_000, 60_000, 600_000]
/** Then it is read once more before it is given up: some stations take a value late. */
const LAST_LOOK_MS = 60_000
/** A value that cannot be read back in so many attempts stays `applied`. */
const MAX_READS = 5

/** Final until another value is desired or the firmware changes (INTENT-A4). */
const GIVEN_UP: ReadonlySet<IntentState> = new Set(['rejected', 'unsupported', 'conflict'])

/** INTENT-A6: one minute, then twice as long each time, an hour at most. */
export function backOff(attempts: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(10, Math.max(0, attempts - 1)))
}

/** Not where our clock was put back since: nothing waits longer than the longest wait. */
export function isWaiting(dueAt: number | undefined, now: number): boolean {
  return dueAt !== undefined && !isDue(dueAt, now, MAX_WAIT_MS)
}

/** INTENT-A3: another value is a new revision, which takes the place of the older one whatever became of that. */
export function requested(
  before: Intent | undefined,
  want: Want,
  place: Pick<Intent, 'chargePointId' | 'accountId'>,
  now: number,
): Intent {
  const { desired, expiresAt, source, variable, grantId } = want
  if (before && isSame(before.desired, desired) && before.state !== 'expired') {
    if (before.expiresAt === expiresAt && isSame(before.source, source) && before.grantId === grantId) return before
    return { ...before, expiresAt, source, grantId }
  }
  return {
    ...place,
    kind: want.kind,
    key: before?.key ?? want.key,
    desired,
    isSecret: want.isSecret === true,
    variable,
    revision: (before?.revision ?? 0) + 1,
    ...(before?.appliedRevision !== undefined && { appliedRevision: before.appliedRevision }),
    state: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    expiresAt,
    drifts: [],
    source,
    grantId,
    updatedAt: now,
  }
}

/** A command that carries it is committed: until its outcome is known nothing else is sent for it. */
export function sent(before: Intent, commandId: string, now: number): Intent {
  if (before.state !== 'pending') return before
  return {
    ...without(before, 'nextAttemptAt', 'reason'),
    state: 'sent',
    attempts: before.attempts + 1,
    commandId,
    updatedAt: now,
  }
}

/** It is being read back: not again before that is over. */
export function reading(before: Intent, now: number): Intent {
  if (before.state !== 'applied') return before
  return { ...before, attempts: before.attempts + 1, nextAttemptAt: now + MAX_WAIT_MS }
}

/** @param revision that the command carried; an older one says nothing about the desired value */
export function answered(
  before: Intent,
  revision: number,
  answer: IntentAnswer,
  firmwareVersion: string | undefined,
  now: number,
): Intent {
  const { outcome, reason } = answer
  const isTaken = outcome === 'accepted' || outcome === 'rebootRequired'
  if (revision !== before.revision) {
    return isTaken && revision > (before.appliedRevision ?? 0) ? { ...before, appliedRevision: revision } : before
  }
  const open = without(before, 'nextAttemptAt', 'reason', 'firmwareVersion', 'resetAt')
  if (isTaken) {
    const taken = { ...open, appliedRevision: revision, updatedAt: now }
    if (outcome === 'rebootRequired') return { ...taken, state: 'rebootRequired' }
    return { ...taken, state: 'applied', attempts: 0, nextAttemptAt: now }
  }
  return {
    ...open,
    state: outcome,
    ...(reason !== undefined && { reason }),
    ...(firmwareVersion !== undefined && { firmwareVersion }),
    updatedAt: now,
  }
}

/** No answer, or none that says anything of it. What never left was no attempt. */
export function failed(
  before: Intent,
  step: 'set' | 'read',
  revision: number,
  reason: string,
  isUnsent: boolean,
  now: number,
): Intent {
  if (revision !== before.revision || before.state !== (step === 'set' ? 'sent' : 'applied')) return before
  const attempts = isUnsent ? Math.max(0, before.attempts - 1) : before.attempts
  const nextAttemptAt = isUnsent ? now : now + backOff(attempts)
  if (step === 'set') return { ...before, state: 'pending', attempts, nextAttemptAt, reason, updatedAt: now }
  if (attempts >= MAX_READS) return { ...without(before, 'nextAttemptAt'), reason: `not read back: ${reason}` }
  return { ...before, attempts, nextAttemptAt, reason: `not read back yet: ${reason}` }
}

interface Finding {
  /** Of the station: a conflict lasts as long as it has this one (INTENT-A4). */
  readonly firmwareVersion?: string | undefined
  /** The desired value in the spelling of such values; the intent's own unless given. */
  readonly desired?: string | undefined
  /** It can be read by itself: before it is given up it is. */
  readonly isReadable?: boolean | undefined
}

/** CONFIG-A5, CONFIG-A7: what a read-back or a report found. */
export function found(
  before: Intent,
  value: FoundValue,
  now: number,
  { firmwareVersion, desired = String(before.desired), isReadable = true }: Finding = {},
): Intent {
  const { state } = before
  if (state !== 'applied' && state !== 'verified' && state !== 'conflict') return before
  if (value === 'unreadable' || before.isSecret) {
    return state === 'applied' ? without(before, 'nextAttemptAt', 'reason') : before
  }
  if (sameValue(desired, value.value, isUnordered(before))) {
    if (state === 'verified') return before
    return { ...without(before, 'nextAttemptAt', 'reason', 'firmwareVersion'), state: 'verified', updatedAt: now }
  }
  const drifts = before.drifts.filter((at) => isRecent(at, now, DAY_MS))
  const has = `the charge point has ${shortened(value.value)}`
  const next = { ...before, attempts: 0, reason: has, drifts: [...drifts, now], updatedAt: now }
  const waitMs = SET_AGAIN_MS[drifts.length]
  if (waitMs !== undefined) return { ...next, state: 'pending', nextAttemptAt: now + waitMs }
  if (state === 'conflict') return before
  if (isReadable && drifts.length === SET_AGAIN_MS.length) {
    return { ...next, state: 'applied', nextAttemptAt: now + LAST_LOOK_MS }
  }
  return {
    ...without(before, 'nextAttemptAt'),
    state: 'conflict',
    reason: `${has}, though it was set again ${SET_AGAIN_MS.length} times today`,
    ...(firmwareVersion !== undefined && { firmwareVersion }),
    drifts,
    updatedAt: now,
  }
}

/** INTENT-A5: a new connection ends waits, but not the pause before a value is set again (CONFIG-A7). */
export function released(before: Intent, now: number): Intent {
  if (before.drifts.length > 0 && before.attempts === 0) return before
  const isWaiting = before.state === 'pending' || (before.state === 'applied' && before.nextAttemptAt !== undefined)
  return isWaiting && (before.nextAttemptAt ?? 0) > now ? { ...before, nextAttemptAt: now } : before
}

/** INTENT-A4: other firmware may do what the former could not. What needed a restart has had it. */
export function booted(before: Intent, firmwareVersion: string | undefined, now: number): Intent {
  if (before.state === 'rebootRequired') {
    return { ...without(before, 'resetAt'), state: 'applied', attempts: 0, nextAttemptAt: now, updatedAt: now }
  }
  // Whether a restart kept it.
  if (before.kind === 'tariff' && before.state === 'verified') {
    return { ...before, state: 'applied', attempts: 0, nextAttemptAt: now, updatedAt: now }
  }
  const isFinal = isWork(before.kind) || !GIVEN_UP.has(before.state)
  if (isFinal || before.firmwareVersion === firmwareVersion) return before
  const open = without(before, 'reason', 'firmwareVersion')
  return { ...open, state: 'pending', attempts: 0, nextAttemptAt: now, drifts: [], updatedAt: now }
}

/** INTENT-A7: only what waits expires; what was sent is awaited first. */
export function expired(before: Intent, now: number): Intent {
  if (before.state !== 'pending' || before.expiresAt === undefined || before.expiresAt > now) return before
  return { ...without(before, 'nextAttemptAt'), state: 'expired', updatedAt: now }
}

export function wakeOf({ kind, state, nextAttemptAt, expiresAt }: Intent, now: number): number {
  const isPlanned = (state === 'pending' || state === 'applied') && (nextAttemptAt ?? 0) > now
  const due = isPlanned ? nextAttemptAt : undefined
  const end = state === 'pending' || kind === 'displayMessage' ? expiresAt : undefined
  return Math.min(due ?? Number.POSITIVE_INFINITY, end ?? Number.POSITIVE_INFINITY)
}

/** An absent member must be absent, not undefined: records compare as JSON. */
function without<Name extends keyof Intent>(intent: Intent, ...names: readonly Name[]): Intent {
  const rest: Record<string, unknown> = { ...intent }
  for (const name of names) delete rest[name]
  return rest as unknown as Intent
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const SHOWN_CHARACTERS = 100

function shortened(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)
}

/** Whether a station has the desired value: stations spell values in their own way (CONFIG-A5). */
const NUMBER = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/** Booleans without case, numbers by value, lists without spaces around commas. @param isUnordered list in any order */
export function sameValue(desired: string, found: string, isUnordered = false): boolean {
  const [requested, had] = [desired.trim(), found.trim()]
  if (requested === had) return true
  if (/^(true|false)$/i.test(requested)) return requested.toLowerCase() === had.toLowerCase()
  if (NUMBER.test(requested) && NUMBER.test(had)) return Number(requested) === Number(had)
  return requested.includes(',') && listText(requested, isUnordered) === listText(had, isUnordered)
}

function listText(text: string, isUnordered: boolean): string {
  const members = text.split(',').map((member) => member.trim())
  return (isUnordered ? members.sort() : members).join(',')
}

/** @param after undefined: nothing is desired any more; the same object: nothing changed */
export function putIntent(draft: BlockDraft, before: Intent | undefined, after: Intent | undefined): void {
  if (after === before) return
  if (after) draft.changeRecord({ kind: 'intents', put: after })
  else if (before) {
    const { chargePointId, kind, key } = before
    draft.changeRecord({ kind: 'intents', remove: { chargePointId, kind, key } })
  }
}

/** INTENT-A1: one for each name, in whichever case. */
export function intentName({ kind, key }: IntentName): string {
  return `${kind} ${key.toLowerCase()}`
}
