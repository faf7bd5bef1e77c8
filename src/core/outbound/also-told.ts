/** What the outcome of a command tells beside what it was sent for: of availability, and of a bulk order. */
import { ANSWERED, REASONS } from '../../domain/bulk-orders/reasons.ts'
import type { StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { CommandAnswer } from '../../domain/ports/storage.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { orderedAvailability } from '../../ocpp/orders/usual-commands.ts'
import { verdictOf } from '../../ocpp/orders/verdict.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { CallOutcome } from './call-outcome.ts'
import type { QueuedCall } from './outgoing-queue.ts'

const LONGEST_REASON = 200

/** Decided and committed with the outcome. */
export function alsoTold(
  { stored, call }: Pick<QueuedCall, 'stored' | 'call'>,
  answer: CommandAnswer,
  outcome: CallOutcome,
): readonly BlockInput[] {
  return [...availabilityOf(call, outcome), ...bulkAnswer(stored, answer, outcome)]
}

/** UPTIME-U3: taken now, or when a charge has ended. */
function availabilityOf({ method, request }: OutgoingCall, outcome: CallOutcome): readonly BlockInput[] {
  if (method !== 'ChangeAvailability' || outcome.status !== 'success') return []
  const { status } = object(outcome.payload)
  if (status !== 'Accepted' && status !== 'Scheduled') return []
  return [{ kind: 'availabilityOrdered', ...orderedAvailability(request) }]
}

function bulkAnswer(
  { purpose, messageId }: StoredCall,
  answer: CommandAnswer,
  outcome: CallOutcome,
): readonly BlockInput[] {
  if (purpose.kind !== 'command' || purpose.bulkOrderId === undefined) return []
  const reason = reasonOf(answer, outcome)
  const input = { kind: 'bulkAnswered', orderId: purpose.bulkOrderId, commandId: messageId } as const
  return [reason === undefined ? input : { ...input, reason }]
}

function reasonOf({ status, response, error }: CommandAnswer, outcome: CallOutcome): string | undefined {
  if (outcome.status === 'timeout') return REASONS.noAnswer
  if (outcome.status === 'dropped') {
    return outcome.unsent ? REASONS.unsent : REASONS.lost
  }
  const { tone, status: said, said: why = '' } = verdictOf({ status, response, error })
  if (tone === 'good') return undefined
  return `${ANSWERED}${[said, why].filter(Boolean).join(': ')}`.slice(0, LONGEST_REASON)
}
