/** All scans of the log, in steps of a few milliseconds (SEARCH-Q12), and the same at once. */

import type { Database } from 'better-sqlite3'
import type { LogReads } from '../../../domain/ports/storage.ts'
import type { CommandCount, CommandQuery, MethodCount, NetworkLogQuery } from '../../../domain/ports/storage-queries.ts'
import { allSteps, type InSteps, type Steps } from '../../../threads/turns.ts'
import { eachOperation } from '../../each-operation.ts'
import { COMMAND_COLUMNS, type CommandRow, DIRECTIONS, readCommand } from '../../rows/command-row.ts'
import { needsRows } from '../../rows/filter-terms.ts'
import { containing, networkPage, openPage, type PageOwner } from '../../rows/network-page.ts'
import { exportSteps } from './command-export.ts'
import { pageSteps } from './command-search.ts'
import {
  boundedCountSql,
  countSql,
  type FilterSql,
  filterSql,
  methodsSql,
  networkHitsSql,
  rowsSql,
  WINDOW,
} from './filter-sql.ts'
import { type LogQuery, logQueries, newestCommand } from './part-rows.ts'
import { logSlices, type Slices, type Stopwatch } from './slices.ts'
import { statementCache } from './statements.ts'

/** @param salt as for `logIdToUuid` */
export function logSteps(db: Database, stopwatch: Stopwatch, salt: bigint): InSteps<LogReads> {
  const slices = logSlices(db, stopwatch)
  const search = { searchCommands: pageSteps(db, slices), ...countSteps(db, slices) }
  return {
    readLogPage: logPageSteps(db, search, stopwatch),
    ...search,
    ...networkSteps(db, stopwatch),
    ...exportSteps(db, slices, salt),
  }
}

/** For a caller with the connection to itself: a command line tool, a test. */
export function logReads(steps: InSteps<LogReads>): LogReads {
  return eachOperation(
    steps,
    (inSteps) =>
      async (...args) =>
        allSteps(inSteps(...args) as Steps<unknown>),
  )
}

/** Counts of the log: exact ones of a window, bounded ones of a filter, and those of its methods (SEARCH-Q9). */
function countSteps(db: Database, slices: Slices): Pick<InSteps<LogReads>, 'countCommands' | 'commandMethods'> {
  const prepared = statementCache(db)
  const { chargePointKey, translate } = logQueries(db)

  function* count(query: CommandQuery, scanLimit: number | undefined): Steps<CommandCount> {
    const translated = translate(query)
    if (!translated) return { value: 0, isExact: true }
    if (scanLimit === undefined || !needsRows(query.filter)) return yield* countAll(query, translated)
    return yield* countScanned(query, translated, scanLimit)
  }

  function* countAll({ fromId, toId }: CommandQuery, { chargePoint, where, values }: LogQuery): Steps<CommandCount> {
    const counting = prepared(countSql(where)).pluck()
    let value = 0
    yield* slices.walk(chargePoint, { fromId, below: toId }, (part) => {
      value += counting.get(chargePoint, part.fromId, part.below, ...values) as number
      return part.fromId
    })
    return { value, isExact: true }
  }

  function* countScanned(
    { fromId, toId }: CommandQuery,
    { chargePoint, where, values }: LogQuery,
    scanLimit: number,
  ): Steps<CommandCount> {
    const counting = prepared(boundedCountSql(where))
    let value = 0
    let left = scanLimit
    let last = toId
    yield* slices.walk(chargePoint, { fromId, below: toId }, (part) => {
      const counted = counting.get(...values, chargePoint, part.fromId, part.below, left) as BoundedCount
      value += counted.hits
      left -= counted.scanned
      last = counted.last ?? last
      return left === 0 ? undefined : part.fromId
    })
    return { value, isExact: left > 0 || !hasMore(chargePoint, fromId, last) }
  }

  const hasMore = (chargePoint: number, fromId: number, below: number): boolean =>
    prepared(`SELECT 1 ${WINDOW} LIMIT 1`).get(chargePoint, fromId, below) !== undefined

  function* methods(chargePointId: string, fromId: number, toId: number): Steps<readonly MethodCount[]> {
    const chargePoint = chargePointKey(chargePointId)
    if (chargePoint === undefined) return []
    const counts = new Map<string, number>()
    const counting = prepared(methodsSql)
    yield* slices.walk(chargePoint, { fromId, below: toId }, (part) => {
      for (const { method, count } of counting.all(chargePoint, part.fromId, part.below) as MethodCount[]) {
        counts.set(method, (counts.get(method) ?? 0) + count)
      }
      return part.fromId
    })
    return Array.from(counts, ([method, count]) => ({ method, count })).sort(
      (a, b) => b.count - a.count || (a.method < b.method ? -1 : 1),
    )
  }

  return { countCommands: count, commandMethods: methods }
}

interface BoundedCount {
  readonly scanned: number
  readonly hits: number
  readonly last: number | null
}

/** A search in one go: caller, charge point, newest row, page and total (SEARCH-Q14). */
function logPageSteps(
  db: Database,
  { searchCommands, countCommands }: Pick<InSteps<LogReads>, 'searchCommands' | 'countCommands'>,
  stopwatch: Stopwatch,
): InSteps<LogReads>['readLogPage'] {
  const credentialOf = db.prepare<[string], NonNullable<PageOwner['credential']>>(
    `SELECT account_id AS accountId, secret_hash AS secretHash, expires_at AS expiresAt, revoked_at AS revokedAt, scopes
     FROM credentials WHERE id = ?`,
  )
  const accountOf = db.prepare<[string], string>('SELECT account_id FROM charge_points WHERE id = ?').pluck()
  const newestOf = newestCommand(db)

  return function* page(query) {
    const { chargePointId, credential, limit, count, newestId } = query
    const opened = openPage(query, {
      credential: credential && credentialOf.get(credential.id),
      owner: accountOf.get(chargePointId),
      newest: newestId ?? newestOf(chargePointId),
    })
    if (!('asked' in opened)) return opened
    const { asked } = opened
    const window = { fromId: asked.fromId, toId: asked.toId }
    const rows = limit === 0 ? [] : yield* searchCommands(asked)
    if (!count) return { window, rows }
    const startedAt = stopwatch()
    const total = yield* countCommands(asked, count.scanLimit)
    return { window, rows, total, countMs: stopwatch() - startedAt }
  }
}

/** Others' queries come between two parts. */
const PART_MS = 40

interface NetworkRow extends CommandRow {
  readonly chargePointId: string
}

const COLUMNS = `${COMMAND_COLUMNS},
  (SELECT name FROM log_charge_points WHERE key = command.charge_point) AS chargePointId`

const HAS_TEXT = `(command.request LIKE ? ESCAPE '\\' OR command.response LIKE ? ESCAPE '\\'
  OR command.error LIKE ? ESCAPE '\\')`

function networkSteps(db: Database, stopwatch: Stopwatch): Pick<InSteps<LogReads>, 'searchNetwork'> {
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
