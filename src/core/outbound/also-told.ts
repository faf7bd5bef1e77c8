/** What a command's outcome says beside its purpose: about availability, and about a bulk order. */
import { noAnswerIn, REASONS } from '../../domain/bulk-orders/reasons.ts'
import type { StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { CommandAnswer } from '../../domain/ports/storage.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { orderedAvailability } from '../../ocpp/orders/usual-commands.ts'
import { type Verdict, verdictOf, wholeAnswer } from '../../ocpp/orders/verdict.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { CallOutcome } from './call-outcome.ts'
import type { QueuedCall } from './outgoing-queue.ts'

export function alsoReported(
  { stored, call }: Pick<QueuedCall, 'stored' | 'call'>,
  answer: CommandAnswer,
  outcome: CallOutcome,
  callTimeoutMs: number,
): readonly BlockInput[] {
  return [...availabilityOf(call, outcome), ...bulkAnswer(stored, answer, outcome, callTimeoutMs)]
}

/** UPTIME-U3: accepted now, or for the end of the charge. */
function availabilityOf({ method, request }: OutgoingCall, outcome: CallOutcome): readonly BlockInput[] {
  if (method !== 'ChangeAvailability' || outcome.status !== 'success') return []
  const { status } = object(outcome.payload)
  if (status !== 'Accepted' && status !== 'Scheduled') return []
  return [{ kind: 'availabilityOrdered', ...orderedAvailability(request) }]
}

function bulkAnswer(
  { purpose, messageId, method }: StoredCall,
  answer: CommandAnswer,
  outcome: CallOutcome,
  callTimeoutMs: number,
): readonly BlockInput[] {
  if (purpose.kind !== 'command' || purpose.bulkOrderId === undefined) return []
  const input = { kind: 'bulkAnswered', orderId: purpose.bulkOrderId, commandId: messageId } as const
  const reason = whySilent(outcome, callTimeoutMs)
  if (reason !== undefined) return [{ ...input, isAccepted: false, reason }]
  const verdict: Verdict = verdictOf({ status: answer.status, response: answer.response, error: answer.error })
  const isAccepted = verdict.tone === 'good'
  const restarts = isAccepted && method === 'Reset' ? true : undefined
  return [{ ...input, isAccepted, answer: wholeAnswer(verdict), restarts }]
}

function whySilent(outcome: CallOutcome, callTimeoutMs: number): string | undefined {
  if (outcome.status === 'timeout') return noAnswerIn(callTimeoutMs)
  if (outcome.status !== 'dropped') return undefined
  return outcome.unsent ? REASONS.unsent : REASONS.lost
}
