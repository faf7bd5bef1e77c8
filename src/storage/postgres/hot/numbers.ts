/** Numbers that are handed out once and never again, whatever happens to the process or its backup (SESSION-A3). */
import type { CoreStore } from '../../../domain/ports/storage.ts'
import type { Session } from '../connection/session.ts'

/** Room for what was handed out after the backup that is now being restored was made. */
const JUMP_AT_START = 10_000
/** OCPP 1.6 transactionId and 2.0.1 remoteStartId are positive int32. */
const LAST_NUMBER = 2 ** 31 - 1

/** One statement: whoever asks at the same time waits for the row. A number that was reserved in vain is left out. */
const RESERVE = `INSERT INTO number_sequences AS s (name, next) VALUES ($1, 1 + $2::bigint)
  ON CONFLICT (name) DO UPDATE SET next = s.next + $3::bigint + $2::bigint
    WHERE s.next + $3::bigint + $2::bigint - 1 <= ${LAST_NUMBER}
  RETURNING next - $2::bigint AS first`

type Ask = <T>(work: (session: Session) => Promise<T>) => Promise<T>

export function numberReservation(ask: Ask): CoreStore['reserveNumbers'] {
  const jumped = new Set<string>()
  return async (sequence, count) => {
    if (!Number.isInteger(count) || count < 1) {
      throw new RangeError(`Cannot reserve ${count} numbers: ask for 1 or more.`)
    }
    const jump = jumped.has(sequence) ? 0 : JUMP_AT_START
    const first = await ask((session) => session.value<number>(RESERVE, [sequence, count, jump]))
    if (first === undefined || first + count - 1 > LAST_NUMBER) {
      throw new Error(
        `The sequence ${sequence} is used up: no number may be given twice and ${LAST_NUMBER} is the last.`,
      )
    }
    jumped.add(sequence)
    return first
  }
}
