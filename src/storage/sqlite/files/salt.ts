import type { Database } from 'better-sqlite3'

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
