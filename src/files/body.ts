/** Reads a request's body in pieces, with a deadline (FIRMWARE-F5). */
import type { Clock } from '../domain/ports/clock.ts'
import { FileFault } from './file-fault.ts'

export const IDLE_MS = 60_000
/** Enough for the largest file over a megabit line, and a bound for slow senders. */
export const WHOLE_MS = 6 * 3600_000

/** @throws FileFault when the body breaks off or a deadline passes */
export async function* bodyPieces(
  body: ReadableStream<Uint8Array> | null,
  after: Clock['after'],
): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  let isDone = false
  let isLate = false
  const cancelWhole = after(WHOLE_MS, () => {
    isLate = true
  })
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), IDLE_MS, after)
      isDone = done
      if (done) return
      if (isLate) throw new FileFault('tooSlow', `The file did not arrive within ${WHOLE_MS / 3600_000} hours.`)
      yield value
    }
  } finally {
    cancelWhole()
    // Not awaited: a silent sender does not answer this either.
    if (!isDone) void reader.cancel().catch(() => undefined)
  }
}

function within<T>(reading: Promise<T>, ms: number, after: Clock['after']): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(ms, () => reject(new FileFault('tooSlow', `Nothing arrived for ${ms / 1000} seconds.`)))
    reading.then(
      (value) => {
        cancel()
        resolve(value)
      },
      (cause: unknown) => {
        cancel()
        reject(new FileFault('brokenOff', 'The file broke off before its end.', cause))
      },
    )
  })
}
