import type { Database, Statement } from 'better-sqlite3'
import type { CommandQuery } from '../../../domain/ports/storage-queries.ts'
import { keepNewest } from '../../../limits/keep-newest.ts'
import type { FilterSql } from '../../rows/filter-terms.ts'
import { filterSql, hitsSql, pageSql, rowsSql } from './filter-sql.ts'
import type { Part } from './slices.ts'

/** Few shapes are in use; a client that tries out thousands must not fill the memory. */
const KEPT = 500

export function statementCache(db: Database): (sql: string) => Statement<unknown[]> {
  const kept = new Map<string, Statement<unknown[]>>()
  return (sql) => {
    const found = kept.get(sql)
    if (found) return found
    const made = db.prepare<unknown[]>(sql)
    keepNewest(kept, sql, made, KEPT)
    return made
  }
}

/** @param raw rows as arrays that begin with the id, not as objects */
export function partReader<Row>(db: Database, columns: string, raw: boolean, idOf: (row: Row) => number) {
  const prepared = statementCache(db)
  const hitsOf = ({ chargePoint, where, values }: LogQuery, { fromId, below }: Part, most: number): readonly number[] =>
    prepared(hitsSql(where))
      .pluck()
      .all(chargePoint, fromId, below, ...values, most, 0) as number[]
  const reachedBy = (ids: readonly number[], requested: number, { fromId }: Part): number =>
    ids.length < requested ? fromId : (ids.at(-1) ?? fromId)
  return {
    /**
     * `reached`: how far down it came, for `Slices.walk`. @param requested maximum @param skip only without a filter:
     * what SQLite skips it does not count
     */
    read(query: LogQuery, part: Part, requested: number, skip = 0) {
      const { chargePoint, where, values } = query
      if (where === '1') {
        const page = prepared(pageSql(columns)).raw(raw)
        const rows = page.all(chargePoint, part.fromId, part.below, ...values, requested, skip) as Row[]
        const last = rows.at(-1)
        return { rows, reached: rows.length < requested || last === undefined ? part.fromId : idOf(last) }
      }
      // Most parts have none: the shorter statement takes half as long to begin, and less for each row it passes.
      const ids = hitsOf(query, part, requested)
      const found = ids.length === 0 ? [] : prepared(rowsSql(columns)).raw(raw).all(JSON.stringify(ids))
      return { rows: found as Row[], reached: reachedBy(ids, requested, part) }
    },
    /** How many of the first `most` hits are in the part. */
    skip(query: LogQuery, part: Part, most: number) {
      const ids = hitsOf(query, part, most)
      return { count: ids.length, reached: reachedBy(ids, most, part) }
    },
  }
}

/** A query of the log for SQLite: its rows, and the filter as a condition. */
export interface LogQuery extends FilterSql {
  readonly chargePoint: number
}

export function logQueries(db: Database) {
  const chargePoint = db.prepare<[string], number>('SELECT key FROM log_charge_points WHERE name = ?').pluck()
  const method = db.prepare<[string], number>('SELECT key FROM log_methods WHERE name = ?').pluck()
  return {
    chargePointKey: (id: string) => chargePoint.get(id),
    /** Undefined when no row can match. */
    translate: ({ chargePointId, filter }: CommandQuery): LogQuery | undefined => {
      const key = chargePoint.get(chargePointId)
      const translated = filterSql(filter, (name) => method.get(name))
      return key === undefined || !translated ? undefined : { chargePoint: key, ...translated }
    },
  }
}

export function belowOf({ toId, belowId }: CommandQuery): number {
  return Math.min(toId, belowId ?? toId)
}
