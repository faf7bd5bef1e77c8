/** BENCH-P9 to BENCH-P12: several nodes on one PostgreSQL, that share the cores and the disk of this machine. */
import { measureCommands } from './cluster/commands.ts'
import { measureFailovers } from './cluster/failovers.ts'
import { measureKills } from './cluster/kills.ts'
import { measureReturns } from './cluster/returns.ts'
import { measureTakeovers } from './cluster/takeovers.ts'
import { withPostgres } from './postgres/server.ts'
import type { Measurement } from './verdict.ts'

export interface ClusterOptions {
  readonly takeovers: number
  /** Of nodes, and as many of PostgreSQL. */
  readonly kills: number
  readonly failovers: number
  /** P9, P10, P11 or P12; absent: all. */
  readonly only?: string
}

export const CLUSTER: ClusterOptions = { takeovers: 10_000, kills: 20, failovers: 20 }

export async function measureCluster({
  takeovers,
  kills,
  failovers,
  only,
}: ClusterOptions = CLUSTER): Promise<readonly Measurement[]> {
  const desired = (id: string): boolean => only === undefined || only === id
  return [
    ...(desired('P10') && kills > 0 ? await measureKills(kills) : []),
    ...(desired('P10') && failovers > 0 ? await measureFailovers(failovers) : []),
    ...(await withPostgres(async (postgres) => [
      ...(desired('P9') ? await measureReturns(postgres) : []),
      ...(desired('P11') ? await measureTakeovers(postgres, takeovers) : []),
      ...(desired('P12') ? await measureCommands(postgres) : []),
    ])),
  ]
}
