/** The course of limit groups, thinned to a picture's resolution (CONSOLE-G2). */
import type { Reads } from '../../domain/ports/storage.ts'
import type { Dialect } from './dialect.ts'
import { column, type Operations } from './work.ts'

export function limitMinuteReads({ numberAt }: Dialect) {
  const fullest = ([0, 1, 2] as const).map((phase) => {
    const amps = (list: string): string => `coalesce(${numberAt(list, phase)}, 0)`
    const rank = `row_number() OVER (PARTITION BY CAST((at - @from) / @stepMs AS bigint)
      ORDER BY ${amps('load_amps')} + ${amps('draw_amps')} DESC, at)`
    return `SELECT at FROM (SELECT at, ${rank} AS place FROM limit_minutes
      WHERE account_id = @accountId AND name = @name AND at >= @from AND at < @to) AS ranked WHERE place = 1 ORDER BY at`
  })
  return {
    *listFullestMinutes({ phase, ...query }) {
      return (yield* column<number | string>(fullest[phase] ?? '', { ...query })).map(Number)
    },
  } satisfies Partial<Operations<Reads>>
}
