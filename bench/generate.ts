/** `npm run bench -- generate`: a database with millions of log rows, in minutes, to search in. */
import { existsSync, rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import cliProgress from 'cli-progress'
import { databaseFile } from '../src/storage/open.ts'
import { SEARCH_ENTRY } from '../src/storage/rows/command-row.ts'
import { connectWriter } from '../src/storage/sqlite/files/connection.ts'
import { commandWriter, logNames } from '../src/storage/sqlite/journal/apply-change-set.ts'
import { chargePointId, logRows } from './generate-rows.ts'

export interface GenerateOptions {
  readonly rows: number
  readonly chargePoints: number
  /** Must not exist yet. */
  readonly out: string
}

/** Half a second or so of work. */
const BATCH_ROWS = 50_000
const DAYS = 90
const DAY_MS = 86_400_000
const SEED = 20

/** The log ends now. A file that could not be finished is removed. */
export async function generate({ rows, chargePoints, out }: GenerateOptions): Promise<void> {
  if (existsSync(out)) throw new Error(`${out} exists: name a new file with --out, or delete it.`)
  const toMs = Date.now()
  try {
    await register(out, chargePoints, toMs)
    fillLog(out, { rows, chargePoints, fromMs: toMs - DAYS * DAY_MS, toMs, seed: SEED })
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(out + suffix, { force: true })
    throw error
  }
}

/** The real schema, with an account that owns the charge points. */
async function register(path: string, chargePoints: number, createdAt: number): Promise<void> {
  const { writes, close } = databaseFile(path).openWriter()
  try {
    const accountId = 'bench'
    await writes.createAccount({ id: accountId, name: 'Bench', createdAt })
    for (let number = 0; number < chargePoints; number++) {
      const id = chargePointId(number)
      await writes.createChargePoint({
        id,
        accountId,
        securityProfile: 0,
        registrationStatus: 'Accepted',
        createdAt,
      })
    }
  } finally {
    close()
  }
}

function fillLog(path: string, shape: Parameters<typeof logRows>[0]): void {
  const db = connectWriter(path)
  try {
    // Nothing of this file must survive a power cut before it is complete: a write-ahead log would write it twice.
    // (`OFF` is refused: better-sqlite3 opens files in defensive mode.)
    db.pragma('journal_mode = MEMORY')
    db.pragma('synchronous = OFF')
    db.pragma('cache_size = -262144')
    insertRows(db, shape)
    process.stderr.write('building the search …\n')
    // Sorting all entries at the end is faster than finding each one's place.
    db.exec(`INSERT INTO commands_search SELECT ${SEARCH_ENTRY}
      FROM commands ORDER BY charge_point, id`)
    db.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL')
  } finally {
    db.close()
  }
}

function insertRows(db: Database, shape: Parameters<typeof logRows>[0]): void {
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage} %  {value}/{total} rows  {rate} rows/s  ETA {eta_formatted}',
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
    hideCursor: true,
  })
  const writer = commandWriter(db, logNames(db))
  const rows = logRows(shape)
  const insertBatch = db.transaction(() => {
    for (let inserted = 0; inserted < BATCH_ROWS; inserted++) {
      const { value, done } = rows.next()
      if (done) return inserted
      writer.insert(value)
    }
    return BATCH_ROWS
  })
  const startedAt = performance.now()
  bar.start(shape.rows, 0, { rate: 0 })
  try {
    for (let total = 0; total < shape.rows; ) {
      const inserted = insertBatch()
      if (inserted === 0) return
      total += inserted
      bar.update(total, { rate: Math.round((total / (performance.now() - startedAt)) * 1000) })
      // The work never leaves the thread, so the bar's own timer would not run.
      bar.render()
    }
  } finally {
    bar.stop()
  }
}
