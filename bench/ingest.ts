/**
 * BENCH-B1 and BENCH-B11: durable calls per second in the session mix, and how much longer than a typical
 * acknowledgement the slowest hundredth takes, of each version with 50 and 500 stations in lock step, against a server
 * that makes the same promise and no more (roles/durable-server.ts).
 */
import type { Protocol } from '../src/domain/ports/core.ts'
import { againstDurable, againstPilotwire, type Metered, STEADY } from './lock-step.ts'
import { type Measurement, median } from './verdict.ts'

export interface IngestOptions {
  /** Ours and the limit take turns, so that a noisy minute of the machine hits both; medians count. */
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
  /** A checkout with another build, which takes its turns too: processor time is held against its. */
  readonly against?: string | undefined
}

export const INGEST: IngestOptions = { rounds: 3, ...STEADY }

interface Cell {
  readonly protocol: Protocol
  readonly connections: number
  /** Of the same build, whose processor time is held against instead of another build's, which may not speak it. */
  readonly beside?: Protocol
}

const CELLS: readonly Cell[] = [
  { protocol: 'ocpp1.6', connections: 50 },
  { protocol: 'ocpp1.6', connections: 500 },
  { protocol: 'ocpp2.0.1', connections: 50 },
  { protocol: 'ocpp2.0.1', connections: 500 },
  { protocol: 'ocpp2.1', connections: 50, beside: 'ocpp2.0.1' },
  { protocol: 'ocpp2.1', connections: 500, beside: 'ocpp2.0.1' },
]

const EVERY_VERSION = { PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' }
/** A newer version may cost a twentieth more. */
const BESIDE_OLDER = { must: 1.05, aim: 1 }

const isFew = (connections: number): boolean => connections <= 50
/** Of the slowest hundredth to the median: few stations in lock step feel each pause of the server more. */
const tailGoals = (connections: number) => (isFew(connections) ? { must: 4, aim: 3 } : { must: 2, aim: 1.8 })
/** Of the processor time of 2a4cac24: with few stations a COMMIT is shared by few calls. */
const besideGoals = (connections: number) => (isFew(connections) ? { must: 0.7, aim: 0.55 } : { must: 0.8, aim: 0.6 })

export async function measureIngest(options: IngestOptions = INGEST): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = []
  for (const cell of CELLS) measurements.push(...(await measureCell(cell, options)))
  return measurements
}

async function measureCell(
  { protocol, connections, beside }: Cell,
  { rounds, warmUpMs, measureMs, against }: IngestOptions,
): Promise<readonly Measurement[]> {
  const load = { connections, protocol, warmUpMs, measureMs }
  const limit: Metered[] = []
  const ours: Metered[] = []
  const others: Metered[] = []
  for (let round = 0; round < rounds; round++) {
    limit.push(await againstDurable(load))
    if (beside) others.push(await againstPilotwire({ ...load, protocol: beside }, EVERY_VERSION))
    else if (against !== undefined) others.push(await againstPilotwire(load, {}, against))
    ours.push(await againstPilotwire(load, beside && EVERY_VERSION))
  }
  const errors = ours.reduce((sum, run) => sum + run.errors, 0)
  const fault = errors > 0 && { fault: `${errors} calls were answered with an error` }
  const of = `${protocol}, ${connections} stations`
  return [
    {
      id: 'B1',
      what: `durable calls/s, ${of}`,
      ours: `${Math.round(rateOf(ours))}/s`,
      limit: `${Math.round(rateOf(limit))}/s`,
      ratio: rateOf(ours) / rateOf(limit),
      better: 'higher',
      must: 0.85,
      aim: 1.2,
      ...fault,
    },
    {
      id: 'B11',
      what: `acknowledgement p99 / p50, ${of}`,
      ours: spreadText(ours),
      limit: `${spreadText(limit)}: ${tailOf(limit).toFixed(2)}`,
      ratio: tailOf(ours),
      better: 'lower',
      ...tailGoals(connections),
      ...fault,
    },
    {
      id: 'B1',
      what: `processor time per call, ${of}`,
      ours: cpuText(ours),
      limit: cpuText(limit),
      ratio: cpuOf(ours) / cpuOf(limit),
      better: 'lower',
      ...fault,
    },
    ...(others.length === 0
      ? []
      : [
          beside
            ? besides(`beside ${beside}`, of, ours, others, BESIDE_OLDER)
            : besides('beside the other build', of, ours, others, besideGoals(connections)),
        ]),
  ]
}

/** Calls per second change with the machine's other work, processor time hardly. */
function besides(
  what: string,
  of: string,
  ours: readonly Metered[],
  others: readonly Metered[],
  goals: Pick<Measurement, 'must' | 'aim'>,
): Measurement {
  return {
    id: 'B1',
    what: `the same ${what} (${Math.round(rateOf(others))}/s), ${of}`,
    ours: cpuText(ours),
    limit: cpuText(others),
    ratio: cpuOf(ours) / cpuOf(others),
    better: 'lower',
    ...goals,
  }
}

function cpuOf(runs: readonly Metered[]): number {
  return median(runs.map(({ cpuPerCallMicros }) => cpuPerCallMicros))
}

function cpuText(runs: readonly Metered[]): string {
  return `${cpuOf(runs).toFixed(1)} µs`
}

function rateOf(runs: readonly Metered[]): number {
  return median(runs.map(({ calls, measuredMs }) => (calls / measuredMs) * 1000))
}

function tailOf(runs: readonly Metered[]): number {
  return median(runs.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms))
}

function spreadText(runs: readonly Metered[]): string {
  const of = (name: 'p50Ms' | 'p99Ms'): string => median(runs.map((run) => run[name])).toFixed(1)
  return `${of('p99Ms')} / ${of('p50Ms')} ms`
}
