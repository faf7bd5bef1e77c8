/** Caps: how much an EVSE may draw, over time. Several of them hold at once: the smallest counts. */
import { inUnit } from './composite.ts'
import { LEAST_AMPS, type RateUnit, type Supply } from './profile.ts'

export interface CapStep {
  readonly at: number
  readonly limit: number
}

export interface Cap {
  readonly unit: RateUnit
  /** Absent: as the connector is wired, three where that is unknown. */
  readonly phases?: number | undefined
  readonly steps: readonly CapStep[]
  /** Ms since the epoch: no limit from then on. */
  readonly until?: number | undefined
  /** Of a lease (GROUP-A8): how long its first step lasts once it is given. */
  readonly leaseSeconds?: number | undefined
}

export interface Caps {
  /** Of any charge there: it holds while no car is connected, too, and bounds a charge that begins offline. */
  readonly standing?: Cap | undefined
  readonly charge?: Cap | undefined
}

/** Between caps that end and begin a station needs some number: more than any connector gives. */
const NO_LIMIT_AMPS = 1000

/** The smallest at each instant, amperes of each phase; empty: none. `until`: the last of their ends, if all end. */
export function smallestCap(caps: readonly Cap[], now: number, supply: Supply): Omit<Cap, 'unit'> {
  const open = caps.filter(({ until, steps }) => steps.length > 0 && (until ?? now + 1) > now)
  if (open.length === 0) return { steps: [] }
  const turns = new Set(open.flatMap(({ steps, until }) => [...steps.map(({ at }) => at), ...(until ? [until] : [])]))
  const ends = open.map(({ until }) => until ?? Number.POSITIVE_INFINITY)
  const until = Math.max(...ends)
  const steps: CapStep[] = []
  for (const at of [...turns].sort((a, b) => a - b)) {
    if (at >= until) break
    const limits = open.flatMap((cap) => ampsAt(cap, at, supply) ?? [])
    const limit = limits.length > 0 ? Math.min(...limits) : NO_LIMIT_AMPS
    if (steps.at(-1)?.limit !== limit) steps.push({ at, limit })
  }
  const phases = open.flatMap((cap) => cap.phases ?? [])
  return {
    steps,
    ...(until < Number.POSITIVE_INFINITY && { until }),
    ...(phases.length > 0 && { phases: Math.min(...phases) }),
  }
}

export interface Lease {
  readonly seconds: number
  readonly endsAt: number
  /** The station took it before: sent again for its whole duration it would end too late. */
  readonly isTaken: boolean
}

/** The present step is a lease if less follows it, and nothing after that. */
export function leaseOf(
  steps: readonly CapStep[],
  given: Pick<Lease, 'seconds' | 'isTaken'> | undefined,
  now: number,
): Lease | undefined {
  const at = steps.findLastIndex((step) => step.at <= now)
  const [present, next, ...later] = steps.slice(at)
  if (!given || at < 0 || !present || !next || later.length > 0) return undefined
  return next.limit < present.limit ? { ...given, endsAt: next.at } : undefined
}

/** A lease that begins when it arrives may begin so much later than it was given. */
const MAX_LEASE_DELAY_MS = 30_000

/** OCPP21-C1: one that is sent late, or again, is not sent for its whole duration. */
export function isFresh({ seconds, endsAt, isTaken }: Lease, now: number): boolean {
  return !isTaken && endsAt - now >= seconds * 1000 - MAX_LEASE_DELAY_MS
}

/** Amperes of each phase; undefined: no limit then. */
export function ampsAt(cap: Cap, at: number, { voltage, phases }: Supply): number | undefined {
  if (cap.until !== undefined && at >= cap.until) return undefined
  const step = cap.steps.findLast((one) => one.at <= at)
  return step && inUnit(step.limit, cap.unit, 'A', voltage, cap.phases ?? phases)
}

/** IEC 61851-1: what is below six amperes is a pause for the car. */
export function effectiveAmps(amps: number): number {
  return amps < LEAST_AMPS ? 0 : amps
}
