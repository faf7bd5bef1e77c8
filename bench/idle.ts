/**
 * BENCH-B15: how many idle, booted connections one process holds in 2 GiB, by what so many of them take, and how long
 * they all take to come back after a restart. A process may open as many sockets as `ulimit -n` says.
 */
import { join } from 'node:path'
import { packageRoot, withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { type Player, startRole } from './roles/role.ts'
import type { Measurement } from './verdict.ts'

export const IDLE = { connections: 10_000 }

const MEMORY_BYTES = 2 * 1024 ** 3
const MUST = 50_000
/** One generator, and one address that it calls from: both have a limit of their own. */
const OF_ONE_GENERATOR = 10_000

export async function measureIdle({ connections } = IDLE): Promise<readonly Measurement[]> {
  const agent = ['--expose-gc', '--import', join(packageRoot(), 'bench', 'roles', 'memory-agent.mjs')]
  const generators: Player[] = []
  try {
    for (let first = 0; first < connections; first += OF_ONE_GENERATOR) generators.push(await startRole('generator'))
    return await withDirectory(async (directory) => {
      const place = { directory: join(directory, 'server'), nodeOptions: agent, directedBy: 'ipc' as const }
      const server = await startPilotwire(place)
      const without = Number(await server.order('memory'))
      await comeAll(generators, server.ocppUrl, connections)
      const each = (Number(await server.order('memory')) - without) / connections
      await server.end()
      const restarted = await startPilotwire(place)
      const ours = await comeAll(generators, restarted.ocppUrl, connections)
      await restarted.end()
      const memory = await startRole('in-memory')
      const limit = await comeAll(generators, String(await memory.order('listen')), connections)
      await memory.end()
      const held = Math.floor((MEMORY_BYTES - without) / each)
      return [
        {
          id: 'B15',
          what: `idle connections in 2 GiB, by ${connections} of them`,
          ours: `${held} at ${(each / 1024).toFixed(1)} KiB`,
          limit: String(MUST),
          ratio: held / MUST,
          must: 1,
          aim: 2,
          better: 'higher',
        },
        {
          id: 'B15',
          what: `${connections} stations reconnect and boot after a restart`,
          ours: `${Math.round(ours)} ms`,
          limit: `${Math.round(limit)} ms in memory`,
          ratio: ours / limit,
          better: 'lower',
        },
      ]
    })
  } finally {
    for (const generator of generators) await generator.end()
  }
}

/** Milliseconds until the last one has booted. */
async function comeAll(generators: readonly Player[], url: string, connections: number): Promise<number> {
  const startedAt = performance.now()
  await Promise.all(
    generators.map((generator, position) =>
      generator.order('open', {
        url,
        connections: Math.min(OF_ONE_GENERATOR, connections - position * OF_ONE_GENERATOR),
        localAddress: `127.0.0.${position + 2}`,
        run: `b15-${position}-`,
        chargePointIds: Array.from({ length: OF_ONE_GENERATOR }, (_, at) => `IDLE-${position}-${at}`),
      }),
    ),
  )
  return performance.now() - startedAt
}
