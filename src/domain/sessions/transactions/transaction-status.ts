/** GetTransactionStatus answered (SESSION-B5, SESSION-B12): what the station says of a transaction in doubt. */

import type { Outcome } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import type { Draft } from '../draft.ts'
import { putFlagged } from './follow.ts'
import { timed, trusted } from './orphans.ts'

type StatusAnswered = Extract<Input, { kind: 'transactionStatusAnswered' }>

/** SESSION-B5: messages that wait in a station's queue are waited for this long. */
const QUEUE_TIMEOUT_MS = 24 * 3600_000

/** A closed transaction that misses messages stays `incomplete` until they come. */
export function onTransactionStatusAnswered(draft: Draft, input: StatusAnswered): Outcome {
  const transaction = draft.transaction(input.transactionId)
  if (!transaction?.open) return {}
  if (input.ongoing) putFlagged(draft, trusted({ ...transaction }, draft.now))
  else if (input.messagesInQueue) {
    putFlagged(draft, { ...timed(transaction, draft.now), queueExpectedUntil: draft.now + QUEUE_TIMEOUT_MS })
  } else if (input.ongoing === false) putFlagged(draft, timed(transaction, draft.now))
  return {}
}
