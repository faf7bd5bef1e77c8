/** The course of a charge: what was taken when, and whether the vehicle asked for power (TARIFF-A4). */
import type { TariffElement, TariffRestrictions } from './elements.ts'
import { instantsOf, localTimeAt } from './local-time.ts'

/** Times in ms since the epoch. Pieces follow each other without holes; energy flows evenly within one. */
export interface CoursePiece {
  readonly start: number
  readonly end: number
  readonly energyMilliWh: number
  /** The vehicle asks for power, also where the EVSE gives none; otherwise it is parked. */
  readonly isCharging: boolean
  /** Absent: what its energy comes to on average. */
  readonly powerWatts?: number | undefined
  /** Sum of all phases; absent: what the power comes to at 230 V. */
  readonly currentAmps?: number | undefined
}

/** Before the charge, or instead of one. */
export interface ReservedTime {
  readonly start: number
  readonly end: number
  /** No charge came of it. */
  readonly isExpired: boolean
}

export interface Course {
  readonly pieces: readonly CoursePiece[]
  readonly reservation?: ReservedTime | undefined
  /** IANA, of the place. */
  readonly timeZone: string
}

export type Phase = 'charging' | 'parking' | 'reserved' | 'expired'

/** A part of the course in which the same elements apply from begin to end. */
export interface Slice {
  readonly start: number
  readonly end: number
  readonly energyMilliWh: number
  readonly phase: Phase
  readonly elements: readonly TariffElement[]
}

const VOLTAGE = 230

/** Linear in pieces, days and elements. */
export function slicesOf(
  elements: readonly TariffElement[],
  { pieces, reservation, timeZone }: Course,
): readonly Slice[] {
  const slices: Slice[] = []
  if (reservation) {
    const { start, end, isExpired } = reservation
    const reserved = { start, end: Math.max(start, end), energyMilliWh: 0, isCharging: false }
    cut(elements, [reserved], timeZone, isExpired ? 'expired' : 'reserved', slices)
  }
  cut(elements, pieces, timeZone, undefined, slices)
  return slices
}

function cut(
  elements: readonly TariffElement[],
  pieces: readonly CoursePiece[],
  timeZone: string,
  reserved: 'expired' | 'reserved' | undefined,
  slices: Slice[],
): void {
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (!first || !last) return
  const instants = instantsFor(elements, first.start, last.end, timeZone)
  const thresholds = thresholdsFor(elements)
  const clock = hasLocalTime(elements) ? timeZone : undefined
  let [nextInstant, nextThreshold, taken] = [0, 0, 0]
  for (const piece of pieces) {
    const { start, end, energyMilliWh } = piece
    const cuts: { at: number; taken: number }[] = []
    const over = taken + energyMilliWh
    for (; (instants[nextInstant] ?? Number.POSITIVE_INFINITY) < end; nextInstant++) {
      const at = instants[nextInstant] ?? end
      if (at > start) cuts.push({ at, taken: taken + share(energyMilliWh, at - start, end - start) })
    }
    for (; (thresholds[nextThreshold] ?? Number.POSITIVE_INFINITY) < over; nextThreshold++) {
      const threshold = thresholds[nextThreshold] ?? over
      if (threshold <= taken) continue
      cuts.push({ at: start + share(end - start, threshold - taken, energyMilliWh), taken: threshold })
    }
    cuts.sort((a, b) => a.at - b.at || a.taken - b.taken)
    cuts.push({ at: end, taken: over })
    const hours = (end - start) / 3_600_000
    const watts = piece.powerWatts ?? (hours > 0 ? energyMilliWh / 1000 / hours : 0)
    const amps = piece.currentAmps ?? watts / VOLTAGE
    let [at, before] = [start, taken]
    for (const one of cuts) {
      const local = clock === undefined ? undefined : localTimeAt(at, clock)
      const facts: Facts = { elapsedMs: at - first.start, taken: before, watts, amps, local }
      slices.push({
        start: at,
        end: one.at,
        energyMilliWh: one.taken - before,
        phase: reserved ?? (piece.isCharging ? 'charging' : 'parking'),
        elements: matching(elements, facts, reserved),
      })
      at = one.at
      before = one.taken
    }
    taken = over
  }
}

