/** The secret key as a file beside the database, whole and flushed first: lost, no password could be checked. */

import { hkdfSync } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reads, Writes } from '../domain/ports/storage.ts'
import { isPostgres } from './database-path.ts'
import { makeFolder } from './make-folder.ts'
import { ConfigurationError } from './setting.ts'
import { base64Key } from './setting-kinds.ts'

/** @example secretKeyFile('data/pilotwire.db') === 'data/pilotwire.db.key' */
export function secretKeyFile(databaseFile: string): string {
  return `${databaseFile}.key`
}

/** @returns 32 bytes @throws ConfigurationError: damaged, cannot be made, or gone although the database is there */
export function readOrCreateSecretKey(databaseFile: string, random: (bytes: number) => Buffer): Buffer {
  const file = secretKeyFile(databaseFile)
  const existing = readKey(file)
  if (existing) return existing
  if (holdsData(databaseFile)) {
    throw fault(
      file,
      `expected beside the database, but the file is gone; restore it from its backup, or set the key itself. If it is lost for good, write a new one (openssl rand -base64 32 > ${file}) and run pilotwire keys accept-secret: charge point passwords, webhook secrets and signing keys must then be made anew`,
    )
  }
  try {
    create(file, base64Key.show(random(32)), random(6).toString('hex'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw fault(
      file,
      `expected a folder that can be written to, but ${reason}; change its rights, or name another place in PILOTWIRE_DATABASE_URL`,
    )
  }
  const key = readKey(file)
  if (!key) throw fault(file, 'expected to stay where it was just written')
  return key
}

function readKey(file: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    const reason = error instanceof Error ? error.message : error
    throw fault(file, `expected a readable file, but ${reason}; give this user the right to read it`)
  }
  const key = base64Key.read(text)
  if (!key) throw fault(file, `expected ${base64Key.expected} in this file; restore it from its backup`)
  return key
}

/** A complete file appears under its name or none does; of two processes at once the first one wins. */
function create(file: string, text: string, suffix: string): void {
  makeFolder(dirname(file))
  const draft = `${file}.${suffix}`
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, `${text}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  flushFolder(dirname(file))
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function holdsData(databaseFile: string): boolean {
  const stat = statSync(databaseFile, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size > 0
}

/** Without an example: another key beside an existing database would lock every charge point out. */
function fault(file: string, problem: string): ConfigurationError {
  return new ConfigurationError([{ name: 'PILOTWIRE_SECRET_KEY', value: `kept in ${file}`, problem }])
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** The database remembers its secret key: another one would be noticed only when every charge point is refused. */
const CHECK_BYTES = 16

/** Tells keys apart and says nothing about them. */
export function secretKeyCheck(secretKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'pilotwire secret key check', CHECK_BYTES)).toString('hex')
}

const CHECK = { name: 'secret_key_check' }

/** Of the key that the database was used with last. */
export async function knownKeyCheck(reads: Pick<Reads, 'getRecord'>): Promise<string | undefined> {
  return (await reads.getRecord('meta', CHECK))?.value
}

/** From now on this key is the database's. */
export async function acceptSecretKey(secretKey: Uint8Array, writes: Pick<Writes, 'putRecords'>): Promise<void> {
  await writes.putRecords('meta', [{ ...CHECK, value: secretKeyCheck(secretKey) }])
}

interface KeyedDatabase {
  readonly path: string
  readonly reads: Pick<Reads, 'getRecord'>
  readonly writes: Pick<Writes, 'changeRecordsIf'>
}

/** The first key that a database is used with is its key. @throws ConfigurationError when this is another one */
export async function requireSameSecretKey(
  secretKey: Uint8Array,
  { path, reads, writes }: KeyedDatabase,
): Promise<void> {
  const value = secretKeyCheck(secretKey)
  await writes.changeRecordsIf([{ kind: 'meta', put: { ...CHECK, value } }], { kind: 'meta', remove: CHECK })
  if ((await knownKeyCheck(reads)) === value) return
  throw new ConfigurationError([{ name: 'PILOTWIRE_SECRET_KEY', value: 'another key', problem: otherKey(path) }])
}

/** What to do about a key that is not the database's: a sentence. @param path the database's file or address */
export function otherKey(path: string): string {
  const right = isPostgres(path)
    ? 'set the one that its other nodes have'
    : `restore ${secretKeyFile(path)} from its backup, or set the right one`
  return `expected the one that ${path} was used with before: ${right}. If it is lost for good, run pilotwire keys accept-secret: charge point passwords, webhook secrets and signing keys must then be made anew`
}
