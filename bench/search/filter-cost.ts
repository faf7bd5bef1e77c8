/**
 * BENCH-B3, BENCH-P6: the newest page and the exact count of any filter, against how the engine itself counts the same
 * window.
 */
import type { Reads } from '../../src/domain/ports/storage.ts'
import { type Measurement, median } from '../verdict.ts'
import { filterCases } from './filters.ts'
import { type LogWindow, timeOf } from './log.ts'

/** All cases and the limit take turns, so that a noisy moment of the machine does not hit one of them alone. */
const ROUNDS = 9
const PAGE_ROWS = 101

export interface FilteredLog {
  readonly reads: Pick<Reads, 'searchCommands' | 'countCommands'>
  readonly window: Pick<LogWindow, 'chargePointId' | 'fromId' | 'toId' | 'rows'>
  /** 100 that occur in the window. */
  readonly transactionIds: readonly string[]
  /** `count(*)` of the window and nothing else. */
  readonly countRaw: () => unknown
}

export async function measureFilters(
  { reads, window, transactionIds, countRaw }: FilteredLog,
  goal: Pick<Measurement, 'id' | 'must' | 'aim'>,
): Promise<readonly Measurement[]> {
  const cases = filterCases(transactionIds).map((one) => ({
    ...one,
    pageMs: [] as number[],
    countMs: [] as number[],
  }))
  const { chargePointId, fromId, toId, rows } = window
  const limitMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    limitMs.push(await timeOf(countRaw))
    for (const { filter, pageMs, countMs } of cases) {
      const query = { chargePointId, fromId, toId, filter, limit: PAGE_ROWS }
      pageMs.push(await timeOf(() => reads.searchCommands(query)))
      countMs.push(await timeOf(() => reads.countCommands(query)))
    }
  }
  return cases.map(({ what, pageMs, countMs }) => ({
    ...goal,
    what,
    ours: `page ${median(pageMs).toFixed(1)} ms, count ${median(countMs).toFixed(1)} ms`,
    limit: `${median(limitMs).toFixed(1)} ms count(*) of ${rows}`,
    ratio: Math.max(median(pageMs), median(countMs)) / median(limitMs),
    better: 'lower',
  }))
}
