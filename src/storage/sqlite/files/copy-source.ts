/** A database file as the source of a copy into another engine: everything in place, and no server beside it. */
import { existsSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { Bounds, Cell, CopiedRow, CopySource } from '../../copy/ports.ts'
import { openSqliteReader } from '../reader.ts'
import { storageError } from '../storage-error.ts'
import { openSqlite } from '../writer.ts'
import { acquireServerLock, connectReader } from './connection.ts'
import { requireMigrated } from './migrate.ts'

/** Holds the server's lock until released; upgrades an older file, flushes the journal. @throws naming the server */
export function sqliteCopySource(path: string): CopySource {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}: name the file that the server used.`)
  const lock = acquireServerLock(path)
  try {
    openSqlite(path).close()
    const db = opened(path)
    return {
      ...sourceOf(db),
      shown: path,
      openReads: async () => {
        const { close, ...reads } = openSqliteReader(path)
        return { reads, close }
      },
      release: () => {
        db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function opened(path: string): Database {
  try {
    const db = connectReader(path)
    requireMigrated(db)
    if (db.prepare('SELECT 1 FROM journal').get()) {
      throw new Error(`${path} could not put all messages in place: free some space on its disk and copy again.`)
    }
    // A snapshot, independent of other tools.
    db.exec('BEGIN')
    return db
  } catch (error) {
    throw storageError(error, path)
  }
}

function sourceOf(db: Database): Omit<CopySource, 'shown' | 'openReads' | 'release'> {
  return {
    extentOf: (table) => {
      const extent = db.prepare<[], { rows: number; last: number }>(
        `SELECT count(*) AS rows, coalesce(max(rowid), 0) AS last FROM ${quoted(table)}`,
      )
      return extent.get() ?? { rows: 0, last: 0 }
    },
    rowsAfter: (table, columns, place) =>
      db
        .prepare<[number], Cell[]>(
          `SELECT ${['rowid', ...columns.map(quoted)].join(', ')} FROM ${quoted(table)} WHERE rowid > ? ORDER BY rowid`,
        )
        .raw()
        .iterate(place) as IterableIterator<unknown> as IterableIterator<CopiedRow>,
    bounds: (table, column) => {
      const bounds = db.prepare<[], Bounds>(
        `SELECT min(${quoted(column)}) AS least, max(${quoted(column)}) AS greatest FROM ${quoted(table)}`,
      )
      return bounds.get() ?? { least: null, greatest: null }
    },
    lastNumber: (table) =>
      db.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) ?? 0,
    sampleOfSessions: (count) =>
      db
        .prepare<[number, number], string>(
          `SELECT id FROM sessions WHERE rowid IN (SELECT max(rowid) FROM sessions
             GROUP BY rowid / max(1, (SELECT max(rowid) FROM sessions) / ?) ) ORDER BY rowid DESC LIMIT ?`,
        )
        .pluck()
        .all(count, count),
  }
}

function quoted(name: string): string {
  return `"${name}"`
}
