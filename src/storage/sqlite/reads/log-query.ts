/** A query of the log for SQLite: its rows, and the filter as a condition. */
import type { Database } from 'better-sqlite3'
import type { CommandQuery } from '../../../domain/ports/storage.ts'
import { type FilterSql, filterSql } from './filter-sql.ts'

export interface LogQuery extends FilterSql {
  readonly chargePoint: number
}

interface LogQueries {
  readonly chargePointKey: (chargePointId: string) => number | undefined
  /** Undefined when no row can match. */
  readonly translate: (query: CommandQuery) => LogQuery | undefined
}

export function logQueries(db: Database): LogQueries {
  const chargePoint = db.prepare<[string], number>('SELECT key FROM log_charge_points WHERE name = ?').pluck()
  const method = db.prepare<[string], number>('SELECT key FROM log_methods WHERE name = ?').pluck()
  return {
    chargePointKey: (id) => chargePoint.get(id),
    translate: ({ chargePointId, filter }) => {
      const key = chargePoint.get(chargePointId)
      const translated = filterSql(filter, (name) => method.get(name))
      return key === undefined || !translated ? undefined : { chargePoint: key, ...translated }
    },
  }
}

export function belowOf({ toId, belowId }: CommandQuery): number {
  return Math.min(toId, belowId ?? toId)
}

/** The newest row that a search of this charge point can find. */
export function newestCommand(db: Database): (chargePointId: string) => number | undefined {
  const newest = db
    .prepare<[string], number>(
      `SELECT id FROM commands_search WHERE charge_point = (SELECT key FROM log_charge_points WHERE name = ?)
       ORDER BY id DESC LIMIT 1`,
    )
    .pluck()
  return (chargePointId) => newest.get(chargePointId)
}
