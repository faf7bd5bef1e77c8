/** What becomes of the intents of a charge point (INTENT-A1 to INTENT-A8); states.ts has the rule of a single one. */

import { MASKED } from '../device-model/variable-names.ts'
import * as messages from '../display-messages/rules.ts'
import { isRecent } from '../due.ts'
import * as monitors from '../monitors/desired-monitors.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import type { CarriedIntent, Intent, IntentAnswer, IntentKind, IntentName, Want } from './records.ts'
import {
  answered,
  booted,
  expired,
  failed,
  found,
  intentName,
  putIntent,
  reading,
  released,
  requested,
  sent,
} from './states.ts'
import * as tariffs from './tariffs.ts'

/** INTENT-A8: per charge point. This is ample, and all of them are in memory with their charge point. */
export const MAX_INTENTS = 2000

/** Intents that must be cleared at the charge point when they are withdrawn. */
interface ClearedKind {
  withdrawn(draft: BlockDraft, intent: Intent): Intent | undefined
  /** Undefined: nothing is desired any more. */
  answered(draft: BlockDraft, intent: Intent, revision: number, answer: IntentAnswer): Intent | undefined
}
const CLEARED: Readonly<Partial<Record<IntentKind, ClearedKind>>> = {
  monitor: { withdrawn: monitors.clearing, answered: monitors.monitorAnswered },
  displayMessage: { withdrawn: messages.clearing, answered: messages.messageAnswered },
  tariff: { withdrawn: tariffs.clearing, answered: tariffs.tariffAnswered },
}

/** Between two resets for what needs one. */
const RESET_AGAIN_MS = 3600_000

export function onIntentsRequested(draft: BlockDraft, { wants }: InputOf<'intentsRequested'>): Outcome {
  return want(draft, wants, byName(draft.state.records.all('intents')))
}

export function onIntentsWithdrawn(draft: BlockDraft, { intents }: InputOf<'intentsWithdrawn'>): void {
  const known = byName(draft.state.records.all('intents'))
  for (const name of intents) {
    const intent = known.get(intentName(name))
    if (intent) withdraw(draft, intent)
  }
}

/** OIDC-C13: an application's intents end with its grant. */
export function withdrawIntentsOf(draft: BlockDraft, grantId: string): void {
  for (const intent of draft.state.records.all('intents')) if (intent.grantId === grantId) withdraw(draft, intent)
}

export function onConfigurationsSettled(
  draft: BlockDraft,
  { wants, among }: InputOf<'configurationsSettled'>,
): Outcome {
  const known = byName(draft.state.records.all('intents'))
  const kept = new Set(wants.map(intentName))
  for (const name of among) {
    const intent = kept.has(name) ? undefined : known.get(name)
    if (intent?.source === undefined) continue
    withdraw(draft, intent)
    known.delete(name)
  }
  return want(draft, wants, known)
}

export function onIntentsSent(draft: BlockDraft, input: InputOf<'intentsSent'>): Outcome {
  const { step, intents, commandId, unordered = [] } = input
  change(draft, intents, (intent, { revision, key }) => {
    if (intent.revision !== revision) return intent
    if (step === 'read') return reading(intent, draft.now)
    const carriedIntent = sent(intent, commandId, draft.now)
    const { variable } = carriedIntent
    const isUnordered = variable && unordered.includes(key)
    return isUnordered ? { ...carriedIntent, variable: { ...variable, isUnordered } } : carriedIntent
  })
  return {}
}

export function onIntentsAnswered(draft: BlockDraft, { intents, answers }: InputOf<'intentsAnswered'>): Outcome {
  change(draft, intents, (intent, { revision, key }) => {
    const answer = named(answers, key)
    return answer
      ? afterAnswer(draft, intent, revision, answer)
      : afterFailure(draft, intent, 'set', revision, 'the answer does not name it', false)
  })
  return {}
}

export function onIntentsFailed(draft: BlockDraft, input: InputOf<'intentsFailed'>): void {
  const { intents, step, reason, isUnsent } = input
  change(draft, intents, (intent, { revision }) => afterFailure(draft, intent, step, revision, reason, isUnsent))
}

export function onIntentsRead(draft: BlockDraft, input: InputOf<'intentsRead'>): Outcome {
  change(draft, input.intents, (intent, { revision, key }) => {
    if (intent.revision !== revision) return intent
    const value = named(input.found, key)
    return value === undefined
      ? failed(intent, 'read', revision, 'the answer does not name it', false, draft.now)
      : found(intent, value, draft.now, {
          firmwareVersion: draft.state.status.firmwareVersion,
          // A station names its tariffs, and does not show them.
          desired: intent.kind === 'tariff' ? key : undefined,
        })
  })
  return {}
}

