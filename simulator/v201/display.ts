import type { Payload } from '../../src/ocpp/payload.ts'
import { refused } from '../commands/schedules.ts'
import type { Command, CommandTarget } from '../commands/target.ts'
import { DISPLAY_FORMATS, forgetOver, isOfCharge, isPast, MAX_MESSAGES } from '../model/display.ts'
import { sendPages } from './pages.ts'

export interface Display {
  readonly set: Command
  readonly get: Command
  readonly clear: Command
}

/** Small, so that a long list really comes in several parts. */
const MESSAGES_PER_PAGE = 2

export function createDisplay(target: CommandTarget): Display {
  const { displayed: messages, outlets, clock } = target
  return {
    set(request) {
      const message = request.message as Payload
      const { id, priority } = message
      const now = clock.now()
      forgetOver(messages, outlets, now)
      if (!DISPLAY_FORMATS.includes(String((message.message as Payload).format)))
        return { status: 'NotSupportedMessageFormat' }
      if (!isOfCharge(message, outlets)) return { status: 'UnknownTransaction' }
      if (isPast(message, now)) return refused(target, 'InvalidValue')
      if (!messages.has(Number(id)) && messages.size >= MAX_MESSAGES) return refused(target, 'OutOfStorage')
      // O01: only one can be always in front.
      if (priority === 'AlwaysFront') {
        for (const [other, { priority: its }] of messages) if (its === priority) messages.delete(other)
      }
      messages.set(Number(id), message)
      return { status: 'Accepted' }
    },
    get({ requestId, id: ids, priority, state }) {
      forgetOver(messages, outlets, clock.now())
      const found = [...messages.values()].filter(
        (message) =>
          (ids === undefined || (ids as number[]).includes(Number(message.id))) &&
          (priority === undefined || message.priority === priority) &&
          (state === undefined || message.state === state),
      )
      if (found.length === 0) return { status: 'Unknown' }
      sendPages(target, found, MESSAGES_PER_PAGE, (messageInfo, _seqNo, tbc) => ({
        method: 'NotifyDisplayMessages',
        request: { requestId: Number(requestId), tbc, messageInfo },
      }))
      return { status: 'Accepted' }
    },
    clear: (request) => ({ status: messages.delete(Number(request.id)) ? 'Accepted' : 'Unknown' }),
  }
}
