/** How far a charge point's clock is off (ENERGY-W3), for leases (GROUP-A8) and operators; corrects no time. */

import type { Log } from '../../domain/ports/core.ts'
import type { ChargePointStatus, StationTime } from '../../domain/ports/sessions.ts'
import type { Decision, Input } from '../../domain/sessions/decision.ts'
import { parseStationTime } from '../../ocpp/station-time.ts'

const NOISE_MS = 10_000
/** A delayed message looks like a slow clock, but two this far apart are not delayed equally. */
const APART_MS = 60_000
/** From here on, the charge point's bills and logs are hard to compare with others. */
const WORTH_TELLING_MS = 60_000

export class ClockWatch {
  /** Positive: the charge point is ahead. */
  skewMs: number
  #lastSight: { readonly skewMs: number; readonly receivedAt: number } | undefined
  #inStepSince: number | undefined
  #freshInStepSince: number | undefined
  #freshShown: number | undefined
  #othersShown: number | undefined

  constructor({ clockAheadMs = 0 }: Pick<ChargePointStatus, 'clockAheadMs'> = {}) {
    this.skewMs = clockAheadMs
  }

  /** Lower bound of `skewMs`, as smaller values may be delays. Undefined: no time seen since the start. */
  get atLeastMs(): number | undefined {
    const shown = this.#freshShown ?? this.#othersShown
    if (shown === undefined) return undefined
    const lowest = Math.min(shown, this.#othersShown ?? shown, this.skewMs)
    return this.skewMs - lowest <= NOISE_MS ? this.skewMs : lowest
  }

  /** @param isFresh neither queued nor timed by a meter. @returns whether `skewMs` has changed */
  observe(
    { occurredAt, receivedAt, original, repaired }: StationTime,
    sight: { readonly isFresh: boolean; readonly openedAt: number },
  ): boolean {
    const said = repaired && original !== undefined ? parseStationTime(original) : occurredAt
    if (original === undefined || said === undefined) return false
    if (sight.isFresh) this.#freshShown = said - receivedAt
    else this.#othersShown = said - receivedAt
    if (repaired || !this.#isBelieved(said - receivedAt, receivedAt, sight)) return false
    this.#lastSight = undefined
    this.skewMs = said - receivedAt
    return true
  }

  /** A fast clock is believed at once, a slow one after two messages. Fresh messages overrule delayed ones. */
  #isBelieved(skewMs: number, receivedAt: number, { isFresh, openedAt }: { isFresh: boolean; openedAt: number }) {
    if (Math.abs(skewMs - this.skewMs) <= NOISE_MS) {
      this.#lastSight = undefined
      if (isFresh) this.#freshInStepSince = openedAt
      else this.#inStepSince = openedAt
      return false
    }
    const isTrusted = isFresh || this.#inStepSince === openedAt
    if (isTrusted && skewMs > this.skewMs) return true
    if (!isTrusted && this.#freshInStepSince === openedAt) return false
    const first = this.#lastSight
    if (first && Math.abs(skewMs - first.skewMs) <= NOISE_MS) return receivedAt - first.receivedAt >= APART_MS
    this.#lastSight = { skewMs, receivedAt }
    return false
  }
}

interface WatchedStation {
  readonly id: string
  readonly clock: ClockWatch
  readonly openedAt: number
  readonly state: { readonly status: ChargePointStatus } | undefined
}

/** Logs when a clock is found wrong, and right again. @returns the decision, with what was learned */
export function watchClock(log: Log, station: WatchedStation, input: Input, decision: Decision): Decision {
  const { clock, openedAt, state } = station
  const before = clock.skewMs
  const at = saidAt(input)
  if (!at || !state || !clock.observe(at, { isFresh: input.kind === 'connectorStatus', openedAt })) return decision
  const skewSeconds = Math.round(clock.skewMs / 1000)
  if (isWrong(clock.skewMs)) {
    log.warn({ chargePoint: station.id, skewSeconds }, 'the clock of a charge point is wrong (seconds ahead of ours)')
  } else if (isWrong(before)) {
    log.info({ chargePoint: station.id, skewSeconds }, 'the clock of a charge point is right again')
  }
  const status = { ...(decision.changes.status ?? state.status), clockAheadMs: clock.skewMs }
  return { ...decision, changes: { ...decision.changes, status } }
}

function saidAt(input: Input): StationTime | undefined {
  switch (input.kind) {
    case 'connectorStatus':
    case 'started':
    case 'stopped':
    case 'transactionEvent':
      return input.at
    case 'sampled': {
      let newest: StationTime | undefined
      for (const { at } of input.samples) if (!newest || at.occurredAt > newest.occurredAt) newest = at
      return newest
    }
    default:
      return undefined
  }
}

function isWrong(skewMs: number): boolean {
  return Math.abs(skewMs) >= WORTH_TELLING_MS
}
