/** Numbers that are handed out once and never again, whatever happens to the process or its backup (SESSION-A3). */
import type { Database } from 'better-sqlite3'

/** Room for what was handed out after the backup that is now being restored was made. */
const JUMP_AT_START = 10_000
/** OCPP 1.6 transactionId and 2.0.1 remoteStartId are positive int32. */
const LAST_NUMBER = 2 ** 31 - 1

/** Reserves `count` consecutive numbers durably and returns the first. Throws when int32 is used up. */
export type ReserveNumbers = (sequence: string, count: number) => number

export function numberReservation(db: Database): ReserveNumbers {
  const find = db.prepare<[string], number>('SELECT next FROM number_sequences WHERE name = ?').pluck()
  const put = db.prepare(
    'INSERT INTO number_sequences (name, next) VALUES (?, ?) ON CONFLICT DO UPDATE SET next = excluded.next',
  )
  const jumped = new Set<string>()

  const reserve = db.transaction((sequence: string, count: number): number => {
    const next = find.get(sequence)
    const first = next === undefined ? 1 : next + (jumped.has(sequence) ? 0 : JUMP_AT_START)
    if (first + count - 1 > LAST_NUMBER) {
      throw new Error(
        `The sequence ${sequence} is used up: no number may be given twice and ${LAST_NUMBER} is the last.`,
      )
    }
    put.run(sequence, first + count)
    return first
  })
  return (sequence, count) => {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`Cannot reserve ${count} numbers: ask for 1 or more.`)
    const first = reserve.immediate(sequence, count)
    jumped.add(sequence)
    return first
  }
}
