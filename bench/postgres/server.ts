/** The PostgreSQL under measurement: on the disk of the checkout, beside Pilotwire on the same machine. */
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isRunning, startServer } from '../../test/postgres/server.ts'
import { withDirectory } from '../places.ts'
import { SECRET_KEY } from '../search/api.ts'

export interface BenchPostgres {
  /** Runs `work` with the address of an empty database that is gone afterwards. */
  withDatabase<T>(work: (url: string) => Promise<T>): Promise<T>
}

/**
 * Of a small server, whose write-ahead log keeps its files (docs/operating.md); all else is as PostgreSQL comes, above
 * all what it promises.
 */
const SETTINGS = { shared_buffers: '256MB', min_wal_size: '1GB', max_wal_size: '4GB' }

/** The server of PILOTWIRE_TEST_DATABASE_URL, else one that is started for this bench. */
export async function withPostgres<T>(work: (postgres: BenchPostgres) => Promise<T>): Promise<T> {
  const given = process.env.PILOTWIRE_TEST_DATABASE_URL
  if (given) return work(databasesOf(given))
  return withDirectory(async (directory) => {
    // PostgreSQL does not run as root: whoever it runs as has to get to its folder.
    chmodSync(directory, 0o711)
    const { url, pid } = await startServer(join(directory, 'cluster'), undefined, SETTINGS)
    try {
      return await work(databasesOf(url))
    } finally {
      process.kill(pid, 'SIGQUIT')
      while (isRunning(pid)) await wait(20)
    }
  })
}

/** What the server under test is told. */
export function environmentOf(url: string): Readonly<Record<string, string>> {
  return { PILOTWIRE_DATABASE_URL: url, PILOTWIRE_SECRET_KEY: SECRET_KEY }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function databasesOf(url: string): BenchPostgres {
  const order = (sql: string) => withClient(url, (client) => client.query(sql))
  return {
    async withDatabase(work) {
      const name = `pilotwire_bench_${randomBytes(6).toString('hex')}`
      const address = new URL(url)
      address.pathname = `/${name}`
      await order(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
      try {
        return await work(address.href)
      } finally {
        await order(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }
    },
  }
}
