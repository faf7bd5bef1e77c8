import type { Database } from '../database.ts'
import { postgresAddress } from './connection/address.ts'

/** Loaded lazily: a server on SQLite needs none of it. */
const engine = () => import('./engine.ts')

export function postgresDatabase(url: string): Database {
  const address = postgresAddress(url)
  const { shown } = address
  return {
    shown,
    // Unlike a file's path, an address does not show it: the first read fails instead.
    exists: () => true,
    openWriter: async (options) => (await engine()).openPostgres(address, options),
    openStore: async (options) => (await engine()).openStore(address, options),
    openReader: async () => (await engine()).openPostgresReader(address),
    // Commits are visible to readers at once.
    startReader: async () => (await engine()).startPostgresReader(address),
    openLimits: async (options) => {
      const { postgresLimits, after } = await engine()
      return postgresLimits(address, options, after)
    },
    // Any number of servers are one installation.
    lock: () => ({ release: () => undefined }),
    keepPrivate: () => [],
    watch: async () => ({ moved: new Promise<Error>(() => undefined), stop: () => undefined }),
    // The first server to open it migrates, under a lock.
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
