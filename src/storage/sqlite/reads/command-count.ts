/** Counts of the log: exact ones of a window, bounded ones of a filter, and those of its methods (SEARCH-Q9). */
import type { Database } from 'better-sqlite3'
import type { CommandCount, CommandQuery, LogReads, MethodCount } from '../../../domain/ports/storage.ts'
import type { InSteps, Steps } from '../../../threads/turns.ts'
import { needsRows } from '../../rows/filter-terms.ts'
import { type LogQuery, logQueries } from './log-query.ts'
import { boundedCountSql, countSql, methodsSql, WINDOW } from './search-sql.ts'
import type { Slices } from './slices.ts'
import { statementCache } from './statements.ts'

export function countSteps(db: Database, slices: Slices): Pick<InSteps<LogReads>, 'countCommands' | 'commandMethods'> {
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
