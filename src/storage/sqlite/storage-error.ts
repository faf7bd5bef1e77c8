import { statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Steps } from '../../threads/turns.ts'
import { eachOperation } from '../operations.ts'
import { asError, StorageError, type StorageErrorCode } from '../storage-error.ts'

/** Faults in one change set's content; all others concern the database. */
const CONTENT_FAULTS = /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/

export function isContentFault(error: unknown): boolean {
  return !(error instanceof SqliteDatabase.SqliteError) || CONTENT_FAULTS.test(error.code)
}

export function storageError(error: unknown, path: string): Error {
  if (!(error instanceof SqliteDatabase.SqliteError)) return asError(error)
  const [code, advice] = isFolder(path) ? FOLDER : describe(error.code)
  return new StorageError(code, `${path}: ${advice} (${error.code}: ${error.message})`, error)
}

/** SQLite reports a folder as an unreadable disk. */
const FOLDER = ['storage_failed', 'this is a folder; name a file in it.'] as const

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function describe(code: string): readonly [StorageErrorCode, string] {
  if (code === 'SQLITE_FULL') return ['storage_full', 'the disk is full, nothing was stored; free some space.']
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return ['storage_read_only', 'the database cannot be opened; check the rights of the file and its directory.']
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM') {
    return ['storage_read_only', 'the database cannot be written; check the rights of the file and its directory.']
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return ['storage_busy', 'another process holds the database; end long-running tools that write to it.']
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return ['storage_corrupt', 'the file is damaged or not a database; restore a backup.']
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return [
      'storage_failed',
      'reading or writing failed, nothing was stored; check the disk, its free space and quota.',
    ]
  }
  return ['storage_failed', 'the database failed, nothing was stored; see the code.']
}

export function withStepErrors<Port extends object>(port: Port, path: string): Port {
  return eachOperation(port, (operation) => {
    return function* (...args): Steps<unknown> {
      try {
        return yield* operation(...args) as Steps<unknown>
      } catch (error) {
        throw storageError(error, path)
      }
    }
  })
}
