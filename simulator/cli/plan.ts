/** From what the command line says to what is run: which stations, how long, how fast. */
import type { CliContext } from '../../src/server/cli/cli-context.ts'
import { fleetIds, mixedVersions, numberedIds } from '../fleet/ids.ts'
import { COMPACT_CAR, timeToDeliver } from '../model/meter.ts'
import type { Version } from '../quirks/quirk.ts'
import type { Scenario } from '../scenarios/engine/parse.ts'
import type { SimulateOptions } from './options.ts'

export type Located = SimulateOptions & { readonly url: URL }

export const USUAL_ID = 'SIM-001'
const USUAL_SECONDS = 2_400
/** A whole charge passes in so many real seconds unless told otherwise. */
const REAL_SECONDS = 20
const SCENARIO_SPEED = 120

/** Without a wish a scenario runs in the first version that it is made for. */
export function versionsOf(options: SimulateOptions, count: number, scenario?: Scenario): readonly Version[] {
  if (options.mix) return mixedVersions(options.mix, count)
  const version = options.ocpp ?? scenario?.versions[0] ?? '1.6'
  return Array.from({ length: count }, () => version)
}

export function seedOf({ seed }: SimulateOptions, context: CliContext): number {
  return seed ?? context.random(4).readUInt32BE() >>> 1
}

export function idsOf({ id = USUAL_ID, count, fleet }: SimulateOptions): readonly string[] {
  return count === undefined ? fleetIds(id, fleet ?? 1) : numberedIds(id, count)
}

export function durationOf({ duration, energy }: SimulateOptions): number {
  if (duration !== undefined) return duration
  if (energy === undefined) return USUAL_SECONDS
  const arrived = { registerWh: 0, socPercent: 35, flowingSeconds: 0 }
  return Math.ceil(timeToDeliver(COMPACT_CAR, 22_000, arrived, energy * 1000).seconds * 1.1) + 60
}

export function speedOf(options: SimulateOptions): number | 'max' {
  if (options.speed !== undefined) return options.speed
  if (options.scenario !== undefined) return SCENARIO_SPEED
  return Math.max(1, durationOf(options) / REAL_SECONDS)
}
