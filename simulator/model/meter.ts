/**
 * The electrical side of a charge as pure functions: a car's battery, the power it draws, the meter that counts it.
 * Time is seconds of physics; how fast they pass against the wall clock is the connector's business (connector.ts).
 */

export interface Vehicle {
  readonly batteryCapacityWh: number
  /** What the on-board charger draws at most. */
  readonly maxPowerW: number
  readonly phases: 1 | 3
}

/** What changes while energy flows. */
export interface Charge {
  /** The meter's lifetime register; it never falls. */
  readonly registerWh: number
  readonly socPercent: number
  /** Seconds since the contactor closed: the on-board charger ramps up. */
  readonly flowingSeconds: number
}

/** What the meter and the car show at one instant. Phases without current are 0 A. */
export interface Reading {
  readonly registerWh: number
  readonly powerW: number
  readonly socPercent: number
  readonly voltageV: readonly [number, number, number]
  readonly currentA: readonly [number, number, number]
}

export const COMPACT_CAR: Vehicle = { batteryCapacityWh: 58_000, maxPowerW: 11_000, phases: 3 }

const NOMINAL_VOLTAGE_V = 230
/** On-board chargers take some seconds from the pilot's release to full current. */
const RAMP_SECONDS = 20
/** AC cars hold full power until shortly before the end, then the battery management tapers. */
const TAPER_FROM_PERCENT = 80
const TAPER_FLOOR = 0.08
/** Share of the metered energy that reaches the battery. */
const EFFICIENCY = 0.92
const STEP_SECONDS = 5
/** A clock that jumps a year must not stall the process: longer spans use longer steps. */
const MAX_STEPS = 20_000

/** Power in W that the car draws now: ramp at the start, taper near full, nothing when full. */
export function powerAt(vehicle: Vehicle, limitW: number, charge: Charge): number {
  if (charge.socPercent >= 100) return 0
  const ramp = Math.min(1, charge.flowingSeconds / RAMP_SECONDS)
  const above = Math.max(0, charge.socPercent - TAPER_FROM_PERCENT) / (100 - TAPER_FROM_PERCENT)
  const taper = 1 - above * (1 - TAPER_FLOOR)
  return Math.max(0, Math.min(limitW, vehicle.maxPowerW * taper) * ramp)
}

/** The charge after `seconds` of flowing energy; a negative or unusable span changes nothing (clocks jump). */
export function advance(vehicle: Vehicle, limitW: number, charge: Charge, seconds: number): Charge {
  if (!Number.isFinite(seconds) || seconds <= 0) return charge
  const step = Math.max(STEP_SECONDS, seconds / MAX_STEPS)
  let state = charge
  for (let left = seconds; left > 0; left -= step) state = advanceStep(vehicle, limitW, state, Math.min(step, left))
  return state
}

function advanceStep(vehicle: Vehicle, limitW: number, charge: Charge, seconds: number): Charge {
  const roomWh = ((100 - charge.socPercent) / 100) * vehicle.batteryCapacityWh
  const middle = { ...charge, flowingSeconds: charge.flowingSeconds + seconds / 2 }
  const meteredWh = Math.max(0, Math.min((powerAt(vehicle, limitW, middle) * seconds) / 3600, roomWh / EFFICIENCY))
  const socPercent = charge.socPercent + ((meteredWh * EFFICIENCY) / vehicle.batteryCapacityWh) * 100
  return {
    registerWh: charge.registerWh + meteredWh,
    socPercent: Math.min(100, socPercent),
    flowingSeconds: charge.flowingSeconds + seconds,
  }
}

/**
 * Seconds of physics until the meter has counted `energyWh` more, or until the car is full where that comes first.
 * `energyWh` is what the car was really given by then.
 */
export function timeToDeliver(
  vehicle: Vehicle,
  limitW: number,
  charge: Charge,
  energyWh: number,
): { readonly seconds: number; readonly energyWh: number } {
  let state = charge
  let seconds = 0
  while (state.registerWh - charge.registerWh < energyWh && state.socPercent < 99.9 && seconds < 7 * 86_400) {
    state = advanceStep(vehicle, limitW, state, STEP_SECONDS)
    seconds += STEP_SECONDS
  }
  return { seconds, energyWh: state.registerWh - charge.registerWh }
}

/** The reading at one instant. `flowing` false: the contactor is open and only the registers show something. */
export function readingOf(vehicle: Vehicle, limitW: number, charge: Charge, flowing: boolean): Reading {
  const powerW = flowing ? powerAt(vehicle, limitW, charge) : 0
  const voltageV = phaseVoltages(charge.flowingSeconds)
  const perPhaseW = powerW / vehicle.phases
  const current = (phase: 0 | 1 | 2) => (phase < vehicle.phases ? perPhaseW / voltageV[phase] : 0)
  return {
    registerWh: charge.registerWh,
    powerW,
    socPercent: charge.socPercent,
    voltageV,
    currentA: [current(0), current(1), current(2)],
  }
}

/** The grid sways by about a volt; each phase in its own time. */
function phaseVoltages(seconds: number): readonly [number, number, number] {
  const sway = (phase: number) => NOMINAL_VOLTAGE_V + 1.2 * Math.sin(seconds / 37 + phase * 2.1)
  return [sway(0), sway(1), sway(2)]
}
