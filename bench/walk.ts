/**
 * `npm run bench -- walk`: walks the log of a charge point to its end by cursor while messages arrive, some of the same
 * charge point, and compares what the pages showed with what the database holds (SEARCH-Q8).
 */
import { join, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { connectReader } from '../src/storage/sqlite/files/connection.ts'
import { logSalt } from '../src/storage/sqlite/files/salt.ts'
import { generate } from './generate.ts'
import { withDirectory } from './places.ts'
import { withSearchApi } from './search/api.ts'
import { findWindow } from './search/log.ts'
import { compareWalk, type Exactness } from './walk/exactness.ts'
import { type LoadResult, startLoad } from './walk/load.ts'
import { walkAll } from './walk/pages.ts'

export interface WalkOptions {
  /** Made by `generate`; the messages of the walk are added to it. Absent: a new one is made and deleted. */
  readonly database?: string
  /** Of the new database, all of one charge point. */
  readonly rows: number
  readonly callsPerSecond: number
  readonly connections: number
}

export const WALK: WalkOptions = { rows: 1_000_000, callsPerSecond: 2_000, connections: 200 }

export interface WalkReport extends Exactness {
  readonly rows: number
  readonly pages: number
  readonly walkMs: number
  /** While the walk went on. */
  readonly load: LoadResult
  /** Rows that the walk's own charge point added to its log meanwhile. */
  readonly ownRowsAdded: number
}

export async function measureWalk(options: WalkOptions = WALK): Promise<WalkReport> {
  return withDirectory(async (directory) => {
    const path = options.database === undefined ? join(directory, 'log.db') : resolve(options.database)
    if (options.database === undefined) await generate({ rows: options.rows, chargePoints: 1, out: path })
    const db = connectReader(path)
    try {
      return await walkBesideLoad(path, db, join(directory, 'server'), options)
    } finally {
      db.close()
    }
  })
}

async function walkBesideLoad(
  path: string,
  db: Database,
  directory: string,
  { callsPerSecond, connections }: WalkOptions,
): Promise<WalkReport> {
  const { chargePointId, key } = findWindow(db)
  const salt = logSalt(db)
  return withSearchApi(path, directory, async (api) => {
    const { ocppUrl } = api.server
    const load = await startLoad({ ocppUrl, chargePointIds: [chargePointId], connections, callsPerSecond })
    try {
      const before = newestOf(db, key)
      let newest = before
      const startedAt = performance.now()
      const { ids, pages } = await walkAll(api, chargePointId, salt, () => {
        newest = newestOf(db, key)
      })
      const walkMs = performance.now() - startedAt
      const loaded = await load.stop()
      // Where between the two the first page drew its line, its first row says; it must lie there.
      const line = Math.min(newest, Math.max(before, ids[0] ?? 0))
      const stored = idsOf(db, key)
      const ownRowsAdded = stored.filter((id) => id > line).length
      const expected = stored.filter((id) => id <= line)
      return { rows: ids.length, pages, walkMs, load: loaded, ownRowsAdded, ...compareWalk(expected, ids) }
    } catch (error) {
      await load.stop().catch(() => undefined)
      throw error
    }
  })
}

/** From the log itself, not from what the search reads. */
function idsOf(db: Database, key: number): readonly number[] {
  return db.prepare<[number], number>('SELECT id FROM commands WHERE charge_point = ?').pluck().all(key)
}

function newestOf(db: Database, key: number): number {
  const newest = db.prepare<[number], number>('SELECT id FROM commands WHERE charge_point = ? ORDER BY id DESC LIMIT 1')
  return newest.pluck().get(key) ?? 0
}
