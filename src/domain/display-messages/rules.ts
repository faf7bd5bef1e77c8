import type { ChangedCharges } from '../charging/rows.ts'
import { followPage, lookAgain, newestReport, reportOf } from '../device-model/following.ts'
import type { Intent, IntentAnswer } from '../intents/records.ts'
import { answered, found, putIntent, requested } from '../intents/states.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import type { DesiredMessage, DisplayInput, DisplayMessage, StationMessage, Translation } from './records.ts'

// What an intent for a display message does beside its state (DRIVER-M2 to DRIVER-M5).

/** What was set together is asked for together. */
const LOOK_AFTER_MS = 2_000
/** Stations keep seconds. */
const SAME_TIME_MS = 1_000
const AS_DESIRED = 'the message'

/** The text in this language, or in another kind of it: `de` serves `de-AT` (DRIVER-M7). */
export function inLanguage(all: readonly Translation[], language: string): Translation | undefined {
  const requested = language.toLowerCase()
  const primary = (text: string): string => text.toLowerCase().split('-')[0] ?? ''
  return (
    all.find((one) => one.language.toLowerCase() === requested) ??
    all.find((one) => primary(one.language) === primary(requested))
  )
}

export function desiredMessageOf({ desired }: Pick<Intent, 'desired'>): DesiredMessage {
  return desired as DesiredMessage
}

/** Not desired any more: it is cleared where possible. Undefined: it is forgotten. */
export function clearing({ state: { chargePointId, accountId }, now }: BlockDraft, intent: Intent): Intent | undefined {
  const { kind, key, state, appliedRevision, attempts } = intent
  const message = desiredMessageOf(intent)
  if (message.clear) return intent
  const mayBeThere = appliedRevision !== undefined || state === 'sent' || (state === 'pending' && attempts > 0)
  if (state === 'expired' || state === 'unsupported' || !mayBeThere) return undefined
  const desired: DesiredMessage = { ...message, clear: true }
  return requested(intent, { kind, key, desired }, { chargePointId, accountId }, now)
}

export function messageAnswered(
  draft: BlockDraft,
  intent: Intent,
  revision: number,
  answer: IntentAnswer,
): Intent | undefined {
  if (revision === intent.revision && intent.state === 'expired') return intent
  if (desiredMessageOf(intent).clear && revision === intent.revision && answer.outcome !== 'rejected') {
    return gone(draft, intent)
  }
  const after = answered(intent, revision, answer, draft.state.status.firmwareVersion, draft.now)
  if (after === intent || after.state !== 'applied') return after
  lookAgain(draft, 'displayMessages', LOOK_AFTER_MS)
  // It is not read back by a call of its own: a report of all messages shows it.
  const { nextAttemptAt: _, ...awaiting } = after
  return awaiting
}

/** DRIVER-M5: its time is over, or the charge that it was about. @returns undefined where it was being cleared */
export function messageExpired(draft: BlockDraft, intent: Intent): Intent | undefined {
  const { endAt, transactionId } = desiredMessageOf(intent)
  const transaction = transactionId === undefined ? undefined : draft.state.transactions.get(transactionId)
  const isTimeOver = (endAt !== undefined && endAt <= draft.now) || transaction?.open === false
  if (!isTimeOver || intent.state === 'expired') return intent
  return over(draft, intent)
}

function over(draft: BlockDraft, intent: Intent): Intent | undefined {
  gone(draft, intent)
  if (desiredMessageOf(intent).clear) return undefined
  const { nextAttemptAt: _, reason: _r, ...rest } = intent
  return { ...rest, state: 'expired', updatedAt: draft.now }
}

function gone(draft: BlockDraft, intent: Intent): undefined {
  const key = { chargePointId: draft.state.chargePointId, id: desiredMessageOf(intent).id }
  if (draft.record('station_messages', key)) draft.changeRecord({ kind: 'station_messages', remove: key })
}

/** A charge that ended takes its messages along. @returns whether anything changed */
export function followMessages(draft: BlockDraft, { transactions = [] }: ChangedCharges): boolean {
  const { transactions: before, records } = draft.state
  const ended = transactions.filter(({ transactionId, open }) => !open && before.get(transactionId)?.open)
  if (ended.length === 0) return false
  const theirs = records
    .all('intents')
    .filter(({ kind, desired }) => {
      const { transactionId: of } = kind === 'displayMessage' ? desiredMessageOf({ desired }) : {}
      return of !== undefined && ended.some(({ transactionId }) => transactionId === of)
    })
    .filter(({ state }) => state !== 'expired')
  for (const intent of theirs) putIntent(draft, intent, over(draft, intent))
  return theirs.length > 0
}

