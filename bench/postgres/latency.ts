/**
 * BENCH-P4: the slowest acknowledgements at a steady rate, against what somebody who commits one row over one
 * connection waits for at the same time: both have the same disk, the same neighbours and the same write-ahead log,
 * which was written through before, so that nobody waits for new files of it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { faultOf, LATENCY, type LatencyOptions, pacedLoad } from '../latency.ts'
import { withDirectory } from '../places.ts'
import { timeOf } from '../search/log.ts'
import { type Measurement, percentile } from '../verdict.ts'
import { type BenchPostgres, environmentOf, withClient } from './server.ts'

const INSERT = { name: 'insert', text: 'INSERT INTO bench_commit (value) VALUES ($1)', values: ['a'.repeat(300)] }
/** A probe, not a load: it takes a fiftieth of the time or two. */
const PAUSE_MS = 50
const MEBIBYTE = 1024 * 1024

export async function measureCommitLatency(
  postgres: BenchPostgres,
  options: LatencyOptions = LATENCY,
): Promise<readonly Measurement[]> {
  const { result, commitsMs } = await postgres.withDatabase(async (url) => {
    await writeLogThrough(url)
    const committing = commitBeside(url, options.warmUpMs)
    const result = await withDirectory((directory) => pacedLoad(directory, options, environmentOf(url))).finally(
      committing.stop,
    )
    return { result, commitsMs: await committing.timesMs }
  })
  const commitMs = percentile(commitsMs, 0.5)
  const [p50, p99] = [percentile(result.latenciesMs, 0.5), percentile(result.latenciesMs, 0.99)]
  return [
    {
      id: 'P4',
      what: `acknowledgement p99 on PostgreSQL at ${options.callsPerSecond} calls/s`,
      ours: `${p99.toFixed(1)} ms (p50 ${p50.toFixed(1)} ms)`,
      limit: `${commitMs.toFixed(3)} ms p50 (p99 ${percentile(commitsMs, 0.99).toFixed(1)} ms) of a commit of one row beside it`,
      ratio: p99 / commitMs,
      must: 30,
      aim: 15,
      better: 'lower',
      ...faultOf(result, options),
    },
  ]
}

/** As after some hours of work: the files of the log are those of before, renamed by a checkpoint. */
async function writeLogThrough(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ mebibytes: number }>(
      `SELECT setting::int AS mebibytes FROM pg_settings WHERE name = 'min_wal_size'`,
    )
    for (let written = 0; written < (rows[0]?.mebibytes ?? 0); written++) {
      await client.query(`SELECT pg_logical_emit_message(false, 'bench', repeat('a', ${MEBIBYTE}))`)
    }
    await client.query('CHECKPOINT')
  })
}

/** One row after the other by a prepared statement, until it is stopped. @param afterMs what came before counts not */
function commitBeside(url: string, afterMs: number): { readonly timesMs: Promise<readonly number[]>; stop(): void } {
  let isStopped = false
  const timesMs = withClient(url, async (client) => {
    await client.query('CREATE TABLE bench_commit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value text)')
    await client.query('SET synchronous_commit = on')
    const from = performance.now() + afterMs
    const times: number[] = []
    while (!isStopped) {
      const ms = await timeOf(() => client.query(INSERT))
      if (performance.now() >= from) times.push(ms)
      await wait(PAUSE_MS)
    }
    return times
  })
  return {
    timesMs,
    stop: () => {
      isStopped = true
    },
  }
}
