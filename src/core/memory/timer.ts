import type { Clock } from '../../domain/ports/clock.ts'

export class Timer {
  #pending: { readonly at: number; readonly cancel: () => void } | undefined

  set(clock: Pick<Clock, 'now' | 'after'>, at: number, run: () => void): void {
    this.cancel()
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      this.#pending = undefined
      run()
    })
    this.#pending = { at, cancel }
  }

  setEarlier(clock: Pick<Clock, 'now' | 'after'>, at: number, run: () => void): void {
    if (!this.#pending || at < this.#pending.at) this.set(clock, at, run)
  }

  cancel(): void {
    this.#pending?.cancel()
    this.#pending = undefined
  }
}
