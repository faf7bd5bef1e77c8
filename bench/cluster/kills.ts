/**
 * BENCH-P10: charge points that lose nothing charge behind the balancer while nodes and PostgreSQL are killed. What was
 * acknowledged must be in the log.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Charger } from '../../test/postgres/charger.ts'
import { isRunning, startServer } from '../../test/postgres/server.ts'
import { withDirectory } from '../places.ts'
import { withClient } from '../postgres/server.ts'
import type { Measurement } from '../verdict.ts'
import { startNodes } from './nodes.ts'

const STATIONS = 30
const PACE_MS = 20
const BETWEEN_MS = 1_000
const RECOVER_MS = 120_000

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
    const chargers = Array.from(
      { length: STATIONS },
      (_, n) => new Charger(installation.balancer.ocppUrl, `CP-${n}`, PACE_MS),
    )
    let isOver = false
    const charging = Promise.all(chargers.map((charger) => charger.chargeUntil(() => isOver)))
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
      isOver = true
      await charging
      const afterAll = await lost(url, chargers)
      return [
        kept('nodes', kills, afterNodes),
        kept('PostgreSQL', kills, { ...afterAll, lost: afterAll.lost - afterNodes.lost }),
      ]
    } finally {
      isOver = true
      for (const charger of chargers) charger.end()
      await installation.end()
      process.kill(postgres.pid, 'SIGQUIT')
      while (isRunning(postgres.pid)) await wait(20)
    }
  })
}

interface Lost {
  readonly lost: number
  readonly acknowledged: number
  readonly errors: number
}

function kept(what: string, kills: number, { lost: missing, acknowledged, errors }: Lost): Measurement {
  return {
    id: 'P10',
    what: `acknowledged messages that are not in the log after ${kills} kills of ${what}`,
    ours: String(missing),
    limit: `${acknowledged} acknowledged`,
    ratio: missing,
    must: 0,
    aim: 0,
    better: 'lower',
    ...(errors > 0 && { fault: `${errors} messages were answered with an error` }),
  }
}

/** Each of them has had another answer. */
async function untilAllGoOn(chargers: readonly Charger[]): Promise<void> {
  const before = chargers.map(({ acknowledged }) => acknowledged.size)
  const end = Date.now() + RECOVER_MS
  while (chargers.some(({ acknowledged }, index) => acknowledged.size <= (before[index] ?? 0) + 1)) {
    if (Date.now() > end) throw new Error('Charge points did not go on within two minutes.')
    await wait(20)
  }
}

async function lost(url: string, chargers: readonly Charger[]): Promise<Lost> {
  const acknowledged = chargers.flatMap((charger) => [...charger.acknowledged])
  const { rows } = await withClient(url, (client) =>
    client.query<{ id: string }>('SELECT DISTINCT message_id AS id FROM commands WHERE direction = 0'),
  )
  const logged = new Set(rows.map(({ id }) => id))
  return {
    lost: acknowledged.filter((id) => !logged.has(id)).length,
    acknowledged: acknowledged.length,
    errors: chargers.reduce((sum, { errors }) => sum + errors, 0),
  }
}
