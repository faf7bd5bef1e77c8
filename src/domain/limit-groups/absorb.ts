/** What a look at an EVSE changes of what is known of it: answers, boots, charges and readings. Pure. */

import { READINGS_TO_IGNORE } from '../charging/charges.ts'
import { isAbove, LEAST_AMPS } from '../charging/profile.ts'
import { nextDemand, obeys } from './demand.ts'
import type { EvseKey, GroupEvse } from './evse.ts'
import { isWithin, MINUTE_MS } from './group.ts'
import { accept, counted, current, EMPTY_LEDGER, latest, mayDraw, type Overdraw, outlast } from './ledger.ts'
import type { Wired } from './phases.ts'
import type { ShareState } from './records.ts'
import type { Accepted, EvseView, StationView } from './view.ts'

/** A car takes a moment to follow. */
const FOLLOWS_MS = 10_000
/** An older reading says nothing of now. */
export const READING_MS = 3 * MINUTE_MS
/** Of tenths, and of watts as amps. */
const ROUNDING_AMPS = 0.2
/** A station that refused a limit is asked again then. */
const REST_MS = MINUTE_MS

/** No time, but the acceptance of the fallback ends the doubt. */
const UNTIL_ACCEPTED = Number.MAX_SAFE_INTEGER

export const NEW_SHARE: ShareState = { ledger: EMPTY_LEDGER }

export interface Placed extends EvseKey, Wired {
  readonly group: string
  readonly spread?: number | undefined
  readonly maxAmps: number
  readonly minAmps: number
  readonly priority: number
}

export function absorb(
  before: ShareState,
  placed: Placed,
  station: StationView,
  seen: EvseView | undefined,
  now: number,
): ShareState {
  const timed = notAhead({ ...before, ledger: outlast(before.ledger, station) }, now)
  const withAnswers = answered(timed, station, seen, now)
  const withDoubt = doubted(withAnswers, station, seen, now)
  const withCharge = charged(withDoubt, placed, seen, now)
  return seen ? read(withCharge, placed, seen, now) : withCharge
}

/** Our clock was put back: what lies ahead of it would be waited for. */
function notAhead(before: ShareState, now: number): ShareState {
  const { changedAt, fallbackChangedAt, settledAt, restsUntil, doubtUntil, charge } = before
  const past = (at: number | undefined): number | undefined => at && Math.min(at, now)
  return {
    ...before,
    changedAt: past(changedAt),
    fallbackChangedAt: past(fallbackChangedAt),
    settledAt: past(settledAt),
    restsUntil: restsUntil && Math.min(restsUntil, now + REST_MS),
    doubtUntil: doubtUntil === UNTIL_ACCEPTED ? doubtUntil : doubtUntil && Math.min(doubtUntil, now + MINUTE_MS),
    ...(charge && {
      charge: {
        ...charge,
        servedSince: past(charge.servedSince),
        pausedSince: past(charge.pausedSince),
        demand: {
          ...charge.demand,
          leavesSince: past(charge.demand.leavesSince),
          grewAt: past(charge.demand.grewAt),
        },
      },
    }),
  }
}

function answered(before: ShareState, station: StationView, seen: EvseView | undefined, now: number): ShareState {
  if (!seen) return before
  const { fallback, lease } = before.ledger
  // Without a charge there is no other place: what was sent with the fallback holds for the next one.
  const ofLease = seen.lease ?? (seen.charge ? undefined : seen.fallback)
  const taking = taken(lease, ofLease)
  const ledger = { fallback: taken(fallback, seen.fallback), lease: counted(taking, ofLease?.endsAt, station) }
  const isSettled = ledger.fallback.accepted !== fallback.accepted || taking.accepted !== lease.accepted
  const { holdsNoFallback: _, leastAmps: _l, ...rest } = before
  const refuses = seen.refusesFallback && !ledger.fallback.accepted
  return {
    ...rest,
    ledger,
    ...(seen.leastAmps > 0 && { leastAmps: seen.leastAmps }),
    ...(isSettled && { settledAt: now }),
    ...(refuses && { holdsNoFallback: true, restsUntil: Math.max(before.restsUntil ?? 0, now + REST_MS) }),
  }
}

function taken(place: ShareState['ledger']['fallback'], answer: Accepted | undefined) {
  return answer ? accept(place, answer.revision) : place
}

/** GROUP-A6: with a boot everything accepted is in question, so a fallback that is seen was accepted since. */
function doubted(before: ShareState, { bootedAt }: StationView, seen: EvseView | undefined, now: number): ShareState {
  const { doubtUntil: known = 0, ...rest } = before
  const isAnew = bootedAt !== undefined && before.bootedAt !== undefined && bootedAt !== before.bootedAt
  const mayHaveForgotten = (isAnew || known === UNTIL_ACCEPTED) && !seen?.fallback
  const { resumedAt = 0 } = seen ?? {}
  const resumed = isWithin(MINUTE_MS, resumedAt, now) ? resumedAt + MINUTE_MS : 0
  const doubtUntil = mayHaveForgotten ? UNTIL_ACCEPTED : Math.max(known === UNTIL_ACCEPTED ? 0 : known, resumed)
  return { ...rest, ...(bootedAt !== undefined && { bootedAt }), ...(doubtUntil > now && { doubtUntil }) }
}

