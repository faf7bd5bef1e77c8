/** The messages that a 2.0.1 station shows on its display. */
import type { Payload } from '../../src/ocpp/version.ts'
import type { Command, CommandTarget } from '../commands/target.ts'

export interface Display {
  readonly set: Command
  readonly get: Command
  readonly clear: Command
}

export function createDisplay(target: CommandTarget): Display {
  const shown = new Map<number, Payload>()
  return {
    set(request) {
      const message = request.message as Payload
      const { transactionId } = message
      const isKnown = target.outlets.some((outlet) => outlet.transaction?.transactionId === transactionId)
      if (transactionId !== undefined && !isKnown) return { status: 'UnknownTransaction' }
      shown.set(Number(message.id), message)
      return { status: 'Accepted' }
    },
    get(request) {
      const ids = request.id as number[] | undefined
      const found = [...shown.values()].filter((message) => !ids || ids.includes(Number(message.id)))
      if (found.length === 0) return { status: 'Unknown' }
      target.afterAnswer(() =>
        target.notify({
          method: 'NotifyDisplayMessages',
          request: { requestId: Number(request.requestId), tbc: false, messageInfo: found },
        }),
      )
      return { status: 'Accepted' }
    },
    clear: (request) => ({ status: shown.delete(Number(request.id)) ? 'Accepted' : 'Unknown' }),
  }
}
