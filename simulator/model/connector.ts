/**
 * One outlet with its meter and, sometimes, a car. The wall clock drives the physics, faster by `timeScale`: stations
 * stamp their messages with the true time, so a charge that is compressed into seconds keeps honest timestamps and only
 * its energy runs fast.
 */
import type { ConnectorStatus, FaultCode, LocalTransaction, StartOrder } from './facts.ts'
import { advance, type Charge, type Load, type Reading, readingOf, type Vehicle } from './meter.ts'
import type { Offer } from './smart-charging/limits.ts'

/**
 * What a car says that it needs.
 *
 * @example { energyKwh: 20, departInSeconds: 8 * 3600 }
 */
export interface ChargingNeeds {
  readonly energyKwh: number
  readonly departInSeconds?: number
  /** Its schedule is beyond what it was given, as that of a car that had not listened; it still draws what it may. */
  readonly overdraws?: true
}

export interface Outlet {
  readonly connectorId: number
  status: ConnectorStatus
  plugged: boolean
  operative: boolean
  scheduledOperative?: boolean | undefined
  transaction?: LocalTransaction | undefined
  fault?: FaultCode | undefined
  /** Who keeps energy from flowing although the transaction is open. */
  resting?: 'ev' | 'evse' | undefined
  /** A remote start that waits for the cable; the function ends the wait. */
  awaited?: { readonly order: StartOrder; readonly cancel: () => void } | undefined
  needs?: ChargingNeeds | undefined
  /** Time stamp: a driver pays for it by its QR code (2.1 C25). */
  paymentUntil?: number | undefined
  /** The last reported status. */
  reported?: string | undefined
  /** How it is wired to the grid, as OCPP writes it: `RST`, `STR`, … */
  readonly phaseRotation: string
  readonly meter: Meter
}

export interface Meter {
  reading(): Reading
  flow(flowing: boolean): void
  connectVehicle(socPercent: number, vehicle?: Vehicle): void
  readonly vehicle: Vehicle
  readonly phases: Vehicle['phases']
  offer(offer: Offer): void
  readonly offered: Offer
  /** What the outlet gives where nothing limits it. */
  readonly most: Offer
  /** Simulates a meter that loses its register. */
  setRegister(registerWh: number): void
}

export function statusWithoutCharge({ fault, operative, plugged }: Outlet, isReserved: boolean): ConnectorStatus {
  if (fault) return 'Faulted'
  if (!operative) return 'Unavailable'
  if (plugged) return 'Preparing'
  return isReserved ? 'Reserved' : 'Available'
}

interface MeterContext {
  readonly now: () => number
  readonly vehicle: Vehicle
  readonly limitW: number
  /** Of each phase. */
  readonly voltage: number
  readonly registerWh: number
  /** Seconds of physics per second of wall clock; read at each look, so it may change between charges. */
  readonly timeScale: () => number
}

/** Of an outlet for alternating current. */
const OUTLET_AMPS = 32

export function usualLimitW(vehicle: Vehicle | undefined, voltage: number): number {
  return vehicle?.phases === 0 ? 150_000 : OUTLET_AMPS * 3 * voltage
}

interface OutletContext extends Omit<MeterContext, 'registerWh'> {
  readonly count: number
  /** One for each; the last one stands for all that follow. */
  readonly phaseRotation: readonly string[]
  /** Of the meter of each, when the station is made. */
  readonly registerWh: () => number
}

export function createOutlets({ count, phaseRotation, registerWh, ...meter }: OutletContext): readonly Outlet[] {
  return Array.from(
    { length: count },
    (_value, position): Outlet => ({
      connectorId: position + 1,
      status: 'Available',
      plugged: false,
      operative: true,
      phaseRotation: phaseRotation[position] ?? phaseRotation.at(-1) ?? 'RST',
      meter: createMeter({ ...meter, registerWh: registerWh() }),
    }),
  )
}

function createMeter(parts: MeterContext): Meter {
  const { voltage } = parts
  const most: Offer = { amps: parts.limitW / 3 / voltage, phases: 3, firstPhase: 0, voltage }
  let charge: Charge = { registerWh: parts.registerWh, socPercent: 35, flowingSeconds: 0 }
  let flowing = false
  let countedUntil = parts.now()
  let vehicle = parts.vehicle
  let offered = most
  let load: Load = { ...vehicle, voltage }
  const limitW = () => offered.amps * (load.phases || 3) * voltage
  const count = () => {
    const now = parts.now()
    const seconds = ((now - countedUntil) / 1000) * parts.timeScale()
    if (flowing) charge = advance(load, limitW(), charge, seconds)
    countedUntil = now
  }
  return {
    reading() {
      count()
      return readingOf(load, limitW(), charge, flowing)
    },
    flow(next) {
      count()
      if (next && !flowing) charge = { ...charge, flowingSeconds: 0 }
      flowing = next
    },
    connectVehicle(socPercent, arrived) {
      count()
      vehicle = arrived ?? parts.vehicle
      load = loadOf(vehicle, offered)
      charge = { ...charge, socPercent, flowingSeconds: 0 }
    },
    get vehicle() {
      return vehicle
    },
    get phases() {
      return vehicle.phases
    },
    most,
    get offered() {
      return offered
    },
    offer(next) {
      count()
      offered = next
      load = loadOf(vehicle, next)
    },
    setRegister(registerWh) {
      count()
      charge = { ...charge, registerWh }
    },
  }
}

/** On fewer phases a car charges with as much current as on all of them. */
function loadOf(vehicle: Vehicle, { phases, firstPhase, voltage }: Offer): Load {
  if (vehicle.phases === 0) return { ...vehicle, voltage }
  const used = Math.min(vehicle.phases, phases) as 1 | 2 | 3
  return { ...vehicle, phases: used, maxPowerW: (vehicle.maxPowerW * used) / vehicle.phases, firstPhase, voltage }
}

/** Which phases of the grid an offer loads, 0 to 2: R is L1, S is L2 and T is L3. */
export function gridPhases(
  phaseRotation: string,
  { phases, firstPhase }: Pick<Offer, 'phases' | 'firstPhase'>,
): readonly number[] {
  const grid = [...phaseRotation].map((letter) => 'RST'.indexOf(letter))
  return grid.slice(firstPhase, firstPhase + phases)
}
