/** What an intent for a display message does beside its state (DRIVER-M2 to DRIVER-M5). */
import type { ChangedCharges } from '../charging/rows.ts'
import { lookAgain } from '../device-model/following.ts'
import { putIntent } from '../intents/put-intent.ts'
import type { Intent, IntentAnswer } from '../intents/records.ts'
import { answered, found, requested } from '../intents/states.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { DesiredMessage, DisplayMessage, Translation } from './records.ts'

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