function charged(before: ShareState, placed: Placed, seen: EvseView | undefined, now: number): ShareState {
  const { charge: known, ...rest } = before
  if (!seen) return before
  if (!seen.charge) return rest
  const { id } = seen.charge
  const { servedSince, pausedSince, demand } = known?.id === id ? known : { demand: { wantAmps: placed.maxAmps } }
  const given = latest(before.ledger.lease)
  const fallbackAmps = before.ledger.fallback.accepted?.amps ?? 0
  const held = Math.max(before.leastAmps ?? 0, fallbackAmps, given ? current(given, now) : 0)
  const isServed = held >= LEAST_AMPS
  const turn = isServed ? { servedSince: servedSince ?? now } : { pausedSince: pausedSince ?? now }
  // GROUP-S5: its watts changed without a plan.
  const changedAt = Math.max(before.changedAt ?? 0, seen.shownAt ?? 0)
  return { ...rest, ...(changedAt > 0 && { changedAt }), charge: { id, demand, ...turn } }
}

function read(before: ShareState, placed: Placed, seen: EvseView, now: number): ShareState {
  const { draw, isIgnoring, mostAmps: foreignAmps = 0 } = seen
  const { overdraw: known, readings = 0, ...rest } = before
  const { maxAmps, minAmps } = placed
  const allowedAmps = mayDraw({ ledger: before.ledger, leastAmps: before.leastAmps, maxAmps }, now)
  const isFresh = draw?.amps !== undefined && isWithin(READING_MS, draw.at, now)
  const foreign = foreignAmps > allowedAmps + ROUNDING_AMPS && { foreignAmps }
  if (!draw || !isFresh || draw.amps === undefined) {
    const overdraw = isIgnoring || foreign ? { isIgnoring, ...foreign } : undefined
    return { ...rest, overdraw }
  }
  const drawnAmps = draw.amps
  const isNew = draw.at !== before.readAt && draw.at - (before.settledAt ?? 0) >= FOLLOWS_MS
  const demand = before.charge && nextDemand(before.charge.demand, { allowedAmps, drawnAmps, maxAmps, minAmps }, now)
  const count = isNew ? countedReadings(readings, drawnAmps, allowedAmps, maxAmps) : readings
  const measured = overdrawn(known, count, isIgnoring, drawnAmps, allowedAmps, draw.offeredAmps)
  const overdraw = foreign ? { isIgnoring: false, ...measured, ...foreign } : measured
  return {
    ...rest,
    ...(before.charge && demand && { charge: { ...before.charge, demand } }),
    ...(isNew && { readAt: draw.at }),
    ...(count !== 0 && { readings: count }),
    overdraw,
  }
}

/** In a row: above what it may draw (positive), or at its limit (negative). */
function countedReadings(readings: number, drawnAmps: number, allowedAmps: number, maxAmps: number): number {
  if (isAbove(drawnAmps, allowedAmps)) return Math.max(0, readings) + 1
  return obeys(drawnAmps, { allowedAmps, maxAmps }) ? Math.min(0, readings) - 1 : readings
}

function overdrawn(
  known: Overdraw | undefined,
  readings: number,
  isReported: boolean,
  drawnAmps: number,
  allowedAmps: number,
  offeredAmps: number | undefined,
): Overdraw | undefined {
  const obeyed = readings <= -READINGS_TO_IGNORE
  const isIgnoring = isReported || readings >= READINGS_TO_IGNORE || (known?.isIgnoring === true && !obeyed)
  if (!isIgnoring && (readings <= 0 || !isAbove(drawnAmps, allowedAmps))) return undefined
  return { isIgnoring, drawnAmps, offeredAmps }
}

export function evseOf(
  state: ShareState,
  { minAmps: _, priority, ...placed }: Placed,
  station: StationView | undefined,
  seen: EvseView | undefined,
): GroupEvse {
  const { charge, ...held } = state
  const charges = seen?.charge && charge && station?.holdsLeases
  return {
    ...placed,
    ...held,
    isOnline: station?.isConnected ?? false,
    clockAheadMs: station?.clockAheadMs ?? 0,
    clockAtLeastMs: station?.clockAtLeastMs,
    countsLeases: station?.countsLeases,
    ...(charges && {
      charge: {
        id: charge.id,
        startedAt: seen.charge.startedAt,
        priority: seen.charge.priority ?? priority,
        wantAmps: charge.demand.wantAmps,
        isFull: charge.demand.isFull,
        servedSince: charge.servedSince,
        pausedSince: charge.pausedSince,
      },
    }),
  }
}
