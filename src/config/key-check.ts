/** The database remembers its secret key: another one would be noticed only when every charge point is refused. */
import { hkdfSync } from 'node:crypto'
import type { Reads, Writes } from '../domain/ports/storage.ts'
import { isPostgres } from './database-path.ts'
import { secretKeyFile } from './secret-key.ts'
import { ConfigurationError } from './setting.ts'

const CHECK_BYTES = 16

/** Tells keys apart and says nothing about them. */
export function secretKeyCheck(secretKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'pilotwire secret key check', CHECK_BYTES)).toString('hex')
}

interface KeyedDatabase {
  readonly path: string
  readonly reads: Pick<Reads, 'secretKeyCheck'>
  readonly writes: Pick<Writes, 'keepSecretKeyCheck'>
}

/** The first key that a database is used with is its key. @throws ConfigurationError when this is another one */
export async function requireSameSecretKey(
  secretKey: Uint8Array,
  { path, reads, writes }: KeyedDatabase,
): Promise<void> {
  await writes.keepSecretKeyCheck(secretKeyCheck(secretKey), 'first')
  if ((await reads.secretKeyCheck()) === secretKeyCheck(secretKey)) return
  throw new ConfigurationError([{ name: 'PILOTWIRE_SECRET_KEY', value: 'another key', problem: otherKey(path) }])
}

/** What to do about a key that is not the database's: a sentence. @param path the database's file or address */
export function otherKey(path: string): string {
  const right = isPostgres(path)
    ? 'set the one that its other nodes have'
    : `restore ${secretKeyFile(path)} from its backup, or set the right one`
  return `expected the one that ${path} was used with before: ${right}. If it is lost for good, run pilotwire keys accept-secret: charge point passwords, webhook secrets and signing keys must then be made anew`
}
