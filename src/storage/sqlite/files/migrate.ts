/** Brings a database to the newest schema: the SQL files of drizzle/, in order, each once. */
import type { Database } from 'better-sqlite3'
import { ageOf, migrationFiles, newerSchema, requireCurrent, type SchemaAge, type Shown } from '../../migrations.ts'

/** Compatible with drizzle's own runner: its kit makes the files, and its tools can read what was applied. */
const APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS "__drizzle_migrations" (
  id SERIAL PRIMARY KEY,
  hash text NOT NULL,
  created_at numeric
)`

/** Throws when the file was written by a newer version: an older one would misread it. */
export function migrateDatabase(db: Database): void {
  const age = schemaAge(db)
  if (age === 'newer') throw newerSchema(shownAs(db))
  if (age === 'current') return
  const migrations = migrationFiles('drizzle')
  // Rebuilding a table would trip over its references; the connection turns them on afterwards.
  db.pragma('foreign_keys = OFF')
  // Not drizzle's runner: on a full disk SQLite has rolled back already, and the runner's own ROLLBACK then hides why.
  const apply = db.transaction(() => {
    db.exec(APPLIED_TABLE)
    // Another process (a command line tool beside a starting server) may have migrated while this one waited.
    const done = newestApplied(db)
    const note = db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)')
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= done) continue
      for (const statement of sql) db.exec(statement)
      note.run(hash, folderMillis)
    }
  })
  apply.immediate()
}

/** @throws when no server of this version has prepared the database: queries would fail one by one */
export function requireMigrated(db: Database): void {
  requireCurrent(schemaAge(db), shownAs(db))
}

export function schemaAge(db: Database): SchemaAge {
  return ageOf(newestApplied(db), migrationFiles('drizzle'))
}

function newestApplied(db: Database): number {
  const table = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'`).get()
  if (!table) return 0
  return db.prepare<[], number | null>('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? 0
}

function shownAs({ name }: Database): Shown {
  return { shown: name, kind: 'file', Refusal: Error }
}

const NAME = 'log_salt'

/** Once per database: 64 random bits, from the engine so that two processes that start together agree on one. */
export function makeLogSalt(db: Database): void {
  db.prepare('INSERT INTO meta (name, value) VALUES (?, hex(randomblob(8))) ON CONFLICT DO NOTHING').run(NAME)
}

export function logSalt(db: Database): bigint {
  const hex = db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck().get(NAME)
  if (hex === undefined) throw new Error(`${db.name} is not complete: start the server once, it prepares the file.`)
  return BigInt(`0x${hex}`)
}
