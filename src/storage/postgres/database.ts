import type { Database } from '../database.ts'
import { postgresAddress } from './connection/address.ts'

/** A server on SQLite holds none of it. */
const engine = () => import('./engine.ts')

export function postgresDatabase(url: string): Database {
  const address = postgresAddress(url)
  const { shown } = address
  return {
    shown,
    // Whoever reads finds out; a file's path says it at once, an address does not.
    exists: () => true,
    openWriter: async (options) => (await engine()).openPostgres(address, options),
    openStore: async (options) => (await engine()).openStore(address, options),
    openReader: async () => (await engine()).openPostgresReader(address),
    // What is committed is where readers look.
    startReader: async () => (await engine()).startPostgresReader(address),
    openLimits: async (options) => {
      const { postgresLimits, after } = await engine()
      return postgresLimits(address, options, after)
    },
    // Any number of servers are one installation.
    lock: () => ({ release: () => undefined }),
    keepPrivate: () => [],
    watch: async () => ({ moved: new Promise<Error>(() => undefined), stop: () => undefined }),
    // The first who opens it does that, under a lock.
    upgradeAlone: () => undefined,
    backup: async () => {
      throw new Error(
        `${shown} is backed up by PostgreSQL's own tools: pg_dump --format=custom for a copy, or pgBackRest with an archive of its write-ahead log to come back to any point in time.`,
      )
    },
    noteBackup: () => undefined,
    restore: async () => {
      throw new Error(
        `${shown} is restored by PostgreSQL's own tools: pg_restore into an empty database, or pgBackRest to a point in time; the files beside Pilotwire are yours to put back.`,
      )
    },
    figures: async () => (await engine()).figures(address),
    nodes: async () => (await engine()).nodesOf(address),
    check: async () => (await engine()).check(address),
  }
}
