/** Samples for tests: times in seconds after a fixed start, values as a charge point writes them. */

import { addSamples, newMeter, runningEnergy } from '../../../../src/domain/energy/meter.ts'
import type { Sample } from '../../../../src/domain/ports/sessions.ts'

const START = Date.UTC(2025, 0, 1)

export function momentOf(seconds: number): number {
  return START + seconds * 1000
}

/** A periodic import register in Wh at the outlet, unless said otherwise. */
export function sampleOf(seconds: number, value: string | number, rest: Partial<Sample> = {}): Sample {
  const occurredAt = momentOf(seconds)
  return {
    at: { occurredAt, receivedAt: occurredAt },
    value: String(value),
    measurand: 'Energy.Active.Import.Register',
    context: 'Sample.Periodic',
    location: 'Outlet',
    unit: 'Wh',
    multiplier: 0,
    ...rest,
  }
}

/** One register sample a minute, in Wh. */
export function registerSamples(...wattHours: readonly number[]): readonly Sample[] {
  return wattHours.map((value, minute) => sampleOf(60 * (minute + 1), value))
}

type Start = Parameters<typeof newMeter>[0]
const WH = 1_000

/** Running energy in Wh after samples in Wh. */
export function running(
  startWh: number | undefined,
  samples: readonly Sample[],
  rest: Start & { maxPowerW?: number } = {},
) {
  const { maxPowerW, ...start } = rest
  const meter = newMeter({ ...start, ...(startWh !== undefined && { registerMilliWh: startWh * WH }) })
  const added = addSamples(meter, samples, maxPowerW === undefined ? {} : { maxPowerW })
  const { energyMilliWh, estimated, flags } = runningEnergy(added.meter)
  return { wh: energyMilliWh / WH, estimated, flags, meter: added.meter, addFlags: added.flags }
}
