/** BENCH-P1, BENCH-P4, BENCH-P6 and BENCH-P7: one node on a PostgreSQL that shares its cores and its disk. */
import { measureEngines } from './postgres/ingest.ts'
import { measureCommitLatency } from './postgres/latency.ts'
import { measurePostgresSearch } from './postgres/search.ts'
import { withPostgres } from './postgres/server.ts'
import type { Measurement } from './verdict.ts'

export interface PostgresOptions {
  /** Of the log that is searched; half of them belong to one charge point. */
  readonly rows: number
  /** P1, P4 or P6; absent: all. */
  readonly only?: string
}

export const POSTGRES: PostgresOptions = { rows: 1_000_000 }

export async function measurePostgres({ rows, only }: PostgresOptions = POSTGRES): Promise<readonly Measurement[]> {
  const desired = (id: string): boolean => only === undefined || only === id
  return withPostgres(async (postgres) => [
    ...(desired('P1') ? await measureEngines(postgres) : []),
    ...(desired('P4') ? await measureCommitLatency(postgres) : []),
    ...(desired('P6') ? await measurePostgresSearch(postgres, rows) : []),
  ])
}
