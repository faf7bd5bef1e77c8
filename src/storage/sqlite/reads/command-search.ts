/**
 * The log's search: every filter combination is bounded scans of `commands_search` that together are the window (Q11),
 * then the rows of the page by id.
 */
import type { Database } from 'better-sqlite3'
import type { Steps } from '../../../threads/turns.ts'
import type { Command, CommandCount, MethodCount, Reads } from '../../store.ts'
import { COMMAND_COLUMNS, type CommandRow, readCommand } from '../command-row.ts'
import { belowOf, logQueries } from './log-query.ts'
import type { Part, Slices } from './slices.ts'
import { statementCache } from './statements.ts'

type Search = Pick<Reads, 'findCommand' | 'oldestCommandId' | 'greatestCommandId'>

/** Queries in steps of a few milliseconds. */
export interface SearchSteps {
  searchCommands(...query: Parameters<Reads['searchCommands']>): Steps<readonly Command[]>
  countCommands(...query: Parameters<Reads['countCommands']>): Steps<CommandCount>
  commandMethods(...query: Parameters<Reads['commandMethods']>): Steps<readonly MethodCount[]>
}

export const WINDOW = 'FROM commands_search WHERE charge_point = ? AND id >= ? AND id < ?'

/** The page's rows newest first; the subquery alone decides which. */
export const pageSql = (where: string, columns = COMMAND_COLUMNS): string =>
  `SELECT ${columns} FROM (${hitsSql(where)}) AS hit
   CROSS JOIN commands AS command ON command.id = hit.id ORDER BY hit.id DESC`

/** Their ids alone. */
export const hitsSql = (where: string): string => `SELECT id ${WINDOW} AND ${where} ORDER BY id DESC LIMIT ? OFFSET ?`

/** Of a page in memory before the next step. */
const READ_ROWS = 128

export function pageSteps(db: Database, slices: Slices): SearchSteps['searchCommands'] {
  const prepared = statementCache(db)
  const { translate } = logQueries(db)

  return function* search(query) {
    const translated = translate(query)
    if (!translated) return []
    const { chargePoint, where, values } = translated
    const isFiltered = where !== '1'
    const page = prepared(pageSql(where))
    const hits = prepared(hitsSql(where)).pluck()
    const rows: Command[] = []
    let skip = query.offset ?? 0

    /** How many hits of a part there are to skip is not known before they are read. */
    const skipHits = ({ fromId, below }: Part): number => {
      const skipped = hits.all(chargePoint, fromId, below, ...values, skip, 0) as number[]
      const isThrough = skipped.length < skip
      skip -= skipped.length
      return isThrough ? fromId : (skipped.at(-1) ?? fromId)
    }
    const readRows = ({ fromId, below }: Part): number | undefined => {
      const wanted = Math.min(READ_ROWS, query.limit - rows.length)
      const found = page.all(chargePoint, fromId, below, ...values, wanted, skip) as CommandRow[]
      skip = 0
      for (const row of found) rows.push(readCommand(row, query.chargePointId))
      if (rows.length === query.limit) return undefined
      return found.length < wanted ? fromId : found.at(-1)?.id
    }
    const window = { fromId: query.fromId, below: belowOf(query) }
    yield* (isFiltered ? slices.walk : wholeWindow)(chargePoint, window, (part) =>
      isFiltered && skip > 0 ? skipHits(part) : readRows(part),
    )
    return rows
  }
}

/** Where every row is a hit, the rows wanted are the bound of a statement. */
export function* wholeWindow(_: number, window: Part, work: (part: Part) => number | undefined): Steps<void> {
  let below: number | undefined = window.below
  while (below !== undefined && below > window.fromId) {
    below = work({ fromId: window.fromId, below })
    yield
  }
}

export function singleCommands(db: Database): Search {
  const { chargePointKey } = logQueries(db)
  const find = db.prepare<[number, number], CommandRow>(
    `SELECT ${COMMAND_COLUMNS} FROM commands AS command WHERE id = ? AND charge_point = ?`,
  )
  const oldest = db
    .prepare<[number], number>('SELECT id FROM commands_search WHERE charge_point = ? ORDER BY id LIMIT 1')
    .pluck()
  const greatest = db.prepare<[], number | null>('SELECT max(id) FROM commands').pluck()
  return {
    findCommand: async (chargePointId, id) => {
      const chargePoint = chargePointKey(chargePointId)
      const row = chargePoint === undefined ? undefined : find.get(id, chargePoint)
      return row && readCommand(row, chargePointId)
    },
    oldestCommandId: async (chargePointId) => {
      const chargePoint = chargePointKey(chargePointId)
      return chargePoint === undefined ? undefined : oldest.get(chargePoint)
    },
    greatestCommandId: async () => greatest.get() ?? 0,
  }
}
