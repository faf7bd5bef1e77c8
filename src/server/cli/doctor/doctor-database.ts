import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Settings } from '../../../config/config.ts'
import { databasePath, isPostgres, localFolder } from '../../../config/database-path.ts'
import { isoTime } from '../../../domain/iso-time.ts'
import { logIdTime } from '../../../domain/message-log/log-id.ts'
import type { Reads } from '../../../domain/ports/storage.ts'
import type { DatabaseHealth } from '../../../storage/database.ts'
import { databaseAt } from '../../../storage/open.ts'
import { visible } from '../../visible-text.ts'
import { openChargePoints } from '../output/serve-text.ts'

const MEBIBYTE = 1024 * 1024
/** A busy installation writes some hundred MiB a day: a day's notice, and a reserve in which nothing can be stored. */
const DISK_WARNING_BYTES = 1024 * MEBIBYTE
const DISK_FAILURE_BYTES = 100 * MEBIBYTE
/** The log's ids never step back, so a newest row ahead of the clock means that the clock did. */
const CLOCK_TOLERANCE_MS = 60_000
/** No installation can run before this program was written. */
const EARLIEST_MS = Date.UTC(2026, 0, 1)

export async function checkDatabaseFile(settings: Settings): Promise<Check> {
  const { ok, warning, failed } = findings('database')
  if (isPostgres(settings.databaseUrl)) return checkServer(settings.databaseUrl)
  const path = databasePath(settings.databaseUrl)
  const locked = notWritable(path)
  if (locked !== undefined) {
    return failed(`This user may not write to ${locked}: run this as the user of the server, or change the rights.`)
  }
  if (!existsSync(path)) return ok(`Will be created at ${path} on the first start.`)
  try {
    const { integrity, synchronous, journalMode, bytes, older } = await databaseAt(settings.databaseUrl).check()
    if (integrity !== 'ok') {
      return failed(`${path} is damaged (${integrity}): stop the server and restore a backup.`)
    }
    if (older) {
      const detail = `${path} was written by an older version: make a backup, the next start brings it up to date and there is no way back.`
      return warning(detail)
    }
    const size = `${(bytes / MEBIBYTE).toFixed(1)} MiB`
    if (synchronous === undefined) {
      return warning(`${path} has no write-ahead log yet (${journalMode}): the next start turns it on.`)
    }
    return ok(`${path}, ${size}, sound, journal_mode=${journalMode}, synchronous=${synchronous}.`)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

/** The file, and the folder, in which SQLite keeps its companions. */
function notWritable(path: string): string | undefined {
  const folder = nearestFolder(dirname(path))
  return [folder, ...(existsSync(path) ? [path] : [])].find((place) => {
    try {
      accessSync(place, constants.W_OK | (place === folder ? constants.X_OK : constants.R_OK))
      return false
    } catch {
      return true
    }
  })
}

export function checkDisk(settings: Settings): Check {
  const { ok, warning, failed } = findings('disk')
  const folder = nearestFolder(localFolder(settings.databaseUrl))
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const detail = `${Math.floor(free / MEBIBYTE)} MiB free at ${folder}.`
  if (free < DISK_FAILURE_BYTES) return failed(`${detail} Free some, or messages cannot be stored.`)
  if (free < DISK_WARNING_BYTES) return warning(`${detail} Free some, or shorten PILOTWIRE_RETENTION_DAYS.`)
  return ok(detail)
}

/** Only what this machine knows: a clock that was set back is seen by the newest row of the log. */
export async function checkClock(settings: Settings, now: number): Promise<Check> {
  const { ok, warning, failed } = findings('clock')
  const shown = isoTime(now)
  if (now < EARLIEST_MS) return failed(`The clock says ${shown}: set it, preferably by NTP.`)
  const newest = await readQuietly(settings.databaseUrl, (reads) => reads.greatestCommandId())
  if (newest && logIdTime(newest) > now + CLOCK_TOLERANCE_MS) {
    const row = isoTime(logIdTime(newest))
    return warning(`The clock says ${shown}, the newest message was stored at ${row}: one of them is wrong.`)
  }
  return ok(`${shown}.`)
}

/** What a sound database says; undefined for any other: the database check has said already what is wrong with it. */
export async function readQuietly<T>(databaseUrl: string, read: (reads: Reads) => Promise<T>): Promise<T | undefined> {
  const database = databaseAt(databaseUrl)
  if (!database.exists()) return undefined
  try {
    const reader = await database.openReader('in place')
    try {
      return await read(reader)
    } finally {
      await reader.close()
    }
  } catch {
    return undefined
  }
}

/** Mostly left from development: otherwise only an operator makes them. */
export async function checkChargePoints(settings: Settings): Promise<Check> {
  const { ok, warning } = findings('charge points')
  const open = await readQuietly(settings.databaseUrl, (reads) => reads.countOpenChargePoints())
  return open ? warning(openChargePoints(open)) : ok('All of them need a password.')
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

export interface Check {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  /** A sentence; where something is wrong it says what to do. */
  readonly detail: string
}

export const findings = (check: string) => {
  const found =
    (status: Check['status']) =>
    (detail: string): Check => ({ check, status, detail })
  return { ok: found('ok'), warning: found('warning'), failed: found('failed') }
}

/** What a PostgreSQL server says of its database, and what of that an operator has to look at (STORE-R6). */
const { ok, warning, failed } = findings('database')
const LONG_TRANSACTION_SECONDS = 60

async function checkServer(databaseUrl: string): Promise<Check> {
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
