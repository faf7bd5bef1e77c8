/** BENCH-B5: acknowledgements while the costliest searches and an export run, against the same load without them. */
import type { PacedResult } from '../load/generator.ts'
import { startRole } from '../roles/role.ts'
import { type Measurement, percentile } from '../verdict.ts'
import type { SearchApi } from './api.ts'

export interface AcknowledgementOptions {
  readonly callsPerSecond: number
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  /** With and without take turns. */
  readonly rounds: number
}

/** Well below what the machine can take: this is about waiting for each other, not about throughput. */
export const ACKNOWLEDGEMENT: AcknowledgementOptions = {
  callsPerSecond: 500,
  connections: 50,
  warmUpMs: 2_000,
  measureMs: 6_000,
  rounds: 3,
}

/** No row matches, so the whole window is read, for the page as for the total. */
const WORST_SEARCH = { transactionId: { $gt: 1e15 }, connectorId: { $nin: [7, 8, 9] }, count: true }

export async function measureAcknowledgement(
  api: SearchApi,
  chargePointId: string,
  options: AcknowledgementOptions = ACKNOWLEDGEMENT,
): Promise<readonly Measurement[]> {
  const generator = await startRole('generator')
  const without: number[] = []
  const beside: number[] = []
  let errors = 0
  let searches = 0
  const paced = async (latenciesMs: number[]) => {
    const { callsPerSecond, warmUpMs, measureMs } = options
    const result = (await generator.order('paced', { callsPerSecond, warmUpMs, measureMs })) as PacedResult
    latenciesMs.push(...result.latenciesMs)
    errors += result.errors
  }
  try {
    await generator.order('open', { url: api.server.ocppUrl, connections: options.connections, run: 'b5-' })
    for (let round = 0; round < options.rounds; round++) {
      await paced(without)
      const stop = keepBusy(api, chargePointId)
      await paced(beside)
      searches += await stop()
    }
  } finally {
    await generator.end()
  }
  const [besideMs, withoutMs] = [percentile(beside, 0.5), percentile(without, 0.5)]
  return [
    {
      id: 'B5',
      what: `acknowledgement p50 beside ${searches} searches and exports, ${options.callsPerSecond} calls/s`,
      ours: `${besideMs.toFixed(2)} ms (p99 ${percentile(beside, 0.99).toFixed(1)} ms)`,
      limit: `${withoutMs.toFixed(2)} ms without (p99 ${percentile(without, 0.99).toFixed(1)} ms)`,
      ratio: besideMs / withoutMs,
      must: 1.5,
      aim: 1.1,
      better: 'lower',
      ...(errors > 0 && { fault: `${errors} calls were answered with an error` }),
    },
  ]
}

/** One search after the other and one export after the other. @returns what stops both and says how many ended */
function keepBusy({ search }: SearchApi, chargePointId: string): () => Promise<number> {
  const stopping = new AbortController()
  let ended = 0
  const searching = async () => {
    while (!stopping.signal.aborted) {
      await (await search(chargePointId, WORST_SEARCH)).arrayBuffer()
      ended += 1
    }
  }
  const exporting = async () => {
    while (!stopping.signal.aborted) {
      const { body } = await search(chargePointId, { format: 'csv' })
      // Leaving the loop cancels the download: the server notices that the client went.
      for await (const _chunk of body ?? []) if (stopping.signal.aborted) break
      ended += 1
    }
  }
  const both = Promise.allSettled([searching(), exporting()])
  return async () => {
    stopping.abort()
    for (const result of await both) if (result.status === 'rejected') throw result.reason
    return ended
  }
}
