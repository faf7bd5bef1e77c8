import type { CoreStore } from '../../../domain/ports/storage.ts'
import { JUMP_AT_START, LAST_NUMBER, requireSome, usedUp } from '../../rows/numbers.ts'
import type { Session } from '../connection/session.ts'

/** One statement: concurrent callers wait for the row. Numbers reserved in vain are skipped. */
const RESERVE = `INSERT INTO number_sequences AS s (name, next) VALUES ($1, 1 + $2::bigint)
  ON CONFLICT (name) DO UPDATE SET next = s.next + $3::bigint + $2::bigint
    WHERE s.next + $3::bigint + $2::bigint - 1 <= ${LAST_NUMBER}
  RETURNING next - $2::bigint AS first`

type Ask = <T>(work: (session: Session) => Promise<T>) => Promise<T>

export function numberReservation(ask: Ask): CoreStore['reserveNumbers'] {
  const jumped = new Set<string>()
  return async (sequence, count) => {
    requireSome(count)
    const jump = jumped.has(sequence) ? 0 : JUMP_AT_START
    const first = await ask((session) => session.value<number>(RESERVE, [sequence, count, jump]))
    if (first === undefined || first + count - 1 > LAST_NUMBER) throw usedUp(sequence)
    jumped.add(sequence)
    return first
  }
}
