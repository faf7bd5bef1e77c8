/** All scans of the log, in steps of a few milliseconds (SEARCH-Q12), and the same at once. */

import type { Database } from 'better-sqlite3'
import { addCsvLine, addNdjsonLine } from '../../../domain/message-log/csv.ts'
import { Utf8Text } from '../../../domain/message-log/utf8-text.ts'
import type { LogReads } from '../../../domain/ports/storage.ts'
import type {
  CommandCount,
  CommandQuery,
  ExportChunk,
  MethodCount,
  NetworkLogQuery,
} from '../../../domain/ports/storage-queries.ts'
import type { Command, CommandError } from '../../../domain/ports/storage-records.ts'
import { keepNewest } from '../../../limits/keep-newest.ts'
import { allSteps, type InSteps, type Steps } from '../../../threads/turns.ts'
import { openPage } from '../../cold/log.ts'
import { eachOperation } from '../../operations.ts'
import { COMMAND_COLUMNS, type CommandRow, DIRECTIONS, readCommand, STATUSES } from '../../rows/command-row.ts'
import { type FilterSql, needsRows } from '../../rows/filter-terms.ts'
import { containing, networkPage } from '../../rows/network-page.ts'
import { sqliteDialect, worker } from '../dialect.ts'
import { boundedCountSql, countSql, filterSql, methodsSql, networkHitsSql, rowsSql, WINDOW } from './filter-sql.ts'
import { logSlices, type Part, type Slices, type Stopwatch } from './slices.ts'
import { belowOf, type LogQuery, logQueries, partReader, statementCache } from './statements.ts'

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
  const now = worker(db)

  return function* page(query) {
    const { limit, count } = query
    const opened = now(openPage(sqliteDialect, query))
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

/** Rows of a page per step. */
const READ_ROWS = 128

/** Every filter combination is bounded scans of `commands_search` (SEARCH-Q11), then the page's rows by id. */
function pageSteps(db: Database, slices: Slices): InSteps<LogReads>['searchCommands'] {
  const { translate } = logQueries(db)
  const parts = partReader<CommandRow>(db, COMMAND_COLUMNS, false, ({ id }) => id)

  return function* search(query) {
    const translated = translate(query)
    if (!translated) return []
    const isFiltered = translated.where !== '1'
    const rows: Command[] = []
    let skip = query.offset ?? 0
    const work = (part: Part): number | undefined => {
      if (isFiltered && skip > 0) {
        const { count, reached } = parts.skip(translated, part, skip)
        skip -= count
        return reached
      }
      const requested = Math.min(READ_ROWS, query.limit - rows.length)
      const found = parts.read(translated, part, requested, skip)
      skip = 0
      for (const row of found.rows) rows.push(readCommand(row, query.chargePointId))
      return rows.length === query.limit ? undefined : found.reached
    }
    const window = { fromId: query.fromId, below: belowOf(query) }
    yield* (isFiltered ? slices.walk : wholeWindow)(translated.chargePoint, window, work)
    return rows
  }
}

/** Where every row is a hit, the page's size bounds a statement. */
export function* wholeWindow(_: number, window: Part, work: (part: Part) => number | undefined): Steps<void> {
  let below: number | undefined = window.below
  while (below !== undefined && below > window.fromId) {
    below = work({ fromId: window.fromId, below })
    yield
  }
}

/** Exports as text, written where rows are read: as arrays of what a line needs, 1.7 µs each (objects: 3.2 µs). */
const ADD_LINE = { csv: addCsvLine, ndjson: addNdjsonLine } as const

/** In memory at a time: few enough to be collected young. */
const EXPORTED_ROWS = 100
/** A chunk of large rows ends here, which bounds the memory. */
const FULL_BYTES = 4 * 1024 * 1024

/** Texts kept for the next chunk: exports that take turns fill one each. */
const TEXTS_KEPT = 4

/** @param salt as for `logIdToUuid` */
function exportSteps(db: Database, slices: Slices, salt: bigint): Pick<InSteps<LogReads>, 'exportCommands'> {
  const { translate } = logQueries(db)
  const parts = partReader<ExportRow>(db, EXPORT_COLUMNS, true, ([id]) => id)
  const methods = dictionaryNames(db, 'log_methods')
  const protocols = dictionaryNames(db, 'log_protocols')
  const texts: Utf8Text[] = []

  function* chunk(...[query, format]: Parameters<LogReads['exportCommands']>): Steps<ExportChunk> {
    const translated = translate(query)
    if (!translated) return { text: new Uint8Array(0), rows: 0 }
    const addLine = ADD_LINE[format]
    const text = texts.pop() ?? new Utf8Text()
    let rows = 0
    let lastId: number | undefined
    const write = (part: Part): number | undefined => {
      const found = parts.read(translated, part, Math.min(EXPORTED_ROWS, query.limit - rows))
      for (const row of found.rows) {
        addLine(text, readRow(row, query.chargePointId, methods(row[2]), protocols(row[4])), salt)
      }
      rows += found.rows.length
      const isFull = rows === query.limit || text.byteLength >= FULL_BYTES
      if (!isFull || found.reached <= part.fromId) return found.reached
      lastId = found.reached
      return undefined
    }
    const window = { fromId: query.fromId, below: belowOf(query) }
    try {
      yield* (translated.where === '1' ? wholeWindow : slices.walk)(translated.chargePoint, window, write)
      return { text: text.take(), rows, lastId }
    } finally {
      // A cancelled export leaves its lines behind.
      text.clear()
      if (texts.length < TEXTS_KEPT) texts.push(text)
    }
  }
  return { exportCommands: chunk }
}

const EXPORT_COLUMNS = `command.id, command.direction, command.method, command.message_id, command.protocol,
  command.connector_id, command.evse_id, command.transaction_id, command.status, command.request, command.response,
  command.error, command.answered_at, command.schema_errors`

type ExportRow = readonly [
  id: number,
  direction: number,
  method: number,
  messageId: string,
  protocol: number,
  connectorId: number | null,
  evseId: number | null,
  transactionId: string | null,
  status: number,
  request: string,
  response: string | null,
  error: string | null,
  answeredAt: number | null,
  schemaErrors: string | null,
]

/** A literal with a spread for each optional member takes longer than writing the line. */
function readRow(row: ExportRow, chargePointId: string, method: string, protocol: string): Command {
  const [id, direction, , messageId, , connectorId, evseId, transactionId, status, request] = row
  const [response, error, answeredAt, schemaErrors] = [row[10], row[11], row[12], row[13]]
  return {
    id,
    chargePointId,
    direction: DIRECTIONS[direction] ?? 'in',
    method,
    messageId,
    protocol,
    connectorId: connectorId ?? undefined,
    evseId: evseId ?? undefined,
    transactionId: transactionId ?? undefined,
    status: STATUSES[status] ?? 'dropped',
    request,
    response: response ?? undefined,
    error: error === null ? undefined : (JSON.parse(error) as CommandError),
    answeredAt: answeredAt ?? undefined,
    schemaErrors: schemaErrors ?? undefined,
  }
}

/** Bounds the memory for names that a hostile station invents. */
const REMEMBERED = 10_000

/** The name behind a number of the log, which never changes once a row has it. */
function dictionaryNames(db: Database, table: 'log_methods' | 'log_protocols'): (key: number) => string {
  const find = db.prepare<[number], string>(`SELECT name FROM ${table} WHERE key = ?`).pluck()
  const known = new Map<number, string>()
  return (key) => {
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const name = find.get(key) ?? ''
    keepNewest(known, key, name, REMEMBERED)
    return name
  }
}
