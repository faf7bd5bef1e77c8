/** The schedule that comes of all profiles (1.6 §5.7, 2.0.1 K08), period by period, exact to the second. */
import { limitsAt, type Offer, offerOf } from './limits.ts'
import type { ChargingProfile } from './profile.ts'
import { type Moment, nextChange, type Rate } from './schedule.ts'

export interface CompositePeriod {
  readonly startPeriod: number
  readonly limit: number
  readonly numberPhases: number
}

export interface Composite {
  readonly periods: readonly CompositePeriod[]
  /** What was asked for, or less where more periods would be needed than a station keeps. */
  readonly durationSeconds: number
}

interface ScheduledOutlet {
  readonly connectorId: number
  /** Of the car that hangs there; 3 where none does. */
  readonly carPhases: number
  readonly most: Offer
  readonly transaction?: Moment['transaction']
}

export interface CompositeOrder {
  readonly profiles: readonly ChargingProfile[]
  readonly outlets: readonly ScheduledOutlet[]
  readonly isWholeStation: boolean
  readonly at: number
  readonly durationSeconds: number
  readonly unit: 'A' | 'W'
  readonly mostPeriods: number
}

/** A week of quarter hours, ten times: nobody's schedule has more. */
const MAX_INSTANTS = 6_720

export function compositeSchedule(order: CompositeOrder): Composite {
  const { profiles, outlets, at: from, durationSeconds, mostPeriods } = order
  const until = from + durationSeconds * 1000
  const periods: CompositePeriod[] = []
  let at = from
  for (let looked = 0; at < until && looked < MAX_INSTANTS; looked++) {
    const allowed = allowedAt(order, at)
    const last = periods.at(-1)
    if (last?.limit !== allowed.limit || last.numberPhases !== allowed.numberPhases) {
      if (periods.length === mostPeriods) break
      periods.push({ startPeriod: Math.round((at - from) / 1000), ...allowed })
    }
    const moments = outlets.map((outlet) => momentOf(outlet, from, at))
    at = Math.min(
      until,
      ...profiles.flatMap((profile) => moments.map((moment) => nextChange(profile, moment) ?? until)),
    )
  }
  return { periods, durationSeconds: Math.min(durationSeconds, Math.floor((at - from) / 1000)) }
}

/** Where no charge goes on, one is thought to begin now (K08.FR.02). */
function momentOf({ connectorId, transaction }: ScheduledOutlet, from: number, at: number): Moment {
  return { at, connectorId, transaction: transaction ?? { startedAt: from } }
}

function allowedAt(order: CompositeOrder, at: number): Pick<CompositePeriod, 'limit' | 'numberPhases'> {
  const { outlets, profiles, unit, isWholeStation } = order
  const offers = outlets.map((outlet) => {
    const { connector, station } = limitsAt(profiles, momentOf(outlet, order.at, at))
    return offerOf(isWholeStation ? connector : [...connector, ...station], outlet.most, outlet.carPhases)
  })
  const numberPhases = Math.max(...offers.map(({ phases }) => phases))
  const voltage = Math.max(...offers.map((offer) => offer.voltage))
  const amps = offers.reduce((total, offer) => total + offer.amps, 0)
  const watts = offers.reduce((total, offer) => total + offer.amps * offer.phases * offer.voltage, 0)
  const together = isWholeStation ? limitsAt(profiles, { at, connectorId: 0 }).station : []
  const limit = Math.min(unit === 'A' ? amps : watts, ...together.map((rate) => converted(rate, unit, voltage)))
  return { limit: Math.floor(limit * 10 + 1e-6) / 10, numberPhases }
}

function converted(rate: Rate, unit: 'A' | 'W', voltage: number): number {
  if (rate.unit === unit) return rate.limit
  const wattsPerAmpere = voltage * rate.phases
  return unit === 'W' ? rate.limit * wattsPerAmpere : rate.limit / wattsPerAmpere
}
