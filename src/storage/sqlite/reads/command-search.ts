/** Every filter combination is bounded scans of `commands_search` (SEARCH-Q11), then the page's rows by id. */

import type { Database } from 'better-sqlite3'
import type { LogReads, Reads } from '../../../domain/ports/storage.ts'
import type { Command } from '../../../domain/ports/storage-records.ts'
import type { InSteps, Steps } from '../../../threads/turns.ts'
import { COMMAND_COLUMNS, type CommandRow, readCommand } from '../../rows/command-row.ts'
import { belowOf, logQueries, newestCommand, partReader } from './part-rows.ts'
import type { Part, Slices } from './slices.ts'

type Search = Pick<Reads, 'findCommand' | 'oldestCommandId' | 'newestCommandId' | 'greatestCommandId'>

/** Rows of a page per step. */
const READ_ROWS = 128

export function pageSteps(db: Database, slices: Slices): InSteps<LogReads>['searchCommands'] {
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

export function singleCommands(db: Database): Search {
  const { chargePointKey } = logQueries(db)
  const find = db.prepare<[number, number], CommandRow>(
    `SELECT ${COMMAND_COLUMNS} FROM commands AS command WHERE id = ? AND charge_point = ?`,
  )
  const oldest = db
    .prepare<[number], number>('SELECT id FROM commands_search WHERE charge_point = ? ORDER BY id LIMIT 1')
    .pluck()
  const newest = newestCommand(db)
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
    newestCommandId: async (chargePointId) => newest(chargePointId),
    greatestCommandId: async () => greatest.get() ?? 0,
  }
}
