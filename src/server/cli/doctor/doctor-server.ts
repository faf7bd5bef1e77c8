/** What a PostgreSQL server says of its database, and what of that an operator has to look at (STORE-R6). */
import type { DatabaseHealth } from '../../../storage/database.ts'
import { databaseAt } from '../../../storage/open.ts'
import { visible } from '../../visible-text.ts'
import { type Check, findings } from './doctor-check.ts'

const { ok, warning, failed } = findings('database')
const MEBIBYTE = 1024 * 1024
const LONG_TRANSACTION_SECONDS = 60

export async function checkServer(databaseUrl: string): Promise<Check> {
  try {
    const database = databaseAt(databaseUrl)
    return judgeServer(database.shown, await database.check())
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

type ServerHealth = Pick<
  DatabaseHealth,
  'journalMode' | 'synchronous' | 'bytes' | 'older' | 'oldestTransactionSeconds' | 'preparedTransaction'
>

export function judgeServer(shown: string, health: ServerHealth): Check {
  const { journalMode, synchronous, bytes, older, oldestTransactionSeconds = 0, preparedTransaction } = health
  const what = `${shown}, ${(bytes / MEBIBYTE).toFixed(1)} MiB, ${journalMode}, synchronous_commit=${synchronous}`
  if (older) {
    return warning(`${what}: written by an older version; the next start brings it up to date.`)
  }
  if (oldestTransactionSeconds <= LONG_TRANSACTION_SECONDS) return ok(`${what}.`)
  const held =
    preparedTransaction === undefined
      ? `A transaction has been open for ${oldestTransactionSeconds} seconds, which holds back GET /2/events: find it in pg_stat_activity, and set idle_in_transaction_session_timeout.`
      : `A prepared transaction has been open for ${oldestTransactionSeconds} seconds, which holds back GET /2/events until you end it: COMMIT PREPARED or ROLLBACK PREPARED '${visible(preparedTransaction)}' in its database (pg_prepared_xacts).`
  return warning(`${what}. ${held}`)
}
