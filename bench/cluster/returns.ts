/**
 * BENCH-P9: all charge points of a node that was killed come to another one at once, against as many that come back to
 * a server on SQLite after a restart (BENCH-B8).
 */
import { join } from 'node:path'
import { withDirectory } from '../places.ts'
import type { BenchPostgres } from '../postgres/server.ts'
import { storm } from '../reconnect.ts'
import { type PilotwireServer, startPilotwire } from '../roles/pilotwire-server.ts'
import { startRole } from '../roles/role.ts'
import { type Measurement, median } from '../verdict.ts'
import { SETTINGS, startNodes } from './nodes.ts'

export const RETURNS = { stations: 2_000, rounds: 3 }

export function measureReturns(
  postgres: BenchPostgres,
  { stations, rounds } = RETURNS,
): Promise<readonly Measurement[]> {
  return postgres.withDatabase((url) =>
    withDirectory(async (directory) => {
      const restarted: number[] = []
      const elsewhere: number[] = []
      // They are known from earlier.
      await onSqlite(directory, (server) => storm(server.ocppUrl, stations, 'p9-first-'))
      for (let round = 0; round < rounds; round++) {
        restarted.push(await onSqlite(directory, (server) => storm(server.ocppUrl, stations, `p9-${round}-`)))
        elsewhere.push(await toAnotherNode(join(directory, `round-${round}`), url, stations, `p9-${round}-`))
      }
      return [
        {
          id: 'P9',
          what: `${stations} charge points of a killed node boot at another one at once`,
          ours: `${Math.round(median(elsewhere))} ms`,
          limit: `${Math.round(median(restarted))} ms after a restart on SQLite`,
          ratio: median(elsewhere) / median(restarted),
          must: 3,
          aim: 1.5,
          better: 'lower',
        },
      ]
    }),
  )
}

async function onSqlite(directory: string, work: (server: PilotwireServer) => Promise<number>): Promise<number> {
  const server = await startPilotwire({ directory: join(directory, 'sqlite'), environment: SETTINGS })
  try {
    const ms = await work(server)
    await server.stop()
    return ms
  } finally {
    await server.end()
  }
}

async function toAnotherNode(directory: string, url: string, stations: number, run: string): Promise<number> {
  const { nodes, end } = await startNodes(directory, url, 2)
  const [first, other] = nodes
  if (!first || !other) throw new Error('There are not two nodes.')
  try {
    const generator = await startRole('generator')
    try {
      await generator.order('open', { url: first.ocppUrl, connections: stations, run: `${run}before-` })
      await first.end()
    } finally {
      await generator.end()
    }
    return await storm(other.ocppUrl, stations, `${run}after-`)
  } finally {
    await end()
  }
}
