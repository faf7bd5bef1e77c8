/** BENCH-P6 and BENCH-P7: the log's search on PostgreSQL, by the measures of BENCH-B3 and BENCH-B4. */
import type pg from 'pg'
import { databaseAt } from '../../src/storage/open.ts'
import { chargePointId } from '../generate-rows.ts'
import { measureFilters } from '../search/filter-cost.ts'
import { measurePaging } from '../search/paging.ts'
import type { Measurement } from '../verdict.ts'
import { fillLog } from './fill.ts'
import { type BenchPostgres, withClient } from './server.ts'

const FILTERS = { id: 'P6', must: 2.5, aim: 1.3 }
const WINDOW_SQL = 'FROM commands WHERE charge_point = $1 AND id >= $2 AND id < $3'
const TRANSACTIONS = 100

export async function measurePostgresSearch(postgres: BenchPostgres, rows: number): Promise<readonly Measurement[]> {
  return postgres.withDatabase(async (url) => {
    await fillLog(url, rows, Date.now())
    return withClient(url, async (client) => {
      // What its own upkeep does within a minute.
      await client.query('VACUUM (ANALYZE) commands')
      await client.query('SET jit = off')
      const reads = await databaseAt(url).openReader('in place')
      try {
        const { key, ...window } = await findWindow(client)
        const values = [key, window.fromId, window.toId]
        const transactionIds = await transactionsOf(client, values)
        const count = { name: 'count', text: `SELECT count(*) ${WINDOW_SQL}`, values }
        const log = { reads, window, transactionIds, countRaw: () => client.query(count) }
        return [...(await measureFilters(log, FILTERS)), ...(await measurePaging(reads, window, 'P7'))]
      } finally {
        await reads.close()
      }
    })
  })
}

async function findWindow(client: pg.Client) {
  const id = chargePointId(0)
  const { rows } = await client.query<{ key: string; rows: string; newest: string }>(
    `SELECT charge_point AS key, count(*) AS rows, max(id) AS newest FROM commands
     WHERE charge_point = (SELECT key FROM log_charge_points WHERE name = $1) GROUP BY 1`,
    [id],
  )
  const [found] = rows
  if (!found) throw new Error(`The log has no rows of ${id}.`)
  const { key, newest } = found
  return { chargePointId: id, key: Number(key), fromId: 0, toId: Number(newest) + 1, rows: Number(found.rows) }
}

/** Some of the window, evenly spread over it. */
async function transactionsOf(client: pg.Client, window: readonly number[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT DISTINCT transaction_id AS id ${WINDOW_SQL} AND transaction_id IS NOT NULL ORDER BY 1`,
    [...window],
  )
  const every = Math.max(1, Math.floor(rows.length / TRANSACTIONS))
  return rows
    .filter((_row, position) => position % every === 0)
    .slice(0, TRANSACTIONS)
    .map(({ id }) => id)
}
