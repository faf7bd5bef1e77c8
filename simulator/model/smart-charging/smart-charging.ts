import type { Clock, Protocol } from '../../../src/domain/ports/core.ts'
import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { Behaviour } from '../../station.ts'
import { gridPhases, type Outlet } from '../connector.ts'
import {
  install,
  keptOverReboot,
  matches,
  type ProfileMatch,
  type ProfileRules,
  refusal,
  withoutThoseOf,
} from './installed.ts'
import { limitsAt, type Offer, offerOf, share } from './limits.ts'
import {
  type ChargingProfile,
  EXTERNAL_PURPOSE,
  type LimitSource,
  type Moment,
  nextChange,
  type Rate,
  readProfile,
  updated,
} from './profile.ts'

interface SmartChargingContext {
  readonly protocol: Protocol
  readonly takesDynamic: boolean
  readonly outlets: readonly Outlet[]
  readonly behaviour: Behaviour
  /** Of each phase. */
  readonly voltage: number
  readonly clock: Pick<Clock, 'now'>
  readonly after: Clock['after']
  readonly changed: () => void
}

/** The longest wait of a timer of Node; nothing happens to look more often. */
const MAX_WAIT_MS = 86_400_000

export type SmartCharging = ReturnType<typeof createSmartCharging>

export function createSmartCharging(parts: SmartChargingContext) {
  const { protocol, outlets, behaviour, clock } = parts
  const rules: ProfileRules = {
    protocol,
    units: behaviour.wattsOnly ? ['W'] : ['A', 'W'],
    mostPeriods: 24,
    highestStackLevel: 10,
    mostProfiles: 20,
    takesZero: !behaviour.refusesZero,
    takesDynamic: parts.takesDynamic,
  }
  let profiles: readonly ChargingProfile[] = behaviour.foreignProfile ? foreignProfiles(rules, parts.voltage) : []
  let cancel: () => void = () => undefined

  const momentOf = ({ connectorId, transaction }: Outlet): Moment => ({ at: clock.now(), connectorId, transaction })
  const outletOf = (connectorId: number) => outlets.find((outlet) => outlet.connectorId === connectorId)
  const isOfConnector = (profile: ChargingProfile, { connectorId }: Outlet) =>
    profile.connectorId === connectorId || (profile.connectorId === 0 && profile.purpose === 'TxDefaultProfile')

  const offers = (): ReadonlyMap<number, Offer> => {
    const obeyed = behaviour.ignoresProfiles ? profiles.filter(({ purpose }) => purpose === EXTERNAL_PURPOSE) : profiles
    if (obeyed.length === 0) return new Map(outlets.map(({ connectorId, meter }) => [connectorId, meter.most]))
    const open = outlets.map((outlet) => ({ outlet, limits: limitsAt(obeyed, momentOf(outlet)) }))
    const own = open.map(({ outlet: { connectorId, meter, phaseRotation, transaction }, limits }) => {
      const rates = behaviour.limitsPerConnector ? [...limits.connector, ...limits.station] : limits.connector
      const offer = offerOf(rates, meter.most, meter.phases)
      return { connectorId, offer, gridPhases: gridPhases(phaseRotation, offer), transaction }
    })
    const [first] = open
    const ofStation = behaviour.limitsPerConnector ? [] : (first?.limits.station ?? [])
    if (ofStation.length === 0) return new Map(own.map(({ connectorId, offer }) => [connectorId, offer]))
    const claims = own
      .filter(({ transaction }) => transaction)
      .sort((a, b) => (a.transaction?.startedAt ?? 0) - (b.transaction?.startedAt ?? 0))
    const shares = share(ofStation, claims)
    return new Map(
      own.map(({ connectorId, offer }) => [
        connectorId,
        { ...offer, amps: Math.min(offer.amps, shares.get(connectorId) ?? 0) },
      ]),
    )
  }

  return {
    rules,
    profiles: () => profiles,
    offers,
    /** SetChargingProfile: the reason of a refusal; undefined where accepted. */
    set(connectorId: number, source: Payload): string | undefined {
      const outlet = outletOf(connectorId)
      if (connectorId !== 0 && !outlet) return 'UnknownEvse'
      const profile = readProfile(source, connectorId, clock.now())
      const reason = refusal(profile, rules, profiles, outlet?.transaction)
      if (reason !== undefined) return reason
      const isLost = behaviour.discardsWhileSuspended && profile.purpose === 'TxProfile' && isSuspended(outlet)
      profiles = isLost ? withoutThoseOf(profiles, { connectorId }) : install(profiles, profile, protocol)
      return undefined
    },
    /** UpdateDynamicSchedule: false where it is no dynamic profile. */
    update(id: number, scheduleUpdate: Payload): boolean {
      const found = profiles.find((profile) => profile.id === id && profile.kind === 'Dynamic')
      const next = found && updated(found, scheduleUpdate, clock.now())
      profiles = profiles.map((profile) => (profile === found ? (next ?? profile) : profile))
      return found !== undefined
    },
    /** What comes with the order of a charge; the first word is why the station would not take it. */
    readStart(source: Payload | undefined): { readonly refused?: string; readonly profile?: ChargingProfile } {
      if (!source) return {}
      const [outlet] = outlets
      const profile = readProfile(source, outlet?.connectorId ?? 1, clock.now())
      if (profile.purpose !== 'TxProfile') return { refused: 'InvalidProfile' }
      const reason = refusal({ ...profile, transactionId: 'to come' }, rules, profiles, { transactionId: 'to come' })
      return reason === undefined ? { profile } : { refused: reason }
    },
    bind(profile: ChargingProfile, { connectorId, transaction }: Outlet): void {
      const transactionId = protocol === 'ocpp1.6' ? undefined : transaction?.transactionId
      const bound: ChargingProfile = {
        ...profile,
        connectorId,
        ...(transactionId !== undefined && { transactionId, source: { ...profile.source, transactionId } }),
      }
      profiles = install(profiles, bound, protocol)
    },
    /** ClearChargingProfile: whether any matched. */
    clear(match: ProfileMatch): boolean {
      const isGone = (profile: ChargingProfile) => profile.purpose !== EXTERNAL_PURPOSE && matches(profile, match)
      const kept = profiles.filter((profile) => !isGone(profile))
      const isAny = kept.length < profiles.length
      profiles = kept
      return isAny
    },
    /** An external limit replaces the earlier one from the same source on this connector; absent: removed. */
    constrain(connectorId: number, source: LimitSource, profile: ChargingProfile | undefined): void {
      const isBefore = (other: ChargingProfile) =>
        other.purpose === EXTERNAL_PURPOSE && other.connectorId === connectorId && other.madeBy === source
      profiles = [...profiles.filter((other) => !isBefore(other)), ...(profile ? [profile] : [])]
    },
    /** GetCompositeSchedule; 0 is the whole station. */
    composite(connectorId: number, durationSeconds: number, unit: 'A' | 'W'): Composite {
      const isWholeStation = connectorId === 0
      return compositeSchedule({
        profiles,
        isWholeStation,
        at: clock.now(),
        durationSeconds,
        unit,
        mostPeriods: rules.mostPeriods,
        outlets: outlets
          .filter((outlet) => isWholeStation || outlet.connectorId === connectorId)
          .map(({ connectorId: number, plugged, meter, transaction }) => ({
            connectorId: number,
            carPhases: plugged ? meter.phases : 3,
            most: meter.most,
            transaction,
          })),
      })
    },
    ended(transaction: { readonly connectorId: number; readonly transactionId?: string }): void {
      profiles = withoutThoseOf(profiles, transaction)
    },
    resumed(outlet: Outlet): void {
      if (behaviour.forgetsAtResume) profiles = profiles.filter((profile) => !isOfConnector(profile, outlet))
    },
    rebooted(): void {
      profiles = behaviour.forgetsProfilesAtReboot ? [] : keptOverReboot(profiles)
    },
    lost(): void {
      if (!behaviour.forgetsOffline || profiles.length === 0) return
      profiles = []
      parts.changed()
    },
    /** Calls back as soon as the profiles may say something else. */
    watch(): void {
      cancel()
      const next = profiles.flatMap((profile) => outlets.map((outlet) => nextChange(profile, momentOf(outlet))))
      const soonest = Math.min(...next.filter((instant) => instant !== undefined))
      if (soonest === Number.POSITIVE_INFINITY) return
      cancel = parts.after(Math.min(MAX_WAIT_MS, soonest - clock.now()), parts.changed)
    },
  }
}

