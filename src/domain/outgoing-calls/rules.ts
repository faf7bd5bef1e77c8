/** What becomes of the record of a call that waits (OCPP-RP15). */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import type { StoredCall } from './records.ts'

/** From then on it cannot expire: only its answer, or the lack of one, ends it. */
export function onCallSent(draft: BlockDraft, { id }: InputOf<'callSent'>): Outcome {
  const call = waitingCall(draft, id)
  if (!call) return NOT_WAITING
  draft.changeRecord({ kind: 'outgoing_calls', put: sentCall(call, draft.now) })
  return {}
}

export function onCallPutBack(draft: BlockDraft, { id, expiresAt }: InputOf<'callPutBack'>): Outcome {
  const call = draft.record('outgoing_calls', { chargePointId: draft.state.chargePointId, id })
  if (!call) return NOT_WAITING
  const { sentAt: _, ...waiting } = call
  draft.changeRecord({ kind: 'outgoing_calls', put: { ...waiting, expiresAt } })
  return {}
}

/** As it stands in the database while it is open. */
export function sentCall({ expiresAt: _, ...call }: StoredCall, sentAt: number): StoredCall {
  return { ...call, sentAt }
}

const NOT_WAITING: Outcome = { refused: 'call_not_waiting' }

function waitingCall(draft: BlockDraft, id: number): StoredCall | undefined {
  const call = draft.record('outgoing_calls', { chargePointId: draft.state.chargePointId, id })
  return call?.sentAt === undefined ? call : undefined
}
