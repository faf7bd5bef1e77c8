/** Connections that the central system closed instead of an answer: a fault that hides behind retries. */
import type { Assertion } from '../scenarios/engine/run.ts'

export interface Losses {
  note(chargePointId: string): (loss: Loss) => void
  /** So many that waiting for the next connection is in vain. */
  areMany(chargePointId: string): boolean
  assertions(): readonly Assertion[]
}

export interface Loss {
  readonly method: string | undefined
  readonly close: string
}

/** A server may restart in the middle of a run; no server restarts so often. */
const TOO_OFTEN = 3
const MAX_LOSSES = 10

export function createLosses(): Losses {
  const counts = new Map<string, { times: number; last: Loss }>()
  return {
    note: (id) => (loss) => {
      if (loss.method !== undefined) counts.set(id, { times: (counts.get(id)?.times ?? 0) + 1, last: loss })
    },
    areMany: (id) => (counts.get(id)?.times ?? 0) >= MAX_LOSSES,
    assertions() {
      const often = [...counts].filter(([, { times }]) => times >= TOO_OFTEN)
      const [first] = often
      if (!first) return []
      const [id, { times, last }] = first
      const others = often.length > 1 ? `, and ${often.length - 1} more stations` : ''
      const detail = `it closed the socket of ${id} ${times} times instead of an answer${others}, last after ${last.method}: ${last.close}`
      return [{ name: 'the central system answers before it closes a socket', ok: false, detail }]
    },
  }
}
