/** Records whose tables are older than records. */
import { integer, type RecordOf, record, text } from './record.ts'

/** Facts about the database itself. */
export const meta = record('meta', { key: ['name'], columns: { name: text(), value: text() }, unversioned: [] })

/** In `meta`: which server made the first account, and when (`FirstStartMark`, as JSON). */
export const FIRST_START = 'first_start'

/** Answers to requests with an Idempotency-Key, encrypted, because one may show a secret (HOOK-S5). */
export const keptAnswers = record('kept_answers', {
  key: ['name'],
  columns: {
    /** Hash of who asked and the key. */
    name: text(),
    at: integer(),
    sealed: text(),
  },
  indexes: [['at']],
  age: 'at',
  unversioned: ['kept_answers_age'],
})

export type KeptAnswer = RecordOf<typeof keptAnswers>

/** Keys that sign ID tokens. */
export const signingKeys = record('signing_keys', {
  key: ['kid'],
  columns: {
    kid: text(),
    publicJwk: text(),
    /** PKCS #8, encrypted under the secret key. */
    sealedPrivateKey: text(),
    createdAt: integer(),
    /** From here on it signs, until a later key does (OIDC-D8). */
    activeFrom: integer(),
  },
  unversioned: [],
})

export type SigningKey = RecordOf<typeof signingKeys>
