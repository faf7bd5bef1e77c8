/** B7: what one idle, booted connection costs, against the same connection on a bare WebSocket server. */
import { join } from 'node:path'
import { packageRoot, withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { type Player, startRole } from './roles/role.ts'
import type { Measurement } from './verdict.ts'

export const MEMORY = { connections: 2_000, warmUpConnections: 300 }

export async function measureMemory({ connections, warmUpConnections } = MEMORY): Promise<readonly Measurement[]> {
  const agent = ['--expose-gc', '--import', join(packageRoot(), 'bench', 'roles', 'memory-agent.mjs')]

  const bare = startRole('bare', agent)
  const limitBytes = await perConnection(bare, String(await bare.order('listen')), connections, warmUpConnections)
  const ownBytes = await withDirectory(async (directory) => {
    const server = await startPilotwire({ directory: join(directory, 'server'), nodeOptions: agent, directedBy: 'ipc' })
    return perConnection(server, server.ocppUrl, connections, warmUpConnections)
  })
  return [
    {
      id: 'B7',
      what: `memory per idle connection, ${connections} of them`,
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
async function perConnection(server: Player, url: string, connections: number, warmUp: number): Promise<number> {
  const generator = startRole('generator')
  try {
    // Code that is loaded and compiled with the first connections is no cost of a connection.
    await generator.order('open', { url, connections: warmUp, run: 'warm-' })
    await generator.order('close')
    const without = Number(await server.order('memory'))
    await generator.order('open', { url, connections, run: 'b7-' })
    return (Number(await server.order('memory')) - without) / connections
  } finally {
    await generator.end()
    await server.end()
  }
}