export function onIntentsJudged(draft: BlockDraft, { intents, answers }: InputOf<'intentsJudged'>): Outcome {
  change(draft, intents, (intent, { revision, key }) => {
    const answer = named(answers, key)
    if (!answer || intent.state !== 'pending') return intent
    return afterAnswer(draft, intent, revision, answer)
  })
  return {}
}

export function onIntentsReleased(draft: BlockDraft): void {
  changeAll(draft, (intent) => released(intent, draft.now))
}

export function onResetSentForIntents(draft: BlockDraft): void {
  changeAll(draft, (intent) => (intent.state === 'rebootRequired' ? { ...intent, resetAt: draft.now } : intent))
}

export function intentsAfterBoot(draft: BlockDraft, firmwareVersion: string | undefined): void {
  changeAll(draft, (intent) => booted(intent, firmwareVersion, draft.now))
}

export function expireIntents(draft: BlockDraft): void {
  changeAll(draft, (intent) =>
    intent.kind === 'displayMessage' ? messages.messageExpired(draft, intent) : expired(intent, draft.now),
  )
}

/** Values that a report or another message contained at that time (CONFIG-A7). */
export function intentsMeet(
  draft: BlockDraft,
  values: readonly { readonly key: string; readonly value?: string | undefined; readonly isWriteOnly: boolean }[],
  at: number,
): void {
  const all = draft.state.records.all('intents')
  if (all.length === 0) return
  const { firmwareVersion } = draft.state.status
  const reported = new Map(values.map((value) => [value.key, value]))
  for (const intent of all) {
    const value = intent.variable && reported.get(variableKeyOf(intent))
    // A value from before the intent was set says nothing about its outcome.
    if (!value || value.value === undefined || value.isWriteOnly || at < intent.updatedAt) continue
    // It was hidden before it came here (DEVICE-A7).
    if (value.value === MASKED) continue
    if (intent.state === 'applied' && intent.nextAttemptAt !== undefined) continue
    putIntent(draft, intent, found(intent, { value: value.value }, draft.now, { firmwareVersion }))
  }
}

export function mayResetAgain({ resetAt }: Intent, now: number): boolean {
  return resetAt === undefined || !isRecent(resetAt, now, RESET_AGAIN_MS)
}

export function variableKeyOf({ kind, key }: IntentName): string {
  return (kind === 'configurationKey' ? `chargepoint.${key}` : key).toLowerCase()
}

function want(draft: BlockDraft, wants: readonly Want[], known: ReadonlyMap<string, Intent>): Outcome {
  const place = { chargePointId: draft.state.chargePointId, accountId: draft.state.accountId }
  const fresh = wants.filter((each) => !known.has(intentName(each))).length
  if (known.size + fresh > MAX_INTENTS) return { refused: 'too_many_intents' }
  for (const each of wants) {
    const before = known.get(intentName(each))
    putIntent(draft, before, monitors.stillUnanswered(before, requested(before, each, place, draft.now)))
  }
  return {}
}

/** A key is free text, such as `constructor`. */
function named<Value>(answers: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(answers, key) ? answers[key] : undefined
}

function afterAnswer(draft: BlockDraft, intent: Intent, revision: number, answer: IntentAnswer): Intent | undefined {
  const own = CLEARED[intent.kind]
  if (own) return own.answered(draft, intent, revision, answer)
  return answered(intent, revision, answer, draft.state.status.firmwareVersion, draft.now)
}

/** Undefined: it cannot have reached the station and is no longer desired. */
function afterFailure(
  draft: BlockDraft,
  intent: Intent,
  step: 'set' | 'read',
  revision: number,
  reason: string,
  isUnsent: boolean,
): Intent | undefined {
  if (intent.kind === 'monitor' && revision !== intent.revision) {
    return monitors.monitorFailed(draft, intent, isUnsent)
  }
  return failed(intent, step, revision, reason, isUnsent, draft.now)
}

function change(
  draft: BlockDraft,
  carried: readonly CarriedIntent[],
  next: (intent: Intent, carried: CarriedIntent) => Intent | undefined,
): void {
  for (const name of carried) {
    const { chargePointId } = draft.state
    const intent = draft.record('intents', { chargePointId, kind: name.kind, key: name.key })
    if (intent) putIntent(draft, intent, next(intent, name))
  }
}

function changeAll(draft: BlockDraft, next: (intent: Intent) => Intent | undefined): void {
  for (const intent of draft.state.records.all('intents')) putIntent(draft, intent, next(intent))
}

/** What was set stays as it is, but for what is cleared (MONITOR-A4, DRIVER-M3). */
function withdraw(draft: BlockDraft, intent: Intent): void {
  putIntent(draft, intent, CLEARED[intent.kind]?.withdrawn(draft, intent))
}

function byName(all: readonly Intent[]): Map<string, Intent> {
  return new Map(all.map((intent) => [intentName(intent), intent]))
}