/** A report that has all messages says whether it is there (DRIVER-M4). @returns undefined: it was cleared */
export function messageMet(
  { now, state: { status } }: BlockDraft,
  intent: Intent,
  reported: DisplayMessage | undefined,
): Intent | undefined {
  const message = desiredMessageOf(intent)
  if (message.clear) return reported === undefined && intent.state !== 'sent' ? undefined : intent
  const other = reported && difference({ ...message, ...message.shownAs }, reported)
  const value = reported ? (other === undefined ? AS_DESIRED : `another ${other}`) : 'no such message'
  const { firmwareVersion } = status
  return found(intent, { value }, now, { firmwareVersion, desired: AS_DESIRED, isReadable: false })
}

/** Members that were not requested may be anything: charge points fill in their defaults. */
export function difference(requested: DisplayMessage, reported: DisplayMessage): string | undefined {
  const texts = ['content', 'format', 'priority', 'state', 'language', 'transactionId'] as const
  const other = texts.find(
    (name) =>
      requested[name] !== undefined &&
      (name === 'content'
        ? requested[name] !== reported[name]
        : requested[name].toLowerCase() !== reported[name]?.toLowerCase() && reported[name] !== undefined),
  )
  if (other) return other
  return (['startAt', 'endAt'] as const).find((name) => {
    const [one, two] = [requested[name], reported[name]]
    return one !== undefined && two !== undefined && Math.abs(one - two) > SAME_TIME_MS
  })
}

// Reports of the messages on a display (DRIVER-M4). Pure.

/** Of one charge point; what it has beyond is not followed. */
export const MAX_MESSAGES = 200

export function onDisplayPage(draft: BlockDraft, { requestId, isLast, messages }: DisplayInput): Outcome {
  const report = requestId === undefined ? undefined : reportOf(draft, requestId)
  const sequence = (report?.seen.at(-1)?.[1] ?? -1) + 1
  let fresh: readonly StationMessage[] = []
  const followed = followPage(draft, { requestId, sequence, isLast }, 'displayMessages', (reportId) => {
    fresh = keep(draft, messages, reportId)
    return fresh.length < new Set(messages.map(({ id }) => id)).size
  })
  if (followed?.ending === 'complete') onMessagesComplete(draft, followed.id, followed.truncated, fresh)
  if (!followed) reconcileReport(draft, fresh)
  return {}
}

/** All pages of it are here: what it left out is gone, and the desired ones are compared with it. */
export function onMessagesComplete(
  draft: BlockDraft,
  reportId: number,
  truncated: boolean,
  fresh: readonly StationMessage[],
): void {
  const { chargePointId } = draft.state
  const known = new Map(draft.state.records.all('station_messages').map((each) => [each.id, each]))
  for (const each of fresh) known.set(each.id, each)
  if (truncated) return
  const askedAt = reportOf(draft, reportId)?.askedAt ?? draft.now
  for (const { id, seenIn, updatedAt } of [...known.values()]) {
    if ((seenIn !== undefined && seenIn >= reportId) || updatedAt > askedAt) continue
    draft.changeRecord({ kind: 'station_messages', remove: { chargePointId, id } })
    known.delete(id)
  }
  for (const intent of messagesOf(draft)) {
    // One that was set while the pages came may be missing in them.
    if (intent.updatedAt > askedAt) continue
    putIntent(draft, intent, messageMet(draft, intent, known.get(desiredMessageOf(intent).id)?.message))
  }
}

/** The charge point does not report its messages: what it accepted stays accepted. */
export function onMessagesUnreadable(draft: BlockDraft, reason: string): void {
  for (const intent of messagesOf(draft)) {
    if (intent.state !== 'applied') continue
    putIntent(draft, intent, { ...intent, reason: `not read back: ${reason}`.slice(0, 500) })
  }
}

export function wantsMessages(draft: BlockDraft): boolean {
  return messagesOf(draft).some(({ state }) => state !== 'expired')
}

/** A report that another party asked for may leave messages out, but what it contains counts. */
function reconcileReport(draft: BlockDraft, fresh: readonly StationMessage[]): void {
  const reported = new Map(fresh.map(({ id, message }) => [id, message]))
  for (const intent of messagesOf(draft)) {
    const message = reported.get(desiredMessageOf(intent).id)
    if (message && intent.state === 'verified') putIntent(draft, intent, messageMet(draft, intent, message))
  }
}

function keep(
  draft: BlockDraft,
  messages: DisplayInput['messages'],
  reportId: number | undefined,
): readonly StationMessage[] {
  const { chargePointId, records } = draft.state
  const all = records.all('station_messages')
  const known = new Map(all.map((each) => [each.id, each]))
  const fresh = new Map<number, StationMessage>()
  let room = MAX_MESSAGES - all.length
  for (const message of messages) {
    const { id } = message
    const before = known.get(id)
    if (!before && !fresh.has(id) && room-- <= 0) continue
    const seenIn = newestReport(before?.seenIn, reportId)
    const row = { chargePointId, id, message, seenIn, updatedAt: draft.now }
    fresh.set(id, row)
    draft.changeRecord({ kind: 'station_messages', put: row })
  }
  return [...fresh.values()]
}

function messagesOf(draft: BlockDraft): readonly Intent[] {
  return draft.state.records.all('intents').filter(({ kind }) => kind === 'displayMessage')
}
