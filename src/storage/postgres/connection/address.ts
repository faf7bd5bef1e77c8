/** `PILOTWIRE_DATABASE_URL`, e.g. postgres://app:secret@db1:5432,db2/pilotwire; one of several hosts is the primary. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { asError, DatabaseRefused, StorageError, type StorageErrorCode } from '../../storage-error.ts'

export interface PostgresAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly user: string
  readonly password?: string | undefined
  readonly database: string
  readonly ssl: false | ConnectionOptions
  readonly shown: string
}

const EXAMPLE = 'use postgres://user:password@host:5432/database'
const DEFAULT_PORT = 5432
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'application_name',
  'target_session_attrs',
]

/** @throws Error a sentence on what to write, never with the password in it */
export function postgresAddress(url: string): PostgresAddress {
  const [, rest = ''] = /^postgres(?:ql)?:\/\/(.*)$/is.exec(url) ?? []
  const [beforeQuery = '', query = ''] = splitOnce(rest, '?')
  const [authority = '', path = ''] = splitOnce(beforeQuery, '/')
  const at = authority.lastIndexOf('@')
  const [user, password] = splitOnce(at < 0 ? '' : authority.slice(0, at), ':')
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) {
      throw new DatabaseRefused(
        `The database address has the parameter ${name}, which is not known: take it out (${PARAMETERS.join(', ')} are).`,
      )
    }
  }
  const hosts = hostsOf(authority.slice(at + 1) || (parameters.get('host') ?? 'localhost'), parameters.get('port'))
  const database = decoded(path)
  if (!user) throw new DatabaseRefused(`The database address names no user: ${EXAMPLE}.`)
  if (database === '') throw new DatabaseRefused(`The database address names no database: ${EXAMPLE}.`)
  const name = decoded(user)
  return {
    hosts,
    user: name,
    password: password === undefined ? undefined : decoded(password),
    database,
    ssl: sslOf(parameters),
    shown: `postgres://${name}@${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`,
  }
}

function hostsOf(text: string, ports: string | null): PostgresAddress['hosts'] {
  return text.split(',').map((one, index) => {
    const [, bracketed, plain, written] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(one) ?? []
    const host = bracketed ?? decoded(plain ?? '')
    const port = Number(written ?? ports?.split(',')[index] ?? DEFAULT_PORT)
    if (host === '' || port < 1 || port > 65_535) {
      throw new DatabaseRefused(
        `The database address has a host that cannot be read: ${EXAMPLE}, several as host1:port1,host2:port2.`,
      )
    }
    return { host, port }
  })
}

function sslOf(parameters: URLSearchParams): PostgresAddress['ssl'] {
  const mode = parameters.get('sslmode') ?? 'prefer'
  if (!(SSL_MODES as readonly string[]).includes(mode)) {
    throw new DatabaseRefused(`sslmode of the database address is not one of ${SSL_MODES.join(', ')}.`)
  }
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false
  const file = (name: string, member: string) => {
    const path = parameters.get(name)
    if (path === null) return {}
    try {
      return { [member]: readFileSync(path, 'utf8') }
    } catch (error) {
      throw new DatabaseRefused(`${name} of the database address cannot be read: ${(error as Error).message}.`)
    }
  }
  const verified = { rejectUnauthorized: mode !== 'require' || parameters.has('sslrootcert') }
  // verify-ca checks the signer, not the name.
  const anyName = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  return { ...verified, ...anyName, ...file('sslrootcert', 'ca'), ...file('sslcert', 'cert'), ...file('sslkey', 'key') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new DatabaseRefused('The database address has a % that is no escape: write %25 for it.')
  }
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** The connection ended before the answer came: the outcome is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Data (22), constraints (23), limits of a row or an index (54): in one change set; not `isMissingPartition`. */
export function isContentFault(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true
  return error instanceof pg.DatabaseError && /^(?:22|23|54)/.test(codeOf(error)) && !isMissingPartition(error)
}

export function isMissingPartition(error: unknown): boolean {
  return codeOf(error) === '23514' && error instanceof pg.DatabaseError && error.constraint === undefined
}

/** Serializable transactions and deadlocks: a repetition succeeds. */
export function isConflict(error: unknown): boolean {
  return codeOf(error) === '40001' || codeOf(error) === '40P01'
}

/** The key exists: of two that insert it at once, the later one gets this (pool.ts). */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** `lock_timeout` ended the wait for another session's lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

const AWAY_CODES = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
  ],
  // Shutting down, crashed, starting up; too many connections; went read-only under a connection that was a primary's.
  ...['57P01', '57P02', '57P03', '53300', '25006'],
])

/** The server is away, or no primary now: temporary. */
export function isAway(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  const code = codeOf(error)
  if (AWAY_CODES.has(code) || code.startsWith('08')) return true
  const message = error instanceof Error ? error.message : ''
  return /Connection terminated|connection timeout|Client has encountered a connection error|not queryable|timeout expired|Client was closed/i.test(
    message,
  )
}

/** A prepared statement that was not made here, or is gone: another client has used this session. */
const SHARED_SESSION = new Set(['42P05', '26000'])
const POOLED =
  'there is a pooler in transaction mode between, which loses session settings: connect to the server itself, or to a pooler in session mode.'

export function storageError(error: unknown, shown: string): Error {
  if (error instanceof StorageError || error instanceof DatabaseRefused) return error
  if (!isAway(error) && !(error instanceof pg.DatabaseError)) return asError(error)
  if (SHARED_SESSION.has(codeOf(error))) return new DatabaseRefused(`${shown}: ${POOLED}`, { cause: error })
  const [code, advice] = describe(error)
  const detail = codeOf(error)
  return new StorageError(
    code,
    `${shown}: ${advice} (${detail === '' ? '' : `${detail}: `}${asError(error).message})`,
    error,
  )
}

function describe(error: unknown): readonly [StorageErrorCode, string] {
  const code = codeOf(error)
  if (code === '53100')
    return ['storage_full', "the database server's disk is full, nothing was stored; free some space."]
  if (code === '25006') return ['storage_read_only', 'the server is read-only; the address must lead to the primary.']
  if (code === '42501')
    return ['storage_read_only', 'the user has not the rights; it must own the tables of Pilotwire.']
  if (isAway(error)) return ['storage_busy', 'the database cannot be reached; check that it runs and the address.']
  if (isConflict(error) || code === '55P03' || code === '57014') {
    return ['storage_busy', 'others were in the way for too long; try again.']
  }
  if (code.startsWith('XX')) return ['storage_corrupt', 'the database is damaged; restore a backup.']
  return ['storage_failed', 'the database failed, nothing was stored; see the code.']
}
