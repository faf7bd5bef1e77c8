/** One sampled value as a reading in integer milli-units, or nothing; how readings fit is decided elsewhere. */

import type { Sample } from '../ports/sessions.ts'
import { scaledInteger } from './decimal.ts'
import type { EvsePosition } from './place.ts'

/** `begin` and `end` are Transaction.Begin and Transaction.End (ENERGY-N2); `clock` is Sample.Clock. */
export type Moment = 'begin' | 'end' | 'clock' | 'other'

export interface Reading {
  readonly quantity: 'register' | 'interval' | 'power'
  readonly at: number
  readonly moment: Moment
  /** Number of the context, which distinguishes equal contexts from different ones. */
  readonly context: number
  /** Smaller is better: 0 Outlet, 1 Cable or EV, 2 Inlet, 3 anything else (ENERGY-N2). */
  readonly place: number
  /** 0 is the value without phase; 1, 2, 3 are L1, L2, L3. */
  readonly phase: 0 | 1 | 2 | 3
  /** Milli-Wh, or milliwatts of power. Never negative. */
  readonly value: number
}

/** ENERGY-N1: larger numbers are no measurements. 1e12 Wh in milli-Wh; stays well within exact integers. */
export const LARGEST_MILLI = 1e15

const QUANTITIES = new Map<string, Reading['quantity']>([
  ['Energy.Active.Import.Register', 'register'],
  ['Energy.Active.Import.Interval', 'interval'],
  ['Power.Active.Import', 'power'],
])
const CONTEXTS = new Map([
  ['Sample.Periodic', 0],
  ['Sample.Clock', 1],
  ['Transaction.Begin', 2],
  ['Transaction.End', 3],
  ['Interruption.Begin', 4],
  ['Interruption.End', 5],
  ['Trigger', 6],
])
/** Unknown contexts are kept (OCPP-VA3) and count like any other sample. */
const OTHER_CONTEXT = 7
const MOMENTS: readonly (Moment | undefined)[] = [undefined, 'clock', 'begin', 'end']

const PLACES = new Map([
  ['Outlet', 0],
  ['Cable', 1],
  ['EV', 1],
  ['Inlet', 2],
])
const OTHER_PLACE = 3
const INLET = 2

const PHASES = new Map<string, 1 | 2 | 3>([
  ['L1', 1],
  ['L2', 2],
  ['L3', 3],
  ['L1-N', 1],
  ['L2-N', 2],
  ['L3-N', 3],
])

const ENERGY_UNITS = new Map([
  ['Wh', 3],
  ['kWh', 6],
  ['MWh', 9],
])
const POWER_UNITS = new Map([
  ['W', 3],
  ['kW', 6],
  ['MW', 9],
])

/**
 * ENERGY-N1, ENERGY-N2. Undefined: no imported active energy (Net and Export are counters of their own, ENERGY-N3), no
 * number, an unknown unit, a negative value, or the Inlet of connector 0.
 */
export function readSample(sample: Sample, where: EvsePosition): Reading | undefined {
  const quantity = known(QUANTITIES, sample.measurand)
  if (quantity === undefined) return undefined
  const place = known(PLACES, sample.location) ?? OTHER_PLACE
  if (place === INLET && (where.evseId ?? where.connectorId) === 0) return undefined
  const phase = sample.phase === undefined || sample.phase === '' ? 0 : known(PHASES, sample.phase)
  if (phase === undefined) return undefined
  const power = known(quantity === 'power' ? POWER_UNITS : ENERGY_UNITS, sample.unit)
  if (power === undefined) return undefined
  const value = scaledInteger(sample.value, power + sample.multiplier, LARGEST_MILLI)
  if (value === undefined || value < 0) return undefined
  const context = known(CONTEXTS, sample.context) ?? OTHER_CONTEXT
  return { quantity, at: sample.at.occurredAt, moment: MOMENTS[context] ?? 'other', context, place, phase, value }
}

/** Stations spell enums in any case (OCPP-VA3); the exact spelling is the fast path. */
function known<T>(names: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = names.get(name)
  if (exact !== undefined || name.length > MAX_NAME_LENGTH) return exact
  const trimmed = name.trim()
  for (const candidate of names.keys()) {
    // Most samples are of other measurands, and of another length.
    if (candidate.length !== trimmed.length || candidate.toLowerCase() !== trimmed.toLowerCase()) continue
    return names.get(candidate)
  }
  return undefined
}

const MAX_NAME_LENGTH = 50
