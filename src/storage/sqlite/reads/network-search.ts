/** The log of all charge points of an account, in steps of parts of it (rows/network-page.ts). */
import type { Database } from 'better-sqlite3'
import type { LogReads, NetworkLogQuery } from '../../../domain/ports/storage.ts'
import type { InSteps } from '../../../threads/turns.ts'
import { COMMAND_COLUMNS, type CommandRow, DIRECTIONS, readCommand } from '../../rows/command-row.ts'
import { containing, networkPage } from '../../rows/network-page.ts'
import { type FilterSql, filterSql } from './filter-sql.ts'
import { networkHitsSql, rowsSql } from './search-sql.ts'
import type { Stopwatch } from './slices.ts'
import { statementCache } from './statements.ts'

/** Others' queries come between two parts. */
const PART_MS = 40

interface NetworkRow extends CommandRow {
  readonly chargePointId: string
}

const COLUMNS = `${COMMAND_COLUMNS},
  (SELECT name FROM log_charge_points WHERE key = command.charge_point) AS chargePointId`

const HAS_TEXT = `(command.request LIKE ? ESCAPE '\\' OR command.response LIKE ? ESCAPE '\\'
  OR command.error LIKE ? ESCAPE '\\')`

export function networkSteps(db: Database, stopwatch: Stopwatch): Pick<InSteps<LogReads>, 'searchNetwork'> {
  const method = db.prepare<[string], number>('SELECT key FROM log_methods WHERE name = ?').pluck()
  const prepared = statementCache(db)
  // Excludes charge points that were deleted or now belong to another account.
  const keysOf = db
    .prepare<{ accountId: string; id: string | null }, string>(
      `SELECT json_group_array(logged.key) FROM charge_points AS mine
       CROSS JOIN log_charge_points AS logged ON logged.name = mine.id
       WHERE mine.account_id = $accountId AND ($id IS NULL OR mine.id = $id)`,
    )
    .pluck()

  return {
    *searchNetwork(query) {
      const { accountId, chargePointId: id = null } = query
      const filter = filterSql(query.filter, (name) => method.get(name))
      if (!filter || query.limit === 0) return { rows: [] }
      const keys = keysOf.get({ accountId, id }) ?? '[]'
      const { where, values } = withRest(filter, query)
      const hits = prepared(networkHitsSql(where)).pluck()
      const page = networkPage(query, PART_MS)
      let asked = page.next()
      while (!asked.done) {
        const startedAt = stopwatch()
        const { fromId, below, requested } = asked.value
        const ids = hits.all(keys, fromId, below, ...values, requested) as number[]
        const rows = ids.length === 0 ? [] : (prepared(rowsSql(COLUMNS)).all(JSON.stringify(ids)) as NetworkRow[])
        const read = rows.map((row) => readCommand(row, row.chargePointId))
        asked = page.next({ rows: read, tookMs: stopwatch() - startedAt })
        yield
      }
      return asked.value
    },
  }
}

/** Terms outside the index are checked in the log, row by row, for its hits. */
function withRest({ where, values }: FilterSql, { direction, text }: NetworkLogQuery): FilterSql {
  if (direction === undefined && text === undefined) return { where, values }
  const isThatWay = direction === undefined ? '1' : `command.direction = ${DIRECTIONS.indexOf(direction)}`
  const hasText = text === undefined ? '1' : HAS_TEXT
  const looked = `EXISTS (SELECT 1 FROM commands AS command
    WHERE command.id = commands_search.id AND ${isThatWay} AND ${hasText})`
  const patterns = text === undefined ? [] : Array<string>(3).fill(containing(text))
  return { where: `${where} AND ${looked}`, values: [...values, ...patterns] }
}
