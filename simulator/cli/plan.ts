import type { CliContext } from '../../src/server/cli/cli-context.ts'
import { fleetIds, mixedVersions, numberedIds } from '../fleet/ids.ts'
import { COMPACT_CAR, timeToDeliver } from '../model/meter.ts'
import type { Version } from '../quirks/quirk.ts'
import { createRandom } from '../random.ts'
import type { Scenario } from '../scenarios/engine/parse.ts'
import type { SimulateOptions, Span, VehicleShare } from './options.ts'

export type Located = SimulateOptions & { readonly url: URL; readonly voltage: number }

export const DEFAULT_ID = 'SIM-001'
const DEFAULT_SECONDS = 2_400
/** Real seconds that a whole charge takes by default. */
const REAL_SECONDS = 20
const SCENARIO_SPEED = 120
const DEFAULT_SOC: Span = { least: 35, most: 35 }

/** Without a wish a scenario runs in the first version that it is made for. */
export function versionsOf(options: SimulateOptions, count: number, scenario?: Scenario): readonly Version[] {
  if (options.mix) return mixedVersions(options.mix, count)
  const version = options.ocpp ?? scenario?.versions[0] ?? '1.6'
  return Array.from({ length: count }, () => version)
}

export function seedOf({ seed }: SimulateOptions, context: CliContext): number {
  return seed ?? context.random(4).readUInt32BE() >>> 1
}

export function idsOf({ id = DEFAULT_ID, count, fleet }: SimulateOptions): readonly string[] {
  return count === undefined ? fleetIds(id, fleet ?? 1) : numberedIds(id, count)
}

export function durationOf({ duration, energy }: SimulateOptions): number {
  if (duration !== undefined) return duration
  if (energy === undefined) return DEFAULT_SECONDS
  const arrived = { registerWh: 0, socPercent: 35, flowingSeconds: 0 }
  return Math.ceil(timeToDeliver(COMPACT_CAR, 22_000, arrived, energy * 1000).seconds * 1.1) + 60
}

/** What each station of a run is connected with. */
export function connectionOf({ url, password, voltage, sample: sampleSeconds, vendor, model }: Located) {
  const plate = { ...(vendor !== undefined && { vendor }), ...(model !== undefined && { model }) }
  return { url: url.href, password, voltage, sampleSeconds, plate }
}

function drawn(shares: readonly VehicleShare[], chance: number): string | undefined {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  let upTo = 0
  for (const { vehicle, weight } of shares) {
    upTo += weight
    if (chance * total < upTo) return vehicle
  }
  return shares.at(-1)?.vehicle
}

/** The car of one station: the same seed gives the same cars. */
export function carOf(
  { vehicle: shares, soc = DEFAULT_SOC }: Pick<SimulateOptions, 'vehicle' | 'soc'>,
  seed: number,
  id: string,
): { readonly vehicle?: string; readonly soc: number } {
  const random = createRandom(seed, `${id} car`)
  const vehicle = shares && drawn(shares, random.next())
  const percent = soc.least + random.next() * (soc.most - soc.least)
  return { vehicle, soc: Math.round(percent * 10) / 10 }
}

export function speedOf(options: SimulateOptions): number | 'max' {
  if (options.speed !== undefined) return options.speed
  if (options.scenario !== undefined) return SCENARIO_SPEED
  return Math.max(1, durationOf(options) / REAL_SECONDS)
}
