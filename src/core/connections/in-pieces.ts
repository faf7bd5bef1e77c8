/** Work in pieces: one per event loop turn, round-robin over the keys, in order within a key (OCPP-RP12). */

export interface Turns {
  add(key: number, run: () => void): void
  readonly waiting: ReadonlyMap<number, unknown>
  whenEmpty(): Promise<void>
}

export function createTurns(later: (run: () => void) => void, report: (error: unknown) => void): Turns {
  const waiting = new Map<number, (() => void)[]>()
  const idle: (() => void)[] = []

  let isScheduled = false
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    later(takeTurn)
  }
  const takeTurn = (): void => {
    isScheduled = false
    const [next] = waiting
    if (!next) return
    const [key, pieces] = next
    const run = pieces.shift()
    waiting.delete(key)
    if (pieces.length > 0) waiting.set(key, pieces)
    try {
      run?.()
    } catch (error) {
      report(error)
    }
    if (waiting.size > 0) schedule()
    else for (const resolve of idle.splice(0)) resolve()
  }

  return {
    add(key, run) {
      schedule()
      const pieces = waiting.get(key)
      if (pieces) pieces.push(run)
      else waiting.set(key, [run])
    },
    waiting,
    whenEmpty() {
      if (waiting.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        idle.push(resolve)
      })
    },
  }
}