function share(whole: number, part: number, of: number): number {
  return of === 0 ? 0 : Number((BigInt(whole) * BigInt(part)) / BigInt(of))
}

interface Facts {
  readonly elapsedMs: number
  readonly taken: number
  readonly watts: number
  readonly amps: number
  readonly local: ReturnType<typeof localTimeAt> | undefined
}

/** Of an expired reservation those of its expiry go first. */
function matching(elements: readonly TariffElement[], facts: Facts, reserved: 'expired' | 'reserved' | undefined) {
  const of = (kind: TariffRestrictions['reservation']) =>
    elements.filter(({ restrictions = {} }) => restrictions.reservation === kind && matches(restrictions, facts))
  if (reserved === undefined) return of(undefined)
  return reserved === 'expired' ? [...of('RESERVATION_EXPIRES'), ...of('RESERVATION')] : of('RESERVATION')
}

function matches(restrictions: TariffRestrictions, { elapsedMs, taken, watts, amps, local }: Facts): boolean {
  const { minKwh, maxKwh, minPower, maxPower, minCurrent, maxCurrent, minDuration, maxDuration } = restrictions
  const isWithin = (value: number, min: number | undefined, max: number | undefined, unit: number): boolean =>
    (min === undefined || value >= Math.round(min * unit)) && (max === undefined || value < Math.round(max * unit))
  return (
    isWithin(taken, minKwh, maxKwh, MILLI_WH_PER_KWH) &&
    isWithin(elapsedMs, minDuration, maxDuration, 1000) &&
    isWithin(watts * 1000, minPower, maxPower, 1_000_000) &&
    isWithin(amps * 1000, minCurrent, maxCurrent, 1000) &&
    (local === undefined || matchesLocally(restrictions, local))
  )
}

const MILLI_WH_PER_KWH = 1_000_000

function matchesLocally(
  { startTime, endTime, startDate, endDate, dayOfWeek }: TariffRestrictions,
  { minute, date, weekday }: NonNullable<Facts['local']>,
): boolean {
  if (startDate !== undefined && date < startDate) return false
  if (endDate !== undefined && date >= endDate) return false
  if (dayOfWeek && dayOfWeek.length > 0 && !dayOfWeek.includes(weekday)) return false
  const from = minutesOf(startTime ?? '00:00')
  const to = minutesOf(endTime ?? '00:00') || 1440
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** Of `HH:MM`. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

function hasLocalTime(elements: readonly TariffElement[]): boolean {
  return elements.some(({ restrictions: of }) => of && (hasTimeOfDay(of) || hasDays(of)))
}

const hasTimeOfDay = ({ startTime, endTime }: TariffRestrictions): boolean =>
  startTime !== undefined || endTime !== undefined
const hasDays = ({ startDate, endDate, dayOfWeek }: TariffRestrictions): boolean =>
  startDate !== undefined || endDate !== undefined || (dayOfWeek !== undefined && dayOfWeek.length > 0)

/** When elements may begin or end to apply by time alone. */
function instantsFor(
  elements: readonly TariffElement[],
  from: number,
  to: number,
  timeZone: string,
): readonly number[] {
  const restrictions = elements.flatMap((element) => element.restrictions ?? [])
  const minutes = restrictions.flatMap((one) => [
    ...(hasTimeOfDay(one) ? [minutesOf(one.startTime ?? '00:00'), minutesOf(one.endTime ?? '00:00')] : []),
    ...(hasDays(one) ? [0] : []),
  ])
  const durations = restrictions.flatMap(({ minDuration, maxDuration }) =>
    [minDuration, maxDuration].flatMap((seconds) => (seconds === undefined ? [] : [from + seconds * 1000])),
  )
  const local = minutes.length > 0 ? instantsOf(minutes, from, to, timeZone) : []
  return durations.length === 0 ? local : [...local, ...durations].sort((a, b) => a - b)
}

function thresholdsFor(elements: readonly TariffElement[]): readonly number[] {
  return elements
    .flatMap(({ restrictions: { minKwh, maxKwh } = {} }) => [minKwh, maxKwh])
    .flatMap((kwh) => (kwh === undefined ? [] : [Math.round(kwh * MILLI_WH_PER_KWH)]))
    .sort((a, b) => a - b)
}
