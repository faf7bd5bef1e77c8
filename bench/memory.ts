/** BENCH-B7: what one idle, booted connection costs, against the same connection on a bare WebSocket server. */
import { join } from 'node:path'
import { packageRoot, withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { type Player, startRole } from './roles/role.ts'
import { type Measurement, median } from './verdict.ts'

export const MEMORY = { connections: 2_000, warmUpConnections: 300, rounds: 5 }

export async function measureMemory(options = MEMORY): Promise<readonly Measurement[]> {
  const agent = ['--expose-gc', '--import', join(packageRoot(), 'bench', 'roles', 'memory-agent.mjs')]
  const limit: number[] = []
  const own: number[] = []
  for (let round = 0; round < options.rounds; round++) {
    const bare = await startRole('bare', agent)
    limit.push(await perConnection(bare, String(await bare.order('listen')), options))
    own.push(
      await withDirectory(async (directory) => {
        const place = { directory: join(directory, 'server'), nodeOptions: agent, directedBy: 'ipc' as const }
        const server = await startPilotwire(place)
        return perConnection(server, server.ocppUrl, options)
      }),
    )
  }
  const [limitBytes, ownBytes] = [median(limit), median(own)]
  return [
    {
      id: 'B7',
      what: `memory per idle connection, ${options.connections} of them`,
      ours: `${(ownBytes / 1024).toFixed(1)} KiB`,
      limit: `${(limitBytes / 1024).toFixed(1)} KiB bare ws`,
      ratio: ownBytes / limitBytes,
      must: 2,
      aim: 1.3,
      better: 'lower',
    },
  ]
}

/** Resident bytes after garbage collection, with the connections minus without; ends the server. */
async function perConnection(server: Player, url: string, options: typeof MEMORY): Promise<number> {
  const generator = await startRole('generator')
  try {
    // Code that is loaded and compiled with the first connections is no cost of a connection.
    await generator.order('open', { url, connections: options.warmUpConnections, run: 'warm-' })
    await generator.order('close')
    const without = Number(await server.order('memory'))
    await generator.order('open', { url, connections: options.connections, run: 'b7-' })
    return (Number(await server.order('memory')) - without) / options.connections
  } finally {
    await generator.end()
    await server.end()
  }
}
