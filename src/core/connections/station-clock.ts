/**
 * How far a charge point's clock is from ours (ENERGY-W3), learned from statuses, which are sent as they happen. Only
 * what the person who runs it should know: no time is corrected by it.
 */
import type { Log } from '../../domain/ports/log.ts'
import type { StationTime } from '../../domain/ports/sessions.ts'
import type { Station } from '../memory/station.ts'

/** Seconds of network, rounding and queueing. */
const NOISE_MS = 10_000
/** A message that waited looks like a clock that is behind; two of them so far apart do not wait equally long. */
const APART_MS = 60_000
/** From here on bills and logs of the charge point are hard to compare with others. */
const WORTH_TELLING_MS = 60_000

interface Sight {
  readonly skewMs: number
  readonly receivedAt: number
}

export class ClockWatch {
  /** Milliseconds that the charge point is ahead of us; negative: behind. */
  skewMs = 0
  #lower: Sight | undefined

  /** @returns whether `skewMs` has changed */
  observe({ occurredAt, receivedAt, original, repaired }: StationTime): boolean {
    if (original === undefined || repaired) return false
    const skewMs = occurredAt - receivedAt
    if (Math.abs(skewMs - this.skewMs) <= NOISE_MS) {
      this.#lower = undefined
      return false
    }
    if (skewMs < this.skewMs && !this.#confirms(skewMs, receivedAt)) return false
    this.#lower = undefined
    this.skewMs = skewMs
    return true
  }

  /**
   * Nothing arrives before it was sent, so a clock that is ahead shows at once; one that is behind must say so twice.
   */
  #confirms(skewMs: number, receivedAt: number): boolean {
    const first = this.#lower
    if (first && Math.abs(skewMs - first.skewMs) <= NOISE_MS) return receivedAt - first.receivedAt >= APART_MS
    this.#lower = { skewMs, receivedAt }
    return false
  }
}

/** A status came: whoever reads the log hears of a clock that is wrong, and when it is right again. */
export function watchClock(log: Log, station: Station, at: StationTime): void {
  const { clock } = station
  const before = clock.skewMs
  if (!clock.observe(at)) return
  const skewSeconds = Math.round(clock.skewMs / 1000)
  if (isWrong(clock.skewMs)) {
    log.warn({ chargePoint: station.id, skewSeconds }, 'the clock of a charge point is wrong (seconds ahead of ours)')
  } else if (isWrong(before)) {
    log.info({ chargePoint: station.id, skewSeconds }, 'the clock of a charge point is right again')
  }
}

function isWrong(skewMs: number): boolean {
  return Math.abs(skewMs) >= WORTH_TELLING_MS
}
