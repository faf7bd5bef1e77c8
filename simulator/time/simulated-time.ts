/**
 * The time that a station's physics and waits follow. It goes from one planned instant to the next and stands still in
 * between: whatever happens at an instant sees exactly that instant, however busy the machine is. That is why the same
 * seed gives the same frames at any speed.
 */

import type { Clock } from '../../src/domain/ports/core.ts'
import { systemClock } from '../../src/server/system.ts'

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

/** Where the simulated time stood when the other clock stood there. */
interface Anchor {
  readonly since: number
  readonly elapsed: number
}

interface Planned {
  readonly at: number
  readonly run: () => unknown
}

/**
 * Time moves only during a `wait`. What an instant set off (a message that waits for its answer) is
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
  readonly #calls = new Set<Promise<unknown>>()
  /** Work that goes on only after a wait of its own. */
  readonly #resting = new Set<Planned>()
  #planned: Planned[] = []
  #elapsed = 0
  #waiting = 0
  #running = false
  /** While nothing happens: from which instant of both clocks on, and up to which one time may run. */
  #pause: { readonly from: Anchor; readonly until: number } | undefined
  /** While time goes by itself: where both clocks stood when that began. */
  #flow: Anchor | undefined
  /** Ends a pause of the loop early: something sooner was planned, or another wait began. */
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
    return this.#flow ? this.#reachedBy() : this.#elapsed
  }

  /** Time passes by itself at its speed; the returned function stops that. */
  flow(): () => void {
    this.#flow = { since: this.#clock.monotonic(), elapsed: this.#elapsed }
    this.#stir()
    void this.#run()
    return () => {
      if (!this.#flow) return
      this.#elapsed = this.monotonic()
      this.#flow = undefined
      this.#stir()
    }
  }

  /** Plans `run`; when it returns a promise, the next instant waits for it. */
  after(ms: number, run: () => unknown): () => void {
    const entry = this.#plan(ms, run)
    return () => this.#forget(entry)
  }

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

  /** Plans `run` for work that is held until then: time moves although nothing waits and the work is not done. */
  rest(ms: number, run: () => unknown): () => void {
    const end = (): void => {
      this.#resting.delete(entry)
      this.#forget(entry)
      this.#stir()
    }
    const entry = this.#plan(ms, () => {
      this.#resting.delete(entry)
      return run()
    })
    this.#resting.add(entry)
    this.#stir()
    void this.#run()
    return end
  }

  /** Nothing that was planned happens any more, and who waits waits for ever. */
  stop(): void {
    this.#planned = []
    this.#resting.clear()
    this.#waiting = 0
    this.#flow = undefined
    this.#stir()
  }

  /** Time stands still until the work is done, or while it rests. */
  hold(work: Promise<unknown>): void {
    keep(this.#work, work)
  }

  /** Time stands still until this is answered, whatever rests. */
  holdCall(call: Promise<unknown>): void {
    keep(this.#calls, call)
  }

  #plan(ms: number, run: () => unknown): Planned {
    const entry = { at: this.monotonic() + Math.max(0, ms), run }
    // In the order of their instants; those of one instant in the order they were planned.
    const before = this.#planned.findLastIndex(({ at }) => at <= entry.at)
    this.#planned.splice(before + 1, 0, entry)
    this.#stir()
    return entry
  }

  #forget(entry: Planned): void {
    this.#planned = this.#planned.filter((other) => other !== entry)
  }

  #isAwaited(): boolean {
    return this.#waiting > 0 || this.#resting.size > 0 || this.#flow !== undefined
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#isAwaited()) {
      await this.#settled()
      const next = this.#planned[0]
      if (!(await this.#reached(next?.at ?? Number.POSITIVE_INFINITY)) || !next) continue
      if (this.#planned[0] !== next) continue
      this.#planned.shift()
      this.#elapsed = Math.max(this.#elapsed, next.at)
      const result = next.run()
      if (result instanceof Promise) this.hold(result)
      // Waits that end at this instant act before the next one comes.
      await Promise.resolve()
    }
    this.#running = false
  }

  async #settled(): Promise<void> {
    const held = () => (this.#resting.size > 0 ? this.#calls : this.#work)
    while (held().size > 0) await Promise.race([Promise.allSettled(held()), this.#stirred()])
  }

  /** False when something else came in between. */
  async #reached(at: number): Promise<boolean> {
    if (at === Number.POSITIVE_INFINITY && !this.#flow) {
      await this.#stirred()
      return false
    }
    const from = this.#flow ?? { since: this.#clock.monotonic(), elapsed: this.#elapsed }
    this.#pause = { from, until: at }
    const pauseMs = (at - this.#reachedBy()) / this.#speed
    const isDue = !(pauseMs > 0)
    const passed = isDue || (await this.#passed(pauseMs))
    this.#elapsed = passed ? at : this.#reachedBy()
    this.#pause = undefined
    return passed
  }

  /** Resolves with false when it was stirred before. */
  async #passed(ms: number): Promise<boolean> {
    let passed = false
    let cancel: () => void = () => undefined
    const pause = new Promise<void>((resolve) => {
      if (ms === Number.POSITIVE_INFINITY) return
      cancel = this.#clock.after(ms, () => {
        passed = true
        resolve()
      })
    })
    await Promise.race([pause, this.#stirred()])
    if (!passed) cancel()
    return passed
  }

  /** How far time came: in a pause it runs, and what was missed while something else was done is made good. */
  #reachedBy(): number {
    if (!this.#pause) return this.#elapsed
    const { from, until } = this.#pause
    const gone = (this.#clock.monotonic() - from.since) * this.#speed
    return Math.min(until, Math.max(this.#elapsed, from.elapsed + Math.max(0, gone || 0)))
  }

  #stirred(): Promise<void> {
    return new Promise((resolve) => {
      this.#stir = resolve
    })
  }
}

function keep(held: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const done = (): void => {
    held.delete(work)
  }
  held.add(work)
  work.then(done, done)
}

/** The time of a station. A simulated one waits for the promise that `run` returns; the system's does not. */
export interface StationTime extends Omit<Clock, 'after'> {
  after(ms: number, run: () => unknown): () => void
  /** A simulated one moves although what plans this is held; absent: as `after`. */
  rest?(ms: number, run: () => unknown): () => void
}

export function cancellable(clock: StationTime, timers: Set<() => void>): StationTime {
  const plannedBy =
    (plan: StationTime['after']): StationTime['after'] =>
    (ms, run) => {
      const cancel = plan(ms, () => {
        timers.delete(stop)
        return run()
      })
      const stop = () => {
        timers.delete(stop)
        cancel()
      }
      timers.add(stop)
      return stop
    }
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: plannedBy((ms, run) => clock.after(ms, run)),
    rest: plannedBy((ms, run) => (clock.rest ? clock.rest(ms, run) : clock.after(ms, run))),
  }
}

/** A clock that shows a time so many seconds ahead; its waits are as long as any. */
export function aheadBy(clock: Clock, seconds = 0): Clock {
  if (seconds === 0) return clock
  return {
    now: () => clock.now() + seconds * 1000,
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
  }
}
