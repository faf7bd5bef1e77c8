/**
 * The queue of transaction messages: in order, kept while there is no connection, sent again until the central system
 * takes them (1.6 §3.7, 2.0.1 E04). Everything that bills a customer goes through it; nothing else does.
 */

import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { errorText } from '../wire/frames.ts'
import type { Call } from './facts.ts'

/** `queued`: kept until there is a connection. `lost`: refused too often and thrown away. */
export type Delivery = 'delivered' | 'queued' | 'lost'

interface OutgoingMessage {
  /** Built when it is sent: an earlier answer may decide what it says (the 1.6 transaction id). */
  readonly build: () => Call
  readonly delivered?: (answer: Payload) => void
  readonly lost?: () => void
}

interface Entry extends OutgoingMessage {
  readonly settle: (delivery: Delivery) => void
}

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(parts: {
  readonly send: (call: Call) => Promise<Payload>
  readonly isReady: () => boolean
  readonly after: (ms: number, run: () => void) => () => void
  /** How often one message is tried while connected (1.6 TransactionMessageAttempts). */
  readonly attempts: number | (() => number)
  /** Wait before the next try, multiplied by the number of tries so far (1.6 TransactionMessageRetryInterval). */
  readonly retryIntervalMs: number | (() => number)
}) {
  const entries: Entry[] = []
  let busy = false
  let fault: string | undefined
  let running = Promise.resolve()

  let interrupt: () => void = () => undefined
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = parts.after(ms, resolve)
      interrupt = () => {
        cancel()
        resolve()
      }
    })

  const deliver = async (entry: Entry): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await parts.send(entry.build())
        entry.delivered?.(answer)
        entry.settle('delivered')
        return true
      } catch (error) {
        fault = errorText(error)
        if (!parts.isReady()) return false
        if (attempt >= current(parts.attempts)) {
          entry.lost?.()
          entry.settle('lost')
          return true
        }
        await pause(current(parts.retryIntervalMs) * attempt)
        if (!parts.isReady()) return false
      }
    }
  }

  const run = async () => {
    // `busy` falls in the same turn as the last look at the queue: a message pushed right after starts a new run.
    busy = true
    for (let entry = entries[0]; entry && parts.isReady(); entry = entries[0]) {
      if (!(await deliver(entry))) break
      entries.shift()
    }
    for (const entry of entries) entry.settle('queued')
    busy = false
  }

  /** Sends what waits; resolves when nothing waits any more or the connection is gone. */
  const drain = (): Promise<void> => {
    if (!busy) running = run()
    return running
  }

  return {
    /** Resolves when the message was answered, given up, or is known to wait for a connection. Never rejects. */
    push: (message: OutgoingMessage) =>
      new Promise<Delivery>((settle) => {
        entries.push({ ...message, settle })
        void drain()
      }),
    drain,
    /** The connection is gone: whatever waits for its next try waits for a connection from now on. */
    interrupt: () => interrupt(),
    get size() {
      return entries.length
    },
    get fault() {
      return fault
    },
  }
}

function current(setting: number | (() => number)): number {
  return typeof setting === 'number' ? setting : setting()
}
