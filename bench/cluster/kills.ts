/**
 * BENCH-P10: charge points that lose nothing charge behind the balancer while nodes and PostgreSQL are killed. What was
 * acknowledged must be in the log.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRunning, startServer } from '../../test/postgres/server.ts'
import { withDirectory } from '../places.ts'
import { withClient } from '../postgres/server.ts'
import type { Measurement } from '../verdict.ts'
import { kept, lost, startCharging, untilAllGoOn } from './acknowledged.ts'
import { startNodes } from './nodes.ts'

const BETWEEN_MS = 1_000

export function measureKills(kills: number): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    // PostgreSQL does not run as root: whoever it runs as has to get to its folder.
    chmodSync(directory, 0o711)
    const folder = join(directory, 'postgres')
    let postgres = await startServer(folder)
    const port = Number(new URL(postgres.url).port)
    await withClient(postgres.url, (client) => client.query('CREATE DATABASE bench'))
    const url = postgres.url.replace(/postgres$/, 'bench')
    const installation = await startNodes(directory, url, 3)
    const charging = startCharging(installation.balancer.ocppUrl)
    const { chargers } = charging
    try {
      for (let kill = 0; kill < kills; kill++) {
        await wait(BETWEEN_MS)
        await installation.kill(kill % installation.nodes.length)
        await untilAllGoOn(chargers)
      }
      const afterNodes = await lost(url, chargers)
      for (let kill = 0; kill < kills; kill++) {
        await wait(BETWEEN_MS)
        process.kill(postgres.pid, 'SIGQUIT')
        while (isRunning(postgres.pid)) await wait(20)
        postgres = await startServer(folder, port)
        await untilAllGoOn(chargers)
      }
      await charging.finish()
      const afterAll = await lost(url, chargers)
      return [
        kept(`${kills} kills of nodes`, afterNodes),
        kept(`${kills} kills of PostgreSQL`, { ...afterAll, lost: afterAll.lost - afterNodes.lost }),
      ]
    } finally {
      charging.end()
      await installation.end()
      process.kill(postgres.pid, 'SIGQUIT')
      while (isRunning(postgres.pid)) await wait(20)
    }
  })
}
