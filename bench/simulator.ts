/**
 * BENCH-B12: 2,000 simulated stations of both versions charge once each, from one process, and the API shows the energy
 * of every meter. A call must cost the simulator less processor time than the server beside it.
 */
import { withMetered } from './metered.ts'
import type { SimulatorRun } from './roles/simulator.ts'
import type { Measurement } from './verdict.ts'

export interface SimulatorOptions {
  readonly stations: number
  /** Charge before the measurement, so that both programs are compiled. */
  readonly warmUpStations: number
  readonly rampPerSecond: number
}

export const SIMULATOR: SimulatorOptions = { stations: 2_000, warmUpStations: 100, rampPerSecond: 200 }

interface Verdict {
  readonly ok: boolean
  readonly calls: number
  readonly sessions: readonly { readonly evseControllerId: string; readonly energyKwh: number }[]
  readonly assertions: readonly { readonly ok: boolean; readonly name: string; readonly detail?: string }[]
}

export async function measureSimulator(options: SimulatorOptions = SIMULATOR): Promise<readonly Measurement[]> {
  return withMetered('simulator', async (server, simulator) => {
    const simulate = (id: string, count: number) =>
      simulator.order('simulate', {
        args: [
          ...['--url', server.ocppUrl, '--id', id, '--count', String(count), '--mix', '1.6:70,2.0.1:30'],
          ...['--ramp', String(options.rampPerSecond), '--speed', 'max', '--seed', '1', '--json'],
        ],
      }) as Promise<SimulatorRun>
    await simulate('WARM', options.warmUpStations)
    const before = await server.cpuMs()
    const run = await simulate('B12', options.stations)
    const serverMs = (await server.cpuMs()) - before
    const verdict = run.out === '' ? undefined : (JSON.parse(run.out) as Verdict)
    const calls = verdict?.calls ?? 0
    const fault = verdict
      ? await faultOf(verdict, options, server.apiUrl, await server.credential())
      : `the simulator printed no verdict: ${run.notes.slice(-500)}`
    return [
      {
        id: 'B12',
        what: `processor time of a call of ${options.stations} simulated stations, energies as the API’s`,
        ours: `${((run.cpuMs / calls) * 1000).toFixed(0)} µs`,
        limit: `${((serverMs / calls) * 1000).toFixed(0)} µs server`,
        ratio: run.cpuMs / serverMs,
        must: 1,
        better: 'lower',
        fault,
      },
    ]
  })
}

/** What makes the figure worthless: a station that did not charge, or an energy that is not the meter's. */
async function faultOf(
  verdict: Verdict,
  { stations }: SimulatorOptions,
  apiUrl: string,
  credential: string,
): Promise<string | undefined> {
  const failed = verdict.assertions.find(({ ok }) => !ok)
  if (failed) return `${failed.name}: ${failed.detail}`
  if (verdict.sessions.length !== stations) return `${verdict.sessions.length} stations charged`
  const shown = await shownEnergies(apiUrl, credential)
  const wrong = verdict.sessions.filter(({ evseControllerId, energyKwh }) => shown.get(evseControllerId) !== energyKwh)
  if (wrong.length === 0) return undefined
  return `${wrong.length} sessions differ from their meters, among them that of ${wrong[0]?.evseControllerId}`
}

async function shownEnergies(apiUrl: string, credential: string): Promise<ReadonlyMap<string, number>> {
  const energies = new Map<string, number>()
  let cursor: string | undefined
  do {
    const address = `${apiUrl}/2/sessions?limit=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await fetch(address, { headers: { authorization: `Bearer ${credential}` } })
    if (response.status !== 200) throw new Error(`The list was answered ${response.status}: ${await response.text()}`)
    const { data, meta } = (await response.json()) as {
      readonly data: readonly { readonly evseControllerId: string; readonly energyKwh: number }[]
      readonly meta: { readonly nextCursor?: string }
    }
    for (const { evseControllerId, energyKwh } of data) energies.set(evseControllerId, energyKwh)
    cursor = meta.nextCursor
  } while (cursor !== undefined)
  return energies
}
