/** Brings a database to the newest schema: the files of drizzle/postgres in order, each once, by the first server. */
import type { Log } from '../../domain/ports/core.ts'
import { ageOf, migrationFiles, newerSchema, requireCurrent, type SchemaAge, type Shown } from '../migrations.ts'
import { DatabaseRefused } from '../storage-error.ts'
import { isLockTimeout } from './connection/address.ts'
import { inTransaction } from './connection/pool.ts'
import type { Session } from './connection/session.ts'
import { FUNCTIONS } from './functions/names.ts'
import { makePartitions } from './partitions.ts'

const MIGRATIONS = ['drizzle', 'postgres'] as const
const APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS pilotwire_migrations (
  hash text NOT NULL, created_at bigint NOT NULL PRIMARY KEY)`

/** An arbitrary number: one server at a time migrates. */
const MIGRATION_LOCK = 0x70696c6f74

/** Exists while a database is being copied into (copy/target.ts). */
export const COPIES = 'pilotwire_copy'

/** A restored database counts its transactions anew, and the feed's places are made of them (drizzle/postgres/0000). */
const KEEP_EVENTS_RISING = `INSERT INTO meta (name, value)
  SELECT 'event_base', ((max(position) / 4096) + 1) * 4096 FROM events
  HAVING max(position) >= pilotwire_event_base() + pg_current_xact_id()::text::bigint * 4096
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** While another client holds a table (pg_dump), others queue behind our lock request: give up and let them pass. */
const LOCK_TIMEOUT = '2s'
const BETWEEN_ATTEMPTS_MS = 5_000

interface Migrating {
  /** Milliseconds since the epoch: the log's partitions begin there. */
  readonly now: number
  readonly pause: (ms: number) => Promise<void>
  readonly log?: Pick<Log, 'info'> | undefined
}

export async function migrate(session: Session, shown: string, { now, pause, log }: Migrating): Promise<void> {
  let isReported = false
  while (!(await isMigrated(session, shown))) {
    if (!isReported)
      log?.info({}, `${shown} needs an upgrade, but another client (such as pg_dump) has locked one of its tables`)
    isReported = true
    await pause(BETWEEN_ATTEMPTS_MS)
  }
  await makePartitions(session, now)
}

/** False while another session holds a table to be changed. */
async function isMigrated(session: Session, shown: string): Promise<boolean> {
  const upgrade = async (): Promise<void> => {
    await session.rows('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await session.run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
    await requireRights(session, shown)
    await session.run(APPLIED_TABLE)
    const done = await newestApplied(session)
    const files = migrationFiles(...MIGRATIONS)
    if (ageOf(done, files) === 'newer') throw newerSchema(shownAs(shown))
    for (const { sql, hash, folderMillis } of files) {
      if (folderMillis <= done) continue
      for (const statement of sql) await session.run(statement)
      await session.rows('INSERT INTO pilotwire_migrations (hash, created_at) VALUES ($1, $2)', [hash, folderMillis])
    }
    await makeFunctions(session)
    await session.run(`INSERT INTO meta (name, value)
      VALUES ('log_salt', substr(upper(replace(gen_random_uuid()::text, '-', '')), 1, 12)
        || substr(upper(replace(gen_random_uuid()::text, '-', '')), 1, 4)) ON CONFLICT DO NOTHING`)
    await session.run(KEEP_EVENTS_RISING)
  }
  try {
    await inTransaction(session, upgrade)
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

/** Throws for a database that no server of this version has prepared. */
export async function requireMigrated(session: Session, shown: string): Promise<void> {
  requireCurrent(await schemaAge(session), shownAs(shown))
}

/** Throws for a partial copy: its users would miss the rest, and the copy would not notice their changes. */
export async function requireWhole(session: Session, shown: string): Promise<void> {
  if (!(await holdsUnfinishedCopy(session))) return
  throw new DatabaseRefused(
    `A copy into ${shown} is not finished: run pilotwire database copy again, it goes on where it was.`,
  )
}

export async function holdsUnfinishedCopy(session: Session): Promise<boolean> {
  return (await session.value<boolean>('SELECT to_regclass($1) IS NOT NULL', [COPIES])) === true
}

export async function schemaAge(session: Session): Promise<SchemaAge> {
  return ageOf(await newestApplied(session), migrationFiles(...MIGRATIONS))
}

export async function logSalt(session: Session, shown: string): Promise<bigint> {
  const salt = await session.value<string>(`SELECT value FROM meta WHERE name = 'log_salt'`)
  if (salt === undefined)
    throw new DatabaseRefused(`${shown} is not complete: start the server once, it prepares the database.`)
  return BigInt(`0x${salt}`)
}

async function requireRights(session: Session, shown: string): Promise<void> {
  const { rows } = await session.rows<{ may: boolean | null; schema: string | null; user: string }>(
    `SELECT has_schema_privilege(current_schema(), 'CREATE') AS may, current_schema() AS schema, current_user AS user`,
  )
  const [row] = rows
  if (row?.may) return
  throw new DatabaseRefused(
    `${shown}: ${row?.user} may not make tables in the schema ${row?.schema ?? 'public'}: GRANT CREATE, USAGE ON SCHEMA ${row?.schema ?? 'public'} TO ${row?.user}, or make it the owner of the database.`,
  )
}

async function makeFunctions(session: Session): Promise<void> {
  const names = Object.values(FUNCTIONS).map(({ name }) => name)
  const { rows } = await session.rows<{ name: string }>(
    'SELECT proname::text AS name FROM pg_proc WHERE proname::text = ANY($1) AND pronamespace = current_schema()::regnamespace',
    [names],
  )
  for (const { name, create } of Object.values(FUNCTIONS)) {
    if (!rows.some((row) => row.name === name)) await session.run(create)
  }
}

async function newestApplied(session: Session): Promise<number> {
  if (!(await session.value<boolean>(`SELECT to_regclass('pilotwire_migrations') IS NOT NULL`))) return 0
  return (await session.value<number | null>('SELECT max(created_at) FROM pilotwire_migrations')) ?? 0
}

function shownAs(shown: string): Shown {
  return { shown, kind: 'database', Refusal: DatabaseRefused }
}
