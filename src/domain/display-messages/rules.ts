/** Reports of the messages on a display (DRIVER-M4). Pure. */
import { followPage, newestReport, reportOf } from '../device-model/following.ts'
import { putIntent } from '../intents/put-intent.ts'
import type { Intent } from '../intents/records.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { desiredMessageOf, messageMet } from './desired-messages.ts'
import type { DisplayInput, StationMessage } from './records.ts'

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
