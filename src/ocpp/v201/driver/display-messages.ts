/** O01, O02, O05, O06: a message under our number, which replaces an earlier one. */
import type { DesiredMessage, IntentAnswer } from '../../../domain/ports/blocks.ts'
import type { OutgoingCall, Payload } from '../../payload.ts'
import type { IntentOnWire } from '../../translate/blocks-on-wire.ts'
import { reasonOf, sentTime, text } from '../../translate/payload.ts'

export const displayMessage: IntentOnWire = {
  set: (intents) => intents.map(({ key, desired }) => ({ call: callOf(desired as DesiredMessage), keys: [key] })),
  readAnswer: ([key = ''], { method }, response) => {
    // O05.FR.02: an unknown message is gone.
    const answer = answerIn(response, method === 'ClearDisplayMessage' ? ['accepted', 'unknown'] : ['accepted'])
    return answer ? { [key]: answer } : {}
  },
}

function callOf({ clear, id, shownAs, ...requested }: DesiredMessage): OutgoingCall {
  if (clear) return { method: 'ClearDisplayMessage', request: { id } }
  const { format, priority, state, startAt, endAt, transactionId } = requested
  const { content, language } = shownAs ?? requested
  const message = {
    id,
    priority,
    state,
    startDateTime: sentTime(startAt),
    endDateTime: sentTime(endAt),
    transactionId,
    message: { format, ...(language !== undefined && { language }), content },
  }
  return { method: 'SetDisplayMessage', request: { message } }
}

function answerIn(response: Payload, taken: readonly string[]): IntentAnswer | undefined {
  const status = text(response.status)?.toLowerCase()
  if (status === undefined) return undefined
  if (taken.includes(status)) return { outcome: 'accepted' }
  return { outcome: 'rejected', reason: reasonOf(response.status, response.statusInfo) }
}
