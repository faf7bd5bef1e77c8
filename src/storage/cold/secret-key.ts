/** Detects a start with another secret key than the database's (config/key-check.ts). */
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import { change, type Operations, value } from './work.ts'

const NAME = 'secret_key_check'

export const secretKeyReads = {
  *secretKeyCheck() {
    return yield* value<string>('SELECT value FROM meta WHERE name = ?', [NAME])
  },
} satisfies Partial<Operations<Reads>>

const CONFLICT = { first: 'NOTHING', always: 'UPDATE SET value = excluded.value' } as const

export const secretKeyWrites = {
  *keepSecretKeyCheck(check, when) {
    yield* change(`INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO ${CONFLICT[when]}`, [NAME, check])
  },
} satisfies Partial<Operations<Writes>>
