import type { Database } from 'better-sqlite3'
import { JUMP_AT_START, LAST_NUMBER, requireSome, usedUp } from '../../rows/numbers.ts'

/** Reserves `count` consecutive numbers durably and returns the first. Throws when int32 is used up. */
export function numberReservation(db: Database): (sequence: string, count: number) => number {
  const find = db.prepare<[string], number>('SELECT next FROM number_sequences WHERE name = ?').pluck()
  const put = db.prepare(
    'INSERT INTO number_sequences (name, next) VALUES (?, ?) ON CONFLICT DO UPDATE SET next = excluded.next',
  )
  const jumped = new Set<string>()

  const reserve = db.transaction((sequence: string, count: number): number => {
    const next = find.get(sequence)
    const first = next === undefined ? 1 : next + (jumped.has(sequence) ? 0 : JUMP_AT_START)
    if (first + count - 1 > LAST_NUMBER) throw usedUp(sequence)
    put.run(sequence, first + count)
    return first
  })
  return (sequence, count) => {
    requireSome(count)
    const first = reserve.immediate(sequence, count)
    jumped.add(sequence)
    return first
  }
}
