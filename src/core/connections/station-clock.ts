/**
 * How far a charge point's clock is from ours (ENERGY-W3). Leases are told by it (GROUP-A8), and the person who runs it
 * should know; no time that was told is corrected by it.
 */
import type { Log } from '../../domain/ports/log.ts'
import type { ChargePointStatus, Sample, StationTime } from '../../domain/ports/sessions.ts'
import type { Decision, Input } from '../../domain/sessions/decision.ts'
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
  skewMs: number
  #lower: Sight | undefined
  /** On that connection a message that may have waited had not. */
  #inStepSince: number | undefined

  /** @param known from before a restart */
  constructor({ clockAheadMs = 0 }: Pick<ChargePointStatus, 'clockAheadMs'> = {}) {
    this.skewMs = clockAheadMs
  }

  /**
   * @param isFresh it was sent as it happened. Anything else may have waited for the connection, or be timed by the
   * clock of a meter: it counts once one of this connection was in step with what is known.
   * @returns whether `skewMs` has changed
   */
  observe(
    { occurredAt, receivedAt, original, repaired }: StationTime,
    { isFresh, openedAt }: { readonly isFresh: boolean; readonly openedAt: number },
  ): boolean {
    if (original === undefined || repaired) return false
    const skewMs = occurredAt - receivedAt
    if (Math.abs(skewMs - this.skewMs) <= NOISE_MS) {
      this.#lower = undefined
      if (!isFresh) this.#inStepSince = openedAt
      return false
    }
    if (!isFresh && this.#inStepSince !== openedAt) return false
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

/**
 * A message came: whoever reads the log hears of a clock that is wrong, and when it is right again.
 * @returns the decision about it, which keeps what was learned
 */
export function watchClock(log: Log, station: Station, input: Input, decision: Decision): Decision {
  const { clock, openedAt, state } = station
  const before = clock.skewMs
  const sight = sightOf(input)
  if (!sight || !state || !clock.observe(sight.at, { ...sight, openedAt })) return decision
  const skewSeconds = Math.round(clock.skewMs / 1000)
  if (isWrong(clock.skewMs)) {
    log.warn({ chargePoint: station.id, skewSeconds }, 'the clock of a charge point is wrong (seconds ahead of ours)')
  } else if (isWrong(before)) {
    log.info({ chargePoint: station.id, skewSeconds }, 'the clock of a charge point is right again')
  }
  const status = { ...(decision.changes.status ?? state.status), clockAheadMs: clock.skewMs }
  return { ...decision, changes: { ...decision.changes, status } }
}

/** When it was said that something happened. */
function sightOf(input: Input): { readonly at: StationTime; readonly isFresh: boolean } | undefined {
  switch (input.kind) {
    case 'connectorStatus':
      return { at: input.at, isFresh: true }
    case 'started':
    case 'stopped':
    case 'transactionEvent':
      return { at: input.at, isFresh: false }
    case 'sampled': {
      const newest = input.samples.reduce<Sample | undefined>(
        (last, one) => (last && last.at.occurredAt >= one.at.occurredAt ? last : one),
        undefined,
      )
      return newest && { at: newest.at, isFresh: false }
    }
    default:
      return undefined
  }
}

function isWrong(skewMs: number): boolean {
  return Math.abs(skewMs) >= WORTH_TELLING_MS
}
