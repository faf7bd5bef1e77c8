/** BENCH-B3: the newest page and the exact count of any filter, against `count(*)` of the same window in raw SQLite. */
import type { Database } from 'better-sqlite3'
import type { Reads } from '../../src/ports/storage.ts'
import { type Measurement, median } from '../verdict.ts'
import { filterCases } from './filters.ts'
import { findWindow, type LogWindow, RAW_COUNT, timeOf, transactionsOf } from './log.ts'

/** All cases and the limit take turns, so that a noisy moment of the machine does not hit one of them alone. */
const ROUNDS = 9
const PAGE_ROWS = 101
const TRANSACTIONS = 100

type LogReads = Pick<Reads, 'searchCommands' | 'countCommands'>

export async function measureFilters(db: Database, reads: LogReads): Promise<readonly Measurement[]> {
  const window = findWindow(db)
  const cases = filterCases(transactionsOf(db, window, TRANSACTIONS)).map((one) => ({
    ...one,
    pageMs: [] as number[],
    countMs: [] as number[],
  }))
  const rawCount = db.prepare<number[], number>(RAW_COUNT).pluck()
  const { chargePointId, fromId, toId, key } = window
  const limitMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    limitMs.push(await timeOf(() => rawCount.get(key, fromId, toId)))
    for (const { filter, pageMs, countMs } of cases) {
      const query = { chargePointId, fromId, toId, filter, limit: PAGE_ROWS }
      pageMs.push(await timeOf(() => reads.searchCommands(query)))
      countMs.push(await timeOf(() => reads.countCommands(query)))
    }
  }
  return cases.map(({ what, pageMs, countMs }) =>
    costOf(what, median(pageMs), median(countMs), median(limitMs), window),
  )
}

function costOf(what: string, pageMs: number, countMs: number, limitMs: number, { rows }: LogWindow): Measurement {
  return {
    id: 'B3',
    what,
    ours: `page ${pageMs.toFixed(1)} ms, count ${countMs.toFixed(1)} ms`,
    limit: `${limitMs.toFixed(1)} ms count(*) of ${rows}`,
    ratio: Math.max(pageMs, countMs) / limitMs,
    must: 2.5,
    aim: 1.5,
    better: 'lower',
  }
}
