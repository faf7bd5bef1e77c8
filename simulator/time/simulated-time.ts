/**
 * The time that a station's physics and waits follow. It goes from one planned instant to the next and stands still in
 * between: whatever happens at an instant sees exactly that instant, however busy the machine is. That is why the same
 * seed gives the same frames at any speed.
 */
import { systemClock } from '../../src/clock.ts'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * How a `SimulatedClock` runs. Without any: from now on, as fast as the machine can.
 *
 * @example new SimulatedClock({ startAt: Date.parse('2026-03-01T10:00:00Z'), speed: 60 })
 */
export interface SimulatedTimeOptions {
  /** Milliseconds since the epoch at the beginning; default: now. */
  readonly startAt?: number
  /** Simulated seconds per second; `max` (default) never waits. */
  readonly speed?: number | 'max'
  /** Measures the waits of a limited speed. */
  readonly clock?: Clock
}

interface Planned {
  readonly at: number
  readonly order: number
  readonly run: () => unknown
}

/**
 * Time moves only while somebody waits (`wait`). What an instant set off (a message that waits for its answer) is
 * finished before the next instant comes.
 *
 * @example
 * const clock = new SimulatedClock()
 * await clock.wait(2 * 3_600_000) // two hours, at once
 */
export class SimulatedClock implements Clock {
  readonly #startAt: number
  readonly #speed: number
  readonly #clock: Clock
  readonly #work = new Set<Promise<unknown>>()
  #planned: Planned[] = []
  #elapsed = 0
  #order = 0
  #waiting = 0
  #running = false
  /** While nothing happens: since when, and up to which instant time may run on. */
  #pause: { readonly since: number; readonly until: number } | undefined
  #flowing = false
  /** Ends a pause of the loop early: something sooner was planned, or somebody else began to wait. */
  #stir: () => void = () => undefined

  constructor(options: SimulatedTimeOptions = {}) {
    this.#clock = options.clock ?? systemClock
    this.#startAt = options.startAt ?? this.#clock.now()
    this.#speed = options.speed === undefined || options.speed === 'max' ? Number.POSITIVE_INFINITY : options.speed
  }

  now(): number {
    return this.#startAt + this.monotonic()
  }

  monotonic(): number {
    if (!this.#flowing || !this.#pause) return this.#elapsed
    const gone = (this.#clock.monotonic() - this.#pause.since) * this.#speed
    return Math.min(this.#pause.until, this.#elapsed + Math.max(0, gone))
  }

  /** From now on time goes by itself, at its speed; the returned function ends that. */
  flow(): () => void {
    this.#flowing = true
    this.#waiting += 1
    void this.#run()
    return () => {
      if (!this.#flowing) return
      this.#elapsed = this.monotonic()
      this.#flowing = false
      this.#waiting -= 1
      this.#stir()
    }
  }

  /** Plans `run`; when it returns a promise, the next instant waits for it. */
  after(ms: number, run: () => unknown): () => void {
    const entry = { at: this.monotonic() + Math.max(0, ms), order: this.#order++, run }
    insert(this.#planned, entry)
    this.#stir()
    return () => {
      this.#planned = this.#planned.filter((other) => other !== entry)
    }
  }

  /** Resolves when so many milliseconds have passed. */
  wait(ms: number): Promise<void> {
    this.#waiting += 1
    const passed = new Promise<void>((resolve) => {
      this.after(ms, () => {
        this.#waiting -= 1
        resolve()
      })
    })
    void this.#run()
    return passed
  }

  /** Nothing that was planned happens any more, and who waits waits for ever. */
  stop(): void {
    this.#planned = []
    this.#waiting = 0
    this.#flowing = false
    this.#stir()
  }

  /** Time stands still until the work is done, or until the work itself waits. */
  hold(work: Promise<unknown>): void {
    const done = () => {
      this.#work.delete(work)
    }
    this.#work.add(work)
    work.then(done, done)
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#waiting > 0) {
      await this.#settled()
      const next = this.#planned[0]
      if (!next) {
        await this.#stirred()
        continue
      }
      if (!(await this.#reached(next))) continue
      this.#planned.shift()
      this.#elapsed = Math.max(this.#elapsed, next.at)
      const result = next.run()
      if (result instanceof Promise) this.hold(result)
      // Whoever waited for this instant acts before the next one comes.
      await Promise.resolve()
    }
    this.#running = false
  }

  async #settled(): Promise<void> {
    while (this.#work.size > 0) {
      const waitingBefore = this.#waiting
      await Promise.race([Promise.allSettled(this.#work), this.#stirred()])
      if (this.#waiting > waitingBefore) return
    }
  }

  /** False when something else came in between. */
  async #reached(next: Planned): Promise<boolean> {
    const pauseMs = (next.at - this.#elapsed) / this.#speed
    if (!(pauseMs > 0)) return true
    this.#pause = { since: this.#clock.monotonic(), until: next.at }
    let passed = false
    let cancel: () => void = () => undefined
    const pause = new Promise<void>((resolve) => {
      cancel = this.#clock.after(pauseMs, () => {
        passed = true
        resolve()
      })
    })
    await Promise.race([pause, this.#stirred()])
    if (!passed) {
      cancel()
      const gone = (this.#clock.monotonic() - this.#pause.since) * this.#speed
      this.#elapsed = Math.min(next.at, this.#elapsed + Math.max(0, gone))
    }
    this.#pause = undefined
    return passed
  }

  #stirred(): Promise<void> {
    return new Promise((resolve) => {
      this.#stir = resolve
    })
  }
}

/** Entries stay in the order of their instants; entries of one instant in the order they were planned. */
function insert(planned: Planned[], entry: Planned): void {
  let low = 0
  let high = planned.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = planned[middle]
    if (other && (other.at < entry.at || (other.at === entry.at && other.order < entry.order))) low = middle + 1
    else high = middle
  }
  planned.splice(low, 0, entry)
}
