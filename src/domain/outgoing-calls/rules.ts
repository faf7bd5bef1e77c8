/** What becomes of the record of a call that waits (OCPP-RP15). */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import type { StoredCall } from './records.ts'

const calls = recordsOf('outgoing_calls')

/** From then on it cannot expire: only its answer, or the lack of one, ends it. */
export function onCallSent(draft: BlockDraft, { id }: InputOf<'callSent'>): Outcome | undefined {
  const call = calls.find(draft, { id })
  if (!call || call.sentAt !== undefined) return NOT_WAITING
  calls.put(draft, sentCall(call, draft.now))
}

export function onCallPutBack(draft: BlockDraft, { id, expiresAt }: InputOf<'callPutBack'>): Outcome | undefined {
  const call = calls.find(draft, { id })
  if (!call) return NOT_WAITING
  const { sentAt: _, ...waiting } = call
  calls.put(draft, { ...waiting, expiresAt })
}

/** As it stands in the database while it is open. */
export function sentCall({ expiresAt: _, ...call }: StoredCall, sentAt: number): StoredCall {
  return { ...call, sentAt }
}

const NOT_WAITING: Outcome = { refused: 'call_not_waiting' }
