/**
 * Work for many charge points, a few of them at a time (INTENT-A14): a whole fleet that is sent something at once would
 * stand before what other charge points report. Whoever waits longest is next; one alone never waits.
 */
import type { Clock } from '../../ports/clock.ts'

export interface FewAtOnce<Key> {
  /** The work says when it is over. Of one that waits already nothing is added. */
  ask(key: Key, work: (over: () => void) => void): void
}

export interface Pace {
  /** Under way at once. */
  readonly most: number
  /** Begun in a second, where several are under way; so many may begin together after a rest. */
  readonly perSecond: number
  readonly burst: number
  /** What is not over by then holds nobody up any more. */
  readonly longestMs: number
}

export function createFewAtOnce<Key>({ now, after }: Pick<Clock, 'now' | 'after'>, pace: Pace): FewAtOnce<Key> {
  const waiting = new Map<Key, (over: () => void) => void>()
  const gapMs = 1000 / pace.perSecond
  let running = 0
  let spare = pace.burst
  let countedAt = now()
  let isLooking = false
  let isPlanned = false

  const begin = (work: (over: () => void) => void): void => {
    running++
    spare = Math.max(0, spare - 1)
    let isOver = false
    const over = (): void => {
      if (isOver) return
      isOver = true
      cancel()
      running--
      look()
    }
    const cancel = after(pace.longestMs, over)
    work(over)
  }

  const look = (): void => {
    // What is over as soon as it has begun comes back here: the loop below goes on with the next.
    if (isLooking) return
    isLooking = true
    for (const [key, work] of waiting) {
      if (!mayBegin()) break
      waiting.delete(key)
      begin(work)
    }
    isLooking = false
    if (waiting.size > 0 && running < pace.most) plan()
  }

  const mayBegin = (): boolean => {
    const at = now()
    // A clock that was put back gives nothing, and takes nothing.
    spare = Math.min(pace.burst, spare + Math.max(0, at - countedAt) / gapMs)
    countedAt = at
    return running === 0 || (running < pace.most && spare >= 1)
  }

  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    after(gapMs, () => {
      isPlanned = false
      look()
    })
  }

  return {
    ask(key, work) {
      if (waiting.has(key)) return
      waiting.set(key, work)
      look()
    },
  }
}
