/** BENCH-B3 to BENCH-B6: the log's search, on a generated database. */
import { join, resolve } from 'node:path'
import { databaseFile } from '../src/storage/open.ts'
import { connectReader } from '../src/storage/sqlite/files/connection.ts'
import { generate } from './generate.ts'
import { withDirectory } from './places.ts'
import { measureAcknowledgement } from './search/acknowledgement.ts'
import { withSearchApi } from './search/api.ts'
import { measureExport } from './search/export.ts'
import { measureFilters } from './search/filter-cost.ts'
import { findWindow, RAW_COUNT, transactionsOf } from './search/log.ts'
import { measurePaging } from './search/paging.ts'
import type { Measurement } from './verdict.ts'

export interface SearchOptions {
  /** Made by `generate`; the bench's own messages are added to it. Absent: a new one is made and deleted. */
  readonly database?: string
  /** Of the new database. */
  readonly rows: number
}

/** Half of them belong to one charge point: the same window as of 20 million rows, ready in ten seconds. */
export const SEARCH: SearchOptions = { rows: 1_000_000 }
const CHARGE_POINTS = 40
const TRANSACTIONS = 100
const FILTERS = { id: 'B3', must: 2.5, aim: 1.5 }

export async function measureSearch(options: SearchOptions = SEARCH): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    const path = options.database === undefined ? join(directory, 'log.db') : resolve(options.database)
    if (options.database === undefined) await generate({ rows: options.rows, chargePoints: CHARGE_POINTS, out: path })
    return measureDatabase(path, directory)
  })
}

async function measureDatabase(path: string, directory: string): Promise<readonly Measurement[]> {
  const db = connectReader(path)
  try {
    const window = findWindow(db)
    const reader = databaseFile(path).openReader('in place')
    const measurements: Measurement[] = []
    try {
      const rawCount = db.prepare<number[], number>(RAW_COUNT).pluck()
      const log = {
        reads: reader,
        window,
        transactionIds: transactionsOf(db, window, TRANSACTIONS),
        countRaw: () => rawCount.get(window.key, window.fromId, window.toId),
      }
      measurements.push(...(await measureFilters(log, FILTERS)), ...(await measurePaging(reader, window)))
    } finally {
      reader.close()
    }
    const throughServer = await withSearchApi(path, join(directory, 'server'), async (api) => [
      ...(await measureAcknowledgement(api, window.chargePointId)),
      ...(await measureExport(db, window, api)),
    ])
    return [...measurements, ...throughServer]
  } finally {
    db.close()
  }
}