function isSuspended(outlet: Outlet | undefined): boolean {
  return outlet?.status === 'SuspendedEV' || outlet?.status === 'SuspendedEVSE'
}

/** Profiles of another system in the station, above all that come later: 13 A for each purpose. */
const FOREIGN_LIMIT_A = 13

function foreignProfiles(
  { protocol, highestStackLevel, units }: ProfileRules,
  voltage: number,
): readonly ChargingProfile[] {
  const is16 = protocol === 'ocpp1.6'
  const [unit = 'A'] = units
  const limit = unit === 'A' ? FOREIGN_LIMIT_A : FOREIGN_LIMIT_A * 3 * voltage
  const schedule = {
    chargingRateUnit: unit,
    startSchedule: '2020-01-01T00:00:00.000Z',
    chargingSchedulePeriod: [{ startPeriod: 0, limit }],
  }
  return [is16 ? 'ChargePointMaxProfile' : 'ChargingStationMaxProfile', 'TxDefaultProfile'].map((purpose, position) => {
    const id = 9_001 + position
    const source = {
      ...(is16 ? { chargingProfileId: id } : { id }),
      stackLevel: highestStackLevel,
      chargingProfilePurpose: purpose,
      chargingProfileKind: 'Absolute',
      chargingSchedule: is16 ? schedule : [{ id, ...schedule }],
    }
    return readProfile(source, 0, 0)
  })
}

/** The schedule that comes of all profiles (1.6 §5.7, 2.0.1 K08), period by period, exact to the second. */
interface CompositePeriod {
  readonly startPeriod: number
  readonly limit: number
  readonly numberPhases: number
}

interface Composite {
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

/** A week of quarter hours, ten times: no schedule has more. */
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
