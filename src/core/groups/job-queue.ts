/** The waiting jobs, each station's in order. Large messages have their own lane, to delay no others (OCPP-RP12). */

export interface Waiting {
  readonly stationId: string
  readonly bytes?: number
}

interface Large<Job> {
  readonly job: Job
  /** How many jobs had entered the small lane before it: they may be its station's, so they go first. */
  readonly after: number
}

/** From here on a message takes milliseconds to read, decide and store; 99 % have less than 2 kB (OCPP-SZ1). */
export const LARGE_BYTES = 16 * 1024
/** Of each lane in one group: what one group takes, everybody else waits for. At least one job is always taken. */
const GROUP_BYTES = 512 * 1024
/** Smaller groups spend more on their commit than they gain. */
const GROUP_LEAST = 24
/** Beyond this a group's latency grows without gaining throughput (docs/performance.md, SESSION-B1). */
const GROUP_MOST = 500

/**
 * How many of the waiting jobs the next group takes. Half of them: while the other half is decided, the answers of
 * these are on their way and bring the next messages. With all of them, stations that wait for their answers leave
 * the core idle a quarter of the time.
 */
export function groupSize(waiting: number): number {
  return Math.min(Math.max(Math.ceil(waiting / 2), GROUP_LEAST), GROUP_MOST)
}

export class JobQueue<Job extends Waiting> {
  #again: Job[] = []
  readonly #small: Job[] = []
  #smallTaken = 0
  /** By station; the one whose turn is next stands first. */
  readonly #large = new Map<string, Large<Job>[]>()
  #largeCount = 0

  get size(): number {
    return this.#again.length + this.#small.length + this.#largeCount
  }

  push(job: Job): void {
    const behind = this.#large.size > 0 ? this.#large.get(job.stationId) : undefined
    if (!behind && (job.bytes ?? 0) < LARGE_BYTES) {
      this.#small.push(job)
      return
    }
    const large = { job, after: this.#smallTaken + this.#small.length }
    if (behind) behind.push(large)
    else this.#large.set(job.stationId, [large])
    this.#largeCount++
  }

  /** These were taken and come first in the next group. */
  takeAgain(jobs: readonly Job[]): void {
    this.#again.push(...jobs)
  }

  takeGroup(): readonly Job[] {
    const group = this.#again
    this.#again = []
    const count = this.#countSmall(groupSize(this.#small.length))
    this.#smallTaken += count
    group.push(...this.#small.splice(0, count))
    this.#takeLarge(group)
    return group
  }

  #countSmall(most: number): number {
    let bytes = 0
    let count = 0
    for (const job of this.#small) {
      bytes += job.bytes ?? 0
      if (count === most || (bytes > GROUP_BYTES && count > 0)) break
      count++
    }
    return count
  }

  #takeLarge(group: Job[]): void {
    let bytes = 0
    for (let count = 0; count < GROUP_MOST; count++) {
      const turn = this.#nextLarge()
      if (!turn) return
      const [stationId, waiting, { job }] = turn
      bytes += job.bytes ?? 0
      if (bytes > GROUP_BYTES && count > 0) return
      group.push(job)
      waiting.shift()
      this.#largeCount--
      this.#large.delete(stationId)
      if (waiting.length > 0) this.#large.set(stationId, waiting)
    }
  }

  #nextLarge(): readonly [string, Large<Job>[], Large<Job>] | undefined {
    for (const [stationId, waiting] of this.#large) {
      const [first] = waiting
      if (first && first.after <= this.#smallTaken) return [stationId, waiting, first]
    }
    return undefined
  }
}
