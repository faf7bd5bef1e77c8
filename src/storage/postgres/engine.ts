/** Implements `database.ts`, with all that only PostgreSQL needs; loaded on first use. */
import type { NodeFacts, StorageFigures } from '../../domain/ports/nodes.ts'
import type { DatabaseHealth, StandbyHealth, Store, WriterOptions } from '../database.ts'
import { type PostgresAddress, storageError } from './connection/address.ts'
import { Session } from './connection/session.ts'
import { listNodes } from './hot/registration.ts'
import { holdsUnfinishedCopy, requireMigrated, schemaAge } from './migrate.ts'
import { openPostgresReader } from './reader.ts'
import { openPostgres } from './writer.ts'

export { postgresCopyTarget } from './copy/target.ts'
export { postgresLimits } from './limits/limits.ts'
export { startPostgresReader } from './reader.ts'
export { after } from './writer.ts'
export { openPostgres, openPostgresReader }

export async function openStore(address: PostgresAddress, options?: WriterOptions): Promise<Store> {
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

export function nodesOf(address: PostgresAddress): Promise<readonly NodeFacts[]> {
  return Session.during(address, async (session) => {
    await requireMigrated(session, address.shown)
    return listNodes(session)
  })
}

export function figures(address: PostgresAddress): Promise<StorageFigures> {
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
  /** Its name; NULL for a session's open one. */
  readonly prepared: string | null
}

async function oldestTransaction(session: Session): Promise<OldestTransaction> {
  const { rows } = await session.rows<OldestTransaction>(OLDEST_TRANSACTION)
  return rows[0] ?? { seconds: 0, prepared: null }
}

/** Reads what damage would make unreadable: the catalog and the newest rows. */
export function check(address: PostgresAddress): Promise<DatabaseHealth> {
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

const WAITS_FOR = `SELECT current_setting('synchronous_standby_names')`

/** A backup is no standby. NULL where the user lacks the permission. */
const CONNECTED = `SELECT coalesce(nullif(application_name, ''), 'without a name') AS name,
    CASE WHEN sync_state IS NULL THEN 'unknown' WHEN sync_state IN ('sync', 'quorum') AND state = 'streaming'
      THEN 'synchronous' ELSE 'asynchronous' END AS kind
  FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' ORDER BY 1`

async function standbysOf(session: Session): Promise<StandbyHealth> {
  const waitsFor = (await session.value<string>(WAITS_FOR)) ?? ''
  const { rows } = await session.rows<StandbyHealth['connected'][number]>(CONNECTED)
  return { waitsFor, connected: rows }
}

/** Empty without permission. A backup that copies the log while it runs is no standby either. */
const BEHIND = `SELECT count(*)::int AS standbys,
    max(CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END)::bigint AS lag
  FROM pg_stat_replication WHERE state = 'streaming' AND application_name <> 'pg_basebackup'`

async function standbyFigures(session: Session): Promise<Pick<StorageFigures, 'standbys' | 'standbyLagBytes'>> {
  const { rows } = await session.rows<{ readonly standbys: number; readonly lag: number | null }>(BEHIND)
  const [{ standbys, lag } = { standbys: 0, lag: null }] = rows
  return { standbys, standbyLagBytes: lag ?? undefined }
}
