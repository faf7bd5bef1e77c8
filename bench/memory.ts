/**
 * BENCH-B7: what one idle, booted connection costs, against the same connection on a bare WebSocket server. BENCH-B17:
 * what the whole server holds while nothing is connected, and under the load of BENCH-B1.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Protocol } from '../src/domain/ports/core.ts'
import { STEADY } from './lock-step.ts'
import { packageRoot, withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { type Player, startRole } from './roles/role.ts'
import { type Measurement, median } from './verdict.ts'

export const MEMORY = { connections: 2_000, warmUpConnections: 300, rounds: 5 }

const MB = 1024 ** 2
/** Seconds after its start the loops have run once. */
const EMPTY_AFTER_MS = 10_000
const SAMPLE_MS = 250
const LOADS: readonly { readonly protocol: Protocol; readonly connections: number }[] = [
  { protocol: 'ocpp1.6', connections: 50 },
  { protocol: 'ocpp1.6', connections: 500 },
  { protocol: 'ocpp2.0.1', connections: 50 },
  { protocol: 'ocpp2.0.1', connections: 500 },
]

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
  const whole = await measureWhole()
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
    inMegabytes('memory of a server without connections', whole.empty, { must: 150, aim: 120 }),
    ...whole.loaded.map(({ load: { protocol, connections }, bytes }) =>
      inMegabytes(`memory under load, ${protocol}, ${connections} stations`, bytes, { must: 250, aim: 180 }),
    ),
  ]
}

function inMegabytes(what: string, bytes: number, { must, aim }: { must: number; aim: number }): Measurement {
  const [ours, limit] = [`${Math.round(bytes / MB)} MB`, `${must} MB`]
  return { id: 'B17', what, ours, limit, ratio: bytes / MB / must, must: 1, aim: aim / must, better: 'lower' }
}

/** Resident bytes as they are, garbage included: medians of the empty ones, and of the samples under each load. */
async function measureWhole() {
  const agent = ['--import', join(packageRoot(), 'bench', 'roles', 'memory-agent.mjs')]
  const empty: number[] = []
  const loaded: { readonly load: (typeof LOADS)[number]; readonly bytes: number }[] = []
  for (const load of LOADS) {
    await withDirectory(async (directory) => {
      const place = { directory: join(directory, 'server'), nodeOptions: agent, directedBy: 'ipc' as const }
      const server = await startPilotwire(place)
      const generator = await startRole('generator')
      await wait(EMPTY_AFTER_MS)
      empty.push(Number(await server.order('resident')))
      await generator.order('open', { ...load, url: server.ocppUrl, run: 'b17-' })
      const steady = generator.order('steady', STEADY)
      await wait(STEADY.warmUpMs)
      const samples: number[] = []
      for (let ms = 0; ms < STEADY.measureMs; ms += SAMPLE_MS) {
        await wait(SAMPLE_MS)
        samples.push(Number(await server.order('resident')))
      }
      await steady
      await generator.end()
      await server.end()
      loaded.push({ load, bytes: median(samples) })
    })
  }
  return { empty: median(empty), loaded }
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
