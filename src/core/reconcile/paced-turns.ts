/** Work for many charge points, a few at a time; round-robin over accounts, in order within one (INTENT-A14). */
import type { Clock } from '../../domain/ports/core.ts'

export interface PacedTurns<Key> {
  /** `work` calls back when it is done. A key that is already waiting is not added again. */
  ask(account: string, key: Key, work: Work): void
}

type Work = (over: () => void) => void

/** Taken keys stay in the array for a while: removing each would cost too much. */
interface Line<Key> {
  readonly keys: Set<Key>
  readonly order: { readonly key: Key; readonly work: Work }[]
  taken: number
}

const COMPACTED = 100

export interface Pace {
  readonly most: number
  /** Starts per second while several run; `burst` may start together after a rest. */
  readonly perSecond: number
  readonly burst: number
  /** Then a slot is free again, even without an end. */
  readonly longestMs: number
}

export function createPacedTurns<Key>({ now, after }: Pick<Clock, 'now' | 'after'>, pace: Pace): PacedTurns<Key> {
  /** By account, in round-robin order. */
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
    // Work that ends at once re-enters here: the loop below continues.
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
    // A clock that was set back neither gives nor takes.
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
