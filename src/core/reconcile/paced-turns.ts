/** Work for many charge points, a few at a time; accounts take turns, the longest wait first (INTENT-A14). */
import type { Clock } from '../../domain/ports/clock.ts'

export interface PacedTurns<Key> {
  /** The work says when it is over. Of one that waits already nothing is added. */
  ask(account: string, key: Key, work: Work): void
}

type Work = (over: () => void) => void

/** Those of one account. What was taken stays in the array for a while: removing each by itself would cost too much. */
interface Line<Key> {
  readonly keys: Set<Key>
  readonly order: { readonly key: Key; readonly work: Work }[]
  taken: number
}

const COMPACTED = 100

export interface Pace {
  /** Under way at once. */
  readonly most: number
  /** Begun in a second, where several are under way; so many may begin together after a rest. */
  readonly perSecond: number
  readonly burst: number
  /** What is not over by then holds nobody up any more. */
  readonly longestMs: number
}

export function createPacedTurns<Key>({ now, after }: Pick<Clock, 'now' | 'after'>, pace: Pace): PacedTurns<Key> {
  /** By account; the one whose turn is next stands first. */
  const waiting = new Map<string, Line<Key>>()
  const gapMs = 1000 / pace.perSecond
  let running = 0
  let spare = pace.burst
  let countedAt = now()
  let isLooking = false
  let isPlanned = false

  const begin = (work: Work): void => {
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
    try {
      while (waiting.size > 0 && mayBegin()) {
        const work = takeNext()
        if (work) begin(work)
      }
    } finally {
      isLooking = false
    }
    if (waiting.size > 0 && running < pace.most) plan()
  }

  const takeNext = (): Work | undefined => {
    for (const [account, line] of waiting) {
      waiting.delete(account)
      const next = line.order[line.taken++]
      if (!next) continue
      line.keys.delete(next.key)
      if (line.taken > COMPACTED && line.taken > line.order.length / 2) {
        line.order.splice(0, line.taken)
        line.taken = 0
      }
      if (line.taken < line.order.length) waiting.set(account, line)
      return next.work
    }
    return undefined
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
    ask(account, key, work) {
      const line = waiting.get(account) ?? { keys: new Set(), order: [], taken: 0 }
      if (line.keys.has(key)) return
      line.keys.add(key)
      line.order.push({ key, work })
      waiting.set(account, line)
      look()
    },
  }
}
