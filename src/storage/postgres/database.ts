import type { NodeFacts } from '../../domain/ports/nodes.ts'
import type { StorageFigures } from '../../domain/ports/storage-figures.ts'
import type { Database, DatabaseHealth, Store, WriterOptions } from '../database.ts'
import { type PostgresAddress, postgresAddress } from './connection/address.ts'
import { storageError } from './connection/failures.ts'
import { Session } from './connection/session.ts'
import { listNodes } from './hot/registration.ts'
import { postgresLimits } from './limits/limits.ts'
import { holdsUnfinishedCopy, requireMigrated, schemaAge } from './migrate.ts'
import { openPostgresReader, startPostgresReader } from './reader.ts'
import { standbyFigures, standbysOf } from './standbys.ts'
import { after, openPostgres } from './writer.ts'

export function postgresDatabase(url: string): Database {
  const address = postgresAddress(url)
  const { shown } = address
  return {
    shown,
    // Whoever reads finds out; a file's path says it at once, an address does not.
    exists: () => true,
    openWriter: (options) => openPostgres(address, options),
    openStore: (options) => openStore(address, options),
    openReader: () => openPostgresReader(address),
    // What is committed is where readers look.
    startReader: () => startPostgresReader(address),
    openLimits: (options) => postgresLimits(address, options, after),
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
    figures: () => figures(address),
    nodes: () => nodesOf(address),
    check: () => check(address),
  }
}

async function openStore(address: PostgresAddress, options?: WriterOptions): Promise<Store> {
  const writer = await openPostgres(address, options)
  try {
    const { close: closeReads, salt: _, ...reads } = await openPostgresReader(address)
    const close = async (): Promise<void> => {
      await closeReads()
      await writer.close()
    }
    return { ...writer, reads, close }
  } catch (error) {
    await writer.close()
    throw error
  }
}

function nodesOf(address: PostgresAddress): Promise<readonly NodeFacts[]> {
  return Session.during(address, async (session) => {
    await requireMigrated(session, address.shown)
    return listNodes(session)
  })
}

function figures(address: PostgresAddress): Promise<StorageFigures> {
  return Session.during(address, async (session) => {
    const databaseBytes = await session.value<number>('SELECT pg_database_size(current_database())')
    const { seconds: oldestTransactionSeconds } = await oldestTransaction(session)
    return { databaseBytes, oldestTransactionSeconds, ...(await standbyFigures(session)) }
  })
}

/** Of any database of the server: the feed awaits all. Prepared ones end only by COMMIT or ROLLBACK PREPARED. */
const OLDEST_TRANSACTION = `SELECT extract(epoch FROM now() - since)::bigint AS seconds, prepared FROM (
    SELECT xact_start AS since, NULL AS prepared FROM pg_stat_activity
      WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
    UNION ALL SELECT prepared, gid FROM pg_prepared_xacts) AS open
  WHERE since IS NOT NULL ORDER BY since LIMIT 1`

interface OldestTransaction {
  readonly seconds: number
  /** Its name; NULL of one that a session has open. */
  readonly prepared: string | null
}

async function oldestTransaction(session: Session): Promise<OldestTransaction> {
  const { rows } = await session.rows<OldestTransaction>(OLDEST_TRANSACTION)
  return rows[0] ?? { seconds: 0, prepared: null }
}

/** Reads what a damaged database could not be read of: the catalog and the newest rows. */
function check(address: PostgresAddress): Promise<DatabaseHealth> {
  const looked = Session.during(address, async (session) => {
    const age = await schemaAge(session)
    if (age === 'current')
      await session.value('SELECT count(*) FROM (SELECT request FROM commands ORDER BY id DESC LIMIT 1000) AS newest')
    const oldest = await oldestTransaction(session)
    return {
      integrity: (await holdsUnfinishedCopy(session)) ? 'a copy into it is not finished' : 'ok',
      journalMode: `PostgreSQL ${await session.value<string>('SHOW server_version')}`,
      synchronous: (await session.value<string>('SHOW synchronous_commit')) ?? 'on',
      bytes: (await session.value<number>('SELECT pg_database_size(current_database())')) ?? 0,
      older: age === 'older',
      standby: await standbysOf(session),
      oldestTransactionSeconds: oldest.seconds,
      preparedTransaction: oldest.prepared ?? undefined,
    }
  })
  return looked.catch((error: unknown) => Promise.reject(storageError(error, address.shown)))
}
