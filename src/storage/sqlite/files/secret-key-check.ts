/** Which secret key a database belongs to, so that a start with another one is noticed (config/key-check.ts). */
import type { Database } from 'better-sqlite3'
import type { Reads, Writes } from '../../../ports/storage.ts'

const NAME = 'secret_key_check'

export function secretKeyReads(db: Database): Pick<Reads, 'secretKeyCheck'> {
  const find = db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck()
  return { secretKeyCheck: async () => find.get(NAME) }
}

export function secretKeyWrites(db: Database): Pick<Writes, 'keepSecretKeyCheck'> {
  const insert = 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO'
  const keep = {
    first: db.prepare(`${insert} NOTHING`),
    always: db.prepare(`${insert} UPDATE SET value = excluded.value`),
  }
  return {
    keepSecretKeyCheck: async (check, when) => {
      keep[when].run(NAME, check)
    },
  }
}
