/** BENCH-B8: all stations come back at once after a restart of the server, against the in-memory server. */
import { join } from 'node:path'
import { withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { startRole } from './roles/role.ts'
import { type Measurement, median } from './verdict.ts'

export const RECONNECT = { stations: 2_000, rounds: 3 }

export async function measureReconnect({ stations, rounds } = RECONNECT): Promise<readonly Measurement[]> {
  const limit: number[] = []
  const ours: number[] = []
  await withDirectory(async (directory) => {
    const place = { directory: join(directory, 'server') }
    // The stations are known from earlier: the storm after a deploy, not a first installation.
    const first = await startPilotwire(place)
    await storm(first.ocppUrl, stations, 'b8-first-')
    await first.stop()
    for (let round = 0; round < rounds; round++) {
      const memory = await startRole('in-memory')
      try {
        limit.push(await storm(String(await memory.order('listen')), stations, `b8-${round}-`))
      } finally {
        await memory.end()
      }
      const server = await startPilotwire(place)
      try {
        ours.push(await storm(server.ocppUrl, stations, `b8-${round}-`))
        await server.stop()
      } finally {
        await server.end()
      }
    }
  })
  return [
    {
      id: 'B8',
      what: `${stations} stations reconnect and boot at once`,
      ours: `${Math.round(median(ours))} ms`,
      limit: `${Math.round(median(limit))} ms in memory`,
      ratio: median(ours) / median(limit),
      must: 1.5,
      aim: 1,
      better: 'lower',
    },
  ]
}

export async function storm(url: string, connections: number, run: string): Promise<number> {
  const generator = await startRole('generator')
  try {
    const { ms } = (await generator.order('open', { url, connections, run })) as { ms: number }
    return ms
  } finally {
    await generator.end()
  }
}
