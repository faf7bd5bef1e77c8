/** BENCH-B4, BENCH-P7: the thousandth page of a walk by cursor, against the first. */
import type { Reads } from '../../src/domain/ports/storage.ts'
import { type Measurement, median } from '../verdict.ts'
import { type LogWindow, timeOf } from './log.ts'

const DEEP_PAGE = 1000
const PAGE_ROWS = 101
const ROUNDS = 200

export async function measurePaging(
  reads: Pick<Reads, 'searchCommands'>,
  window: Pick<LogWindow, 'chargePointId' | 'fromId' | 'toId' | 'rows'>,
  id = 'B4',
): Promise<readonly Measurement[]> {
  // Of a small log, the last full page.
  const pages = Math.min(DEEP_PAGE, Math.floor(window.rows / PAGE_ROWS))
  const { chargePointId, fromId, toId } = window
  const page = (belowId: number) =>
    reads.searchCommands({ chargePointId, fromId, toId, belowId, filter: {}, limit: PAGE_ROWS })
  let belowId = toId
  for (let walked = 1; walked < pages; walked++) belowId = (await page(belowId)).at(-2)?.id ?? belowId
  const first: number[] = []
  const deep: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    first.push(await timeOf(() => page(toId)))
    deep.push(await timeOf(() => page(belowId)))
  }
  return [
    {
      id,
      what: `page ${pages} by cursor`,
      ours: `${median(deep).toFixed(2)} ms`,
      limit: `${median(first).toFixed(2)} ms page 1`,
      ratio: median(deep) / median(first),
      must: 1.3,
      aim: 1,
      better: 'lower',
    },
  ]
}
