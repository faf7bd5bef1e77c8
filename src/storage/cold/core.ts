/** What the cores of both engines ask in the same words. */
import type { CoreStore, UnacceptedChargePoint } from '../../domain/ports/storage.ts'
import { recordReads } from './records.ts'
import { all, type Dialect, type Operations, type Run, value } from './work.ts'

export function coreReads({ caseless, greatest, numberMember, textMember }: Dialect) {
  const unaccepted = `SELECT id AS "id", account_id AS "accountId",
      ${greatest('created_at', `coalesce(${numberMember('document', 'lastSeenAt')}, 0)`)} AS "seenAt"
    FROM charge_points LEFT JOIN charge_point_statuses ON charge_point_id = id
    WHERE registration_status = 'Pending' AND password_hash IS NULL AND security_profile = 1 AND name IS NULL
      AND ${textMember('document', 'bootedAt')} IS NULL`
  return {
    defaultAccountId: () => value<string>('SELECT id FROM accounts ORDER BY created_at, id LIMIT 1'),
    unacceptedChargePoints: () => all<UnacceptedChargePoint>(unaccepted),
    identityIgnoringCase: (id) =>
      value<string>(`SELECT id FROM charge_points WHERE ${caseless('id')} = ${caseless('?')}`, [id]),
    listRecords: recordReads.listRecords as Operations<Pick<CoreStore, 'listRecords'>>['listRecords'],
  } satisfies Partial<Operations<CoreStore>>
}

// Numbers assigned once and never again, whatever happens to the process or its backup (SESSION-A3).

/** Room for numbers assigned after a backup that is restored. */
const JUMP_AT_START = 10_000
/** OCPP 1.6 transactionId and 2.0.1 remoteStartId are positive int32. */
const LAST_NUMBER = 2 ** 31 - 1

/** One statement: concurrent callers wait for the row. Numbers reserved in vain are skipped. */
const RESERVE = `INSERT INTO number_sequences AS s (name, next) VALUES (@sequence, 1 + CAST(@count AS bigint))
  ON CONFLICT (name) DO UPDATE SET next = s.next + CAST(@jump AS bigint) + CAST(@count AS bigint)
    WHERE s.next + CAST(@jump AS bigint) + CAST(@count AS bigint) - 1 <= ${LAST_NUMBER}
  RETURNING next - CAST(@count AS bigint) AS first`

export function numberReservation(run: Run): CoreStore['reserveNumbers'] {
  const jumped = new Set<string>()
  return async (sequence, count) => {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`Cannot reserve ${count} numbers: ask for 1 or more.`)
    const jump = jumped.has(sequence) ? 0 : JUMP_AT_START
    const first = await run(() => value<number>(RESERVE, { sequence, count, jump }))
    if (first === undefined || first + count - 1 > LAST_NUMBER) {
      throw new Error(
        `The sequence ${sequence} is used up: no number may be given twice and ${LAST_NUMBER} is the last.`,
      )
    }
    jumped.add(sequence)
    return first
  }
}
