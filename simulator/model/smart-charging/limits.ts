import { type ChargingProfile, EXTERNAL_PURPOSE, isForStation, type Moment, type Rate, rateAt } from './profile.ts'

/** Below it the pilot can signal no current, and the car has to pause (IEC 61851-1). */
export const LEAST_CURRENT_A = 6
/** Watts become amperes and come back a little off. */
const HAIR = 1e-6

/** What a connector gives: so many amperes on each of so many phases. */
export interface Offer {
  readonly amps: number
  readonly phases: number
  /** 0 to 2: the first phase that is connected. */
  readonly firstPhase: number
  /** Of each phase. */
  readonly voltage: number
}

export function canCharge({ amps }: Offer): boolean {
  return amps >= LEAST_CURRENT_A - HAIR
}

interface LimitsAt {
  readonly connector: readonly Rate[]
  readonly station: readonly Rate[]
}

/**
 * 1.6 §3.13.3, K01: of each purpose the highest stack level that says something now; a TxProfile stands in for the
 * TxDefaultProfile, and the smallest of all purposes holds. Without a transaction only limits of the station hold.
 */
export function limitsAt(profiles: readonly ChargingProfile[], moment: Moment): LimitsAt {
  const strongest = (selected: (profile: ChargingProfile) => boolean): Rate | undefined => {
    const candidates = profiles
      .filter((profile) => selected(profile) && isOfTransaction(profile, moment))
      .sort((a, b) => b.stackLevel - a.stackLevel || b.connectorId - a.connectorId || b.installedAt - a.installedAt)
    for (const profile of candidates) {
      const rate = rateAt(profile, moment)
      if (rate) return rate
    }
    return undefined
  }
  const here = ({ connectorId }: ChargingProfile) => connectorId === moment.connectorId
  const ofPurpose = (purpose: string) =>
    strongest((profile) => profile.purpose === purpose && (profile.connectorId === 0 || here(profile)))
  /** One source's constraint does not lift another one's. */
  const external = (connectorId: number) =>
    profiles
      .filter((profile) => profile.purpose === EXTERNAL_PURPOSE && profile.connectorId === connectorId)
      .map((profile) => rateAt(profile, moment))
  const ofCharge = moment.transaction && (ofPurpose('TxProfile') ?? ofPurpose('TxDefaultProfile'))
  const present = (rates: readonly (Rate | undefined)[]) => rates.filter((rate) => rate !== undefined)
  return {
    connector: present([ofCharge, ...(moment.connectorId === 0 ? [] : external(moment.connectorId))]),
    station: present([strongest(isForStation), ...external(0)]),
  }
}

function isOfTransaction({ transactionId }: ChargingProfile, { transaction }: Moment): boolean {
  return transactionId === undefined || transactionId === transaction?.transactionId
}

/** The smallest of these rates, for a car of so many phases (0: direct current, made of three). */
export function offerOf(rates: readonly Rate[], most: Offer, carPhases: number): Offer {
  const connected = Math.min(most.phases, ...rates.map(({ phases }) => phases))
  const phases = Math.min(connected, carPhases === 0 ? 3 : carPhases)
  const chosen = rates.find((rate) => rate.phases === connected && rate.phaseToUse !== undefined)
  return {
    amps: Math.min(most.amps, ...rates.map((rate) => ampsOf(rate, phases, most.voltage))),
    phases,
    firstPhase: chosen?.phaseToUse === undefined ? most.firstPhase : chosen.phaseToUse - 1,
    voltage: most.voltage,
  }
}

export function ampsOf({ unit, limit }: Pick<Rate, 'unit' | 'limit'>, phases: number, voltage: number): number {
  return unit === 'A' ? limit : limit / (voltage * phases)
}

export interface Claim {
  readonly connectorId: number
  readonly offer: Offer
  /** Phases of the grid that it loads, 0 to 2. */
  readonly gridPhases: readonly number[]
}

/** First 6 A for each claim in order, then evenly upwards until a phase or the connection is full; below 6 A none. */
export function share(rates: readonly Rate[], claims: readonly Claim[]): ReadonlyMap<number, number> {
  const shares = new Map<number, number>(claims.map(({ connectorId }) => [connectorId, 0]))
  const pools = rates.flatMap(poolsOf)
  const free = () => pools.map(({ size, weight }) => size - sum(claims.map((claim) => weight(claim) * given(claim))))
  const given = ({ connectorId }: Claim) => shares.get(connectorId) ?? 0
  const growing = new Set<Claim>()
  for (const claim of claims) {
    const left = free()
    const fits = pools.every(({ weight }, at) => weight(claim) * LEAST_CURRENT_A <= (left[at] ?? 0) + HAIR)
    if (!fits || !canCharge(claim.offer)) continue
    shares.set(claim.connectorId, LEAST_CURRENT_A)
    growing.add(claim)
  }
  while (growing.size > 0) {
    const left = free()
    const steps = pools.map(({ weight }, at) => (left[at] ?? 0) / sum([...growing].map(weight)))
    const room = [...growing].map((claim) => claim.offer.amps - given(claim))
    const step = Math.max(0, Math.min(...steps.filter(Number.isFinite), ...room))
    for (const claim of growing) shares.set(claim.connectorId, given(claim) + step)
    const after = free()
    for (const claim of growing) {
      const isFull = pools.some(({ weight }, at) => weight(claim) > 0 && (after[at] ?? 0) <= HAIR)
      if (isFull || claim.offer.amps - given(claim) <= HAIR) growing.delete(claim)
    }
  }
  return shares
}

interface Pool {
  readonly size: number
  /** How much of it one ampere of this claim takes. */
  readonly weight: (claim: Claim) => number
}

function poolsOf({ unit, limit }: Rate): readonly Pool[] {
  if (unit === 'W') return [{ size: limit, weight: ({ gridPhases, offer }) => offer.voltage * gridPhases.length }]
  return [0, 1, 2].map((phase) => ({
    size: limit,
    weight: ({ gridPhases }) => (gridPhases.includes(phase) ? 1 : 0),
  }))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
