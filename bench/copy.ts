/**
 * `npm run bench -- copy`: how fast a database file becomes a PostgreSQL database, verified and ready for a server.
 * Both on the disk of the checkout.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { copySource, copyTarget } from '../src/storage/open.ts'
import { isRunning, startServer } from '../test/postgres/server.ts'
import { generate } from './generate.ts'
import { withDirectory } from './places.ts'
import type { Measurement } from './verdict.ts'

const ROWS = 500_000
const CHARGE_POINTS = 40
const MUST = 20_000
const AIM = 60_000

export function measureCopy(): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    // PostgreSQL runs as another user where this one is root.
    chmodSync(directory, 0o755)
    const file = join(directory, 'pilotwire.db')
    await generate({ rows: ROWS, chargePoints: CHARGE_POINTS, out: file })
    const server = await startServer(join(directory, 'postgres'))
    try {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query('CREATE DATABASE copied')
      await client.end()
      return [await measure(`file:${file}`, server.url.replace(/postgres$/, 'copied'))]
    } finally {
      process.kill(server.pid, 'SIGQUIT')
      while (isRunning(server.pid)) await sleep(50)
    }
  })
}

async function measure(from: string, to: string): Promise<Measurement> {
  const target = await copyTarget(to, Date.now())
  const source = copySource(from)
  const startedAt = performance.now()
  let copiedAt = startedAt
  try {
    const { rows } = await target.copyFrom(source, {
      report: ({ phase }) => {
        if (phase === 'copy') copiedAt = performance.now()
      },
      rebuild: (reads, id) => reads.findSession(id),
    })
    const perSecond = (rows / (copiedAt - startedAt)) * 1000
    const all = (rows / (performance.now() - startedAt)) * 1000
    return {
      id: 'P14',
      what: 'rows copied into PostgreSQL per second',
      ours: `${Math.round(perSecond)}/s, ${Math.round(all)}/s with verification`,
      limit: 'rows per second',
      ratio: perSecond,
      must: MUST,
      aim: AIM,
      better: 'higher',
    }
  } finally {
    source.release()
    await target.close()
  }
}
