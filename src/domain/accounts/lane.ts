/** A lane lets a fixed number of jobs run at once, a fixed number wait, and turns the rest away. */

export class LaneFull extends Error {
  override readonly name = 'LaneFull'
  readonly code = 'busy'

  constructor() {
    super('Too many sign-ins at once: try again in a few seconds.')
  }
}

export type Lane = <T>(job: () => Promise<T>) => Promise<T>

export function createLane(atOnce: number, waiting: number): Lane {
  const queue: (() => void)[] = []
  let running = 0

  const turn = (): Promise<void> => {
    if (running < atOnce) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve) => queue.push(resolve))
  }
  return async (job) => {
    if (running >= atOnce && queue.length >= waiting) throw new LaneFull()
    await turn()
    try {
      return await job()
    } finally {
      // The slot is handed on, not freed and taken again, so that no newcomer overtakes the queue.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
