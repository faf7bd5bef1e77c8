/** BENCH-P4: the slowest acknowledgements at a steady rate, against what this PostgreSQL needs to commit one row. */
import { faultOf, LATENCY, type LatencyOptions, pacedLoad } from '../latency.ts'
import { withDirectory } from '../places.ts'
import { timeOf } from '../search/log.ts'
import { type Measurement, percentile } from '../verdict.ts'
import { type BenchPostgres, environmentOf, withClient } from './server.ts'

const COMMITS = 300
const INSERT = { name: 'insert', text: 'INSERT INTO bench_commit (value) VALUES ($1)', values: ['a'.repeat(300)] }

export async function measureCommitLatency(
  postgres: BenchPostgres,
  options: LatencyOptions = LATENCY,
): Promise<readonly Measurement[]> {
  const before = await postgres.withDatabase(commitTimesMs)
  const result = await postgres.withDatabase((url) =>
    withDirectory((directory) => pacedLoad(directory, options, environmentOf(url))),
  )
  const commitMs = percentile([...before, ...(await postgres.withDatabase(commitTimesMs))], 0.5)
  const [p50, p99] = [percentile(result.latenciesMs, 0.5), percentile(result.latenciesMs, 0.99)]
  return [
    {
      id: 'P4',
      what: `acknowledgement p99 on PostgreSQL at ${options.callsPerSecond} calls/s`,
      ours: `${p99.toFixed(1)} ms (p50 ${p50.toFixed(1)} ms)`,
      limit: `${commitMs.toFixed(3)} ms p50 of a commit of one row`,
      ratio: p99 / commitMs,
      must: 30,
      aim: 15,
      better: 'lower',
      ...faultOf(result, options),
    },
  ]
}

/** One after the other over one connection, by a prepared statement. */
function commitTimesMs(url: string): Promise<readonly number[]> {
  return withClient(url, async (client) => {
    await client.query('CREATE TABLE bench_commit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value text)')
    await client.query('SET synchronous_commit = on')
    const times: number[] = []
    for (let commit = 0; commit < COMMITS; commit++) times.push(await timeOf(() => client.query(INSERT)))
    return times
  })
}
