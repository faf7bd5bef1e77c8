/** What an EVSE was given and may still hold: the law counts only this, connected or not (GROUP-A1 to GROUP-A6). */

export interface Given {
  /** Rising: of two limits for one place the greater revision was decided later. */
  readonly revision: number
  readonly amps: number
  /** A lease: it ends by itself, by our clock and at the latest. Absent: it counts until it is replaced. */
  readonly until?: number | undefined
  /** When the station is to fall back, by our clock; `until` is later by what its clock may be wrong. */
  readonly endsAt?: number | undefined
  /** Milliseconds that the station's clock was ahead of ours at most since then: its times are sent by its clock. */
  readonly aheadMs?: number | undefined
  readonly afterAmps: number
  /** How long it lasts, for a station that counts it from when it arrives (OCPP21-C1). */
  readonly seconds?: number | undefined
}

/** One place at the station, such as its TxDefaultProfile: a limit sent there replaces the one before. */
export interface LedgerEntry {
  readonly accepted?: Given | undefined
  readonly sent: readonly Given[]
}

export interface Ledger {
  /** The fallback, which holds for every charge, also for one that begins offline. */
  readonly fallback: LedgerEntry
  readonly lease: LedgerEntry
}

const EMPTY: LedgerEntry = { sent: [] }
export const EMPTY_LEDGER: Ledger = { fallback: EMPTY, lease: EMPTY }

/** What a message takes, and how well a clock's error is known. */
export const CLOCK_MARGIN_MS = 15_000

/** A station that takes calls and answers none must not fill the database: the oldest become one, at their worst. */
const MAX_SENT = 8

export function give(place: LedgerEntry, given: Given): LedgerEntry {
  const sent = [...place.sent, given]
  const [first, second, ...rest] = sent
  return { ...place, sent: sent.length > MAX_SENT && first && second ? [worstOf(first, second), ...rest] : sent }
}

function worstOf(one: Given, { revision, amps, until, afterAmps }: Given): Given {
  const end = one.until === undefined || until === undefined ? undefined : Math.max(one.until, until)
  const most = Math.max(one.amps, amps)
  const after = Math.max(one.afterAmps, afterAmps)
  return { revision, amps: most, afterAmps: after, until: end }
}

/** It holds this revision, or the last before it. Messages stay in order, so whatever was sent earlier is replaced. */
export function accept(place: LedgerEntry, revision: number): LedgerEntry {
  const given = place.sent.findLast((one) => one.revision <= revision)
  if (!given) return place
  const sent = place.sent.filter((one) => one.revision > revision)
  return { accepted: given, sent }
}

export interface KnownClock {
  readonly clockAheadMs: number
  readonly clockAtLeastMs?: number | undefined
}

/** GROUP-A8: by our clock; the station's may be set right at any time. Undefined: unknown, as it showed no time. */
export function leaseEnd(endsAt: number, { clockAheadMs, clockAtLeastMs }: KnownClock): number | undefined {
  if (clockAtLeastMs === undefined) return undefined
  return endsAt + clockAheadMs - Math.min(clockAtLeastMs, 0) + CLOCK_MARGIN_MS
}

/** How much later than it was given a lease may arrive, at most. */
const DELIVERY_MS = 120_000

/**
 * OCPP21-C1: of a station that may count a lease from when it arrives, or may take it with its own times, whichever is
 * later. Undefined: unknown, as it showed no time.
 */
export function longestEnd(endsAt: number, clock: KnownClock, deliveryMs = 0): number | undefined {
  const end = leaseEnd(endsAt, clock)
  if (end === undefined) return undefined
  return Math.max(end, endsAt + Math.max(0, clock.clockAheadMs) + CLOCK_MARGIN_MS + deliveryMs)
}

export function endOfGiven(endsAt: number, clock: KnownClock, isCounted: boolean): number | undefined {
  return isCounted ? longestEnd(endsAt, clock, DELIVERY_MS) : leaseEnd(endsAt, clock)
}

/** OCPP21-C1, OCPP21-C2: it counts from when the station took it, and anew from each pull. */
export function counted(place: LedgerEntry, endsAt: number | undefined, clock: KnownClock): LedgerEntry {
  const { accepted } = place
  if (!accepted || endsAt === undefined || accepted.endsAt === endsAt) return place
  const until = longestEnd(endsAt, clock)
  return { ...place, accepted: { ...accepted, endsAt, until, aheadMs: clock.clockAheadMs } }
}

/** GROUP-A8: a clock that was set back lets a lease last longer by as much. */
export function outlast({ fallback, lease }: Ledger, clock: KnownClock): Ledger {
  const later = (given: Given): Given => {
    const { until, endsAt, aheadMs = clock.clockAheadMs } = given
    if (endsAt === undefined) return given
    const most = Math.max(aheadMs, clock.clockAheadMs)
    const known = { ...clock, clockAheadMs: most }
    const end = given.seconds === undefined ? leaseEnd(endsAt, known) : longestEnd(endsAt, known)
    const ends = end === undefined ? until : Math.max(until ?? end, end)
    return ends === until && most === aheadMs ? given : { ...given, aheadMs: most, until: ends }
  }
  const { accepted, sent } = lease
  return { fallback, lease: { accepted: accepted && later(accepted), sent: sent.map(later) } }
}

/** What was given last, whether it arrived or not. */
export function latest({ accepted, sent }: LedgerEntry): Given | undefined {
  return sent.at(-1) ?? accepted
}

/** What it holds if all that was given arrived, at this time. */
export function current({ amps, until, afterAmps }: Given, now: number): number {
  return until !== undefined && now >= until ? afterAmps : amps
}

/** What this allows now or at any later time, if nothing more is heard of the station. */
export function atMost({ amps, until, afterAmps }: Given, now: number): number {
  return until === undefined || now < until ? Math.max(amps, afterAmps) : afterAmps
}

export function mostOfPlace({ accepted, sent }: LedgerEntry, now: number): number {
  let most = accepted ? atMost(accepted, now) : 0
  for (const one of sent) most = Math.max(most, atMost(one, now))
  return most
}

/** What was seen of an EVSE that draws more than it was allowed (GROUP-A5). */
export interface Overdraw {
  /** It was seen twice: the station ignores its limits. */
  readonly isIgnoring: boolean
  readonly drawnAmps?: number | undefined
  readonly offeredAmps?: number | undefined
  /** What profiles of others beside ours allow it. */
  readonly foreignAmps?: number | undefined
}

export interface Holder {
  readonly ledger: Ledger
  readonly maxAmps: number
  /** GROUP-A7: what is sent in place of less, as it takes no less. */
  readonly leastAmps?: number | undefined
  readonly overdraw?: Overdraw | undefined
}

/** GROUP-A1: the most by all that it was given, per phase; without a fallback what its connector gives (GROUP-A3). */
export function mayDraw({ ledger, maxAmps, leastAmps = 0, overdraw }: Holder, now: number): number {
  const { fallback, lease } = ledger
  const bound = fallback.accepted
    ? Math.min(maxAmps, Math.max(leastAmps, mostOfPlace(fallback, now), mostOfPlace(lease, now)))
    : maxAmps
  if (!overdraw) return bound
  const { isIgnoring, drawnAmps, offeredAmps, foreignAmps = 0 } = overdraw
  const held = Math.max(bound, Math.min(maxAmps, foreignAmps))
  if (drawnAmps === undefined) return isIgnoring ? Math.max(held, maxAmps) : held
  return Math.max(held, drawnAmps, isIgnoring ? (offeredAmps ?? 0) : 0)
}
