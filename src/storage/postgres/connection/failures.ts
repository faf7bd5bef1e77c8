/** PostgreSQL's errors as the port's: a message's fault, the database's, or unknown. */
import pg from 'pg'
import { asError, DatabaseRefused, StorageError, type StorageErrorCode } from '../../storage-error.ts'

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

/** The key exists: of two that insert it at once, the later one gets this (run-work.ts). */
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
