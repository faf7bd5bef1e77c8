/**
 * The electrical side of a charge as pure functions: a car's battery, the power it draws, the meter that counts it.
 * Time is seconds of physics; how fast they pass against the wall clock is the connector's business (connector.ts).
 */
import { DEFAULT_VOLTAGE_V } from '../../src/domain/charging/profile.ts'

/** A car. */
export interface Vehicle {
  readonly batteryCapacityWh: number
  /** What it draws at most: its on-board charger on AC, its battery on DC. */
  readonly maxPowerW: number
  /** Of the grid; 0 is direct current. */
  readonly phases: 0 | 1 | 2 | 3
}

/** A car on the phases that its connector gives it, which may be fewer than it could use. */
export interface Load extends Vehicle {
  /** 0 to 2, default 0: the first phase that it is connected to. */
  readonly firstPhase?: number
  /** Of each phase. */
  readonly voltage?: number
}

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
  /** Three phases, or one pair of wires on DC. */
  readonly voltageV: readonly number[]
  readonly currentA: readonly number[]
  /** What the station allows on each phase, and in all. */
  readonly offeredA: number
  readonly offeredW: number
}

/** 58 kWh, three phases, 11 kW. */
export const COMPACT_CAR: Vehicle = { batteryCapacityWh: 58_000, maxPowerW: 11_000, phases: 3 }
/** 13 kWh, one phase, 3.6 kW. */
export const PLUG_IN_HYBRID: Vehicle = { batteryCapacityWh: 13_000, maxPowerW: 3_600, phases: 1 }
/** 77 kWh, direct current, 150 kW. */
export const TOURING_CAR: Vehicle = { batteryCapacityWh: 77_000, maxPowerW: 150_000, phases: 0 }

export const VEHICLES: Readonly<Record<string, Vehicle>> = {
  compact: COMPACT_CAR,
  hybrid: PLUG_IN_HYBRID,
  touring: TOURING_CAR,
}

/** On-board chargers take some seconds from the pilot's release to full current. */
const RAMP_SECONDS = 20
/** AC cars hold full power until shortly before the end, then the battery management tapers. */
const TAPER_FROM_PERCENT = 80
const TAPER_FLOOR = 0.08
/** A battery on DC takes full power only while it is rather empty: state of charge and share of the most. */
const DC_CURVE = [
  [0, 0.75],
  [8, 1],
  [45, 1],
  [60, 0.72],
  [80, 0.38],
  [90, 0.2],
  [100, 0.04],
] as const
const DC_VOLTAGE_V = { empty: 340, full: 410 }
/** Share of the metered energy that reaches the battery. */
const EFFICIENCY = 0.92
const STEP_SECONDS = 5
/** A clock that jumps a year must not stall the process: longer spans use longer steps. */
const MAX_STEPS = 20_000

/** Power in W that the car draws now: ramp at the start, taper near full, nothing when full. */
export function powerAt(load: Load, limitW: number, charge: Charge): number {
  if (load.phases === 0) return nominalW(load, limitW, charge)
  const { voltageV, currentA } = phasesAt(load, limitW, charge)
  return voltageV.reduce((total, volt, phase) => total + volt * (currentA[phase] ?? 0), 0)
}

/** At the nominal voltage: what the pilot allows are amperes, so the limit of an AC car is one of its current. */
function nominalW({ phases, maxPowerW }: Load, limitW: number, { socPercent, flowingSeconds }: Charge): number {
  if (socPercent >= 100) return 0
  const above = Math.max(0, socPercent - TAPER_FROM_PERCENT) / (100 - TAPER_FROM_PERCENT)
  const battery = phases === 0 ? dcShare(socPercent) : 1 - above * (1 - TAPER_FLOOR)
  return Math.max(0, Math.min(limitW, maxPowerW * battery) * Math.min(1, flowingSeconds / RAMP_SECONDS))
}

function phasesAt(load: Load, limitW: number, charge: Charge): Pick<Reading, 'voltageV' | 'currentA'> {
  const { firstPhase = 0, phases, voltage = DEFAULT_VOLTAGE_V } = load
  const amps = nominalW(load, limitW, charge) / phases / voltage
  const isUsed = (phase: number) => phase >= firstPhase && phase < firstPhase + phases
  return {
    voltageV: phaseVoltages(voltage, charge.flowingSeconds),
    currentA: [0, 1, 2].map((phase) => (isUsed(phase) ? amps : 0)),
  }
}

/** The charge after `seconds` of flowing energy; a negative or unusable span changes nothing (clocks jump). */
export function advance(vehicle: Load, limitW: number, charge: Charge, seconds: number): Charge {
  if (!Number.isFinite(seconds) || seconds <= 0) return charge
  const step = Math.max(STEP_SECONDS, seconds / MAX_STEPS)
  let state = charge
  for (let left = seconds; left > 0; left -= step) state = advanceStep(vehicle, limitW, state, Math.min(step, left))
  return state
}

function advanceStep(vehicle: Load, limitW: number, charge: Charge, seconds: number): Charge {
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

/** Seconds of physics until `energyWh` more was counted or the car is full; `energyWh` is what it was given. */
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
export function readingOf(load: Load, limitW: number, charge: Charge, flowing: boolean): Reading {
  const limit = flowing ? limitW : 0
  const powerW = powerAt(load, limit, charge)
  const common = {
    registerWh: charge.registerWh,
    powerW,
    socPercent: charge.socPercent,
    offeredA: limitW / (load.voltage ?? DEFAULT_VOLTAGE_V) / (load.phases || 3),
    offeredW: limitW,
  }
  if (load.phases !== 0) return { ...common, ...phasesAt(load, limit, charge) }
  const volt = dcVoltage(charge.socPercent)
  return { ...common, voltageV: [volt], currentA: [powerW / volt] }
}

function dcShare(socPercent: number): number {
  for (let at = 1; at < DC_CURVE.length; at++) {
    const [from, shareFrom] = DC_CURVE[at - 1] ?? [0, 0]
    const [to, shareTo] = DC_CURVE[at] ?? [100, 0]
    if (socPercent <= to) return shareFrom + ((socPercent - from) / (to - from)) * (shareTo - shareFrom)
  }
  return 0
}

function dcVoltage(socPercent: number): number {
  return DC_VOLTAGE_V.empty + ((DC_VOLTAGE_V.full - DC_VOLTAGE_V.empty) * socPercent) / 100
}

/** The grid sways by about a volt; each phase in its own time. */
function phaseVoltages(voltage: number, seconds: number): readonly number[] {
  const sway = (phase: number) => voltage + 1.2 * Math.sin(seconds / 37 + phase * 2.1)
  return [sway(0), sway(1), sway(2)]
}
