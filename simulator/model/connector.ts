/**
 * One outlet with its meter and, sometimes, a car. The wall clock drives the physics, faster by `timeScale`: stations
 * stamp their messages with the true time, so a charge that is compressed into seconds keeps honest timestamps and only
 * its energy runs fast.
 */
import type { ConnectorStatus, FaultCode, LocalTransaction, StartOrder } from './facts.ts'
import { advance, type Charge, type Reading, readingOf, type Vehicle } from './meter.ts'

export interface Outlet {
  readonly connectorId: number
  status: ConnectorStatus
  plugged: boolean
  /** False after ChangeAvailability Inoperative. */
  operative: boolean
  /** ChangeAvailability that waits for the end of the transaction. */
  scheduledOperative?: boolean | undefined
  transaction?: LocalTransaction | undefined
  fault?: FaultCode | undefined
  /** Who keeps energy from flowing although the transaction is open. */
  resting?: 'ev' | 'evse' | undefined
  reservation?: Reservation | undefined
  /** A remote start that waits for the cable; the function ends the wait. */
  awaited?: { readonly order: StartOrder; readonly cancel: () => void } | undefined
  /** What the central system was told last of its status. */
  told?: string | undefined
  readonly meter: Meter
}

export interface Reservation {
  readonly id: number
  readonly idToken: string
  readonly groupId?: string
  readonly until: number
}

export interface Meter {
  /** The reading now; the register has counted up to this instant. */
  reading(): Reading
  /** Closes or opens the contactor. */
  flow(flowing: boolean): void
  /** A car arrives with this much in its battery. */
  connectVehicle(socPercent: number, vehicle?: Vehicle): void
  /** Of the car that hangs there. */
  readonly phases: Vehicle['phases']
  /** What a charging profile allows from now on; undefined: all the outlet gives. */
  allow(limitW: number | undefined): void
  /** A meter that forgets: counts on from here. */
  setRegister(registerWh: number): void
}

export interface MeterParts {
  readonly now: () => number
  readonly vehicle: Vehicle
  readonly limitW: number
  readonly registerWh: number
  /** Seconds of physics per second of wall clock; read at each look, so it may change between charges. */
  readonly timeScale: () => number
}

export function createMeter(parts: MeterParts): Meter {
  let charge: Charge = { registerWh: parts.registerWh, socPercent: 35, flowingSeconds: 0 }
  let flowing = false
  let countedUntil = parts.now()
  let vehicle = parts.vehicle
  let allowedW: number | undefined
  const limitW = () => Math.min(parts.limitW, allowedW ?? parts.limitW)
  const count = () => {
    const now = parts.now()
    const seconds = ((now - countedUntil) / 1000) * parts.timeScale()
    if (flowing) charge = advance(vehicle, limitW(), charge, seconds)
    countedUntil = now
  }
  return {
    reading() {
      count()
      return readingOf(vehicle, limitW(), charge, flowing)
    },
    flow(next) {
      count()
      if (next && !flowing) charge = { ...charge, flowingSeconds: 0 }
      flowing = next
    },
    connectVehicle(socPercent, arrived) {
      count()
      vehicle = arrived ?? parts.vehicle
      charge = { ...charge, socPercent, flowingSeconds: 0 }
    },
    get phases() {
      return vehicle.phases
    },
    allow(limit) {
      count()
      allowedW = limit
    },
    setRegister(registerWh) {
      count()
      charge = { ...charge, registerWh }
    },
  }
}
