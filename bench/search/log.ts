/** The log under measurement: its busiest charge point, the whole of it. */

import type { Database } from 'better-sqlite3'
import type { CommandQuery } from '../../src/domain/ports/storage-queries.ts'
import { chargePointId } from '../generate-rows.ts'

export interface LogWindow extends Pick<CommandQuery, 'chargePointId' | 'fromId' | 'toId'> {
  /** The charge point's number in the log's dictionary. */
  readonly key: number
  readonly rows: number
}

/** Throws when the file was not made by `generate`. */
export function findWindow(db: Database): LogWindow {
  const id = chargePointId(0)
  const key = db.prepare<[string], number>('SELECT key FROM log_charge_points WHERE name = ?').pluck().get(id)
  if (key === undefined)
    throw new Error(`${db.name} has no rows of ${id}: make one with \`npm run bench -- generate\`.`)
  const { rows, newest } = db
    .prepare<[number], { rows: number; newest: number }>(
      'SELECT count(*) AS rows, max(id) AS newest FROM commands_search WHERE charge_point = ?',
    )
    .get(key) ?? { rows: 0, newest: 0 }
  return { chargePointId: id, key, fromId: 0, toId: newest + 1, rows }
}

/** The limit of BENCH-B3: how SQLite itself counts the window. */
export const RAW_COUNT = 'SELECT count(*) FROM commands_search WHERE charge_point = ? AND id >= ? AND id < ?'

/** Some transactions of the window, evenly spread over it. */
export function transactionsOf(db: Database, { key }: LogWindow, desired: number): readonly string[] {
  const all = db
    .prepare<[number], string>(
      'SELECT DISTINCT CAST(transaction_id AS TEXT) FROM commands_search WHERE charge_point = ? AND transaction_id IS NOT NULL',
    )
    .pluck()
    .all(key)
  return Array.from({ length: Math.min(desired, all.length) }, (_value, position) => {
    return all[Math.floor((position * all.length) / desired)] ?? ''
  })
}

/** Milliseconds that `work` takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
