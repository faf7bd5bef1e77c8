/** A PostgreSQL database as the target of a copy: table by table, in transactions that record their progress. */
import { isDeepStrictEqual } from 'node:util'
import type { CopiedRow, CopyReport, CopySource, CopyTarget, CopyWork } from '../../copy/ports.ts'
import { DatabaseRefused } from '../../storage-error.ts'
import type { PostgresAddress } from '../connection/address.ts'
import { storageError } from '../connection/failures.ts'
import { inTransaction } from '../connection/run-work.ts'
import { Session } from '../connection/session.ts'
import { COPIES, migrate } from '../migrate.ts'
import { makePartitions, weekOf } from '../partitions.ts'
import { openPostgresReader } from '../reader.ts'
import { pause } from '../writer.ts'
import { type CopiedTable, copiedTables } from './copied-table.ts'
import { beginOrGoOn, type Extents, keepMark, type Mark } from './marks.ts'
import { verify } from './verify.ts'

/** Per transaction: a kill costs a second of copying. */
const ROWS_AT_ONCE = 20_000
const CHARACTERS_AT_ONCE = 32 * 1024 * 1024
const PIECE_CHARACTERS = 128 * 1024
const SESSIONS_REBUILT = 20
const COPY_LOCK = 0x70696c6f77

/** Later events are behind the copied ones, which are all settled (migration 0000). */
const EVENTS_FROM_HERE = `INSERT INTO meta (name, value)
  SELECT 'event_base', ((max(position) / 4096) + 1) * 4096 FROM events HAVING max(position) IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`

const NUMBERED = `SELECT table_name::text AS name, column_name::text AS column FROM information_schema.columns
  WHERE table_schema = current_schema() AND is_identity = 'YES'`

export async function postgresCopyTarget(address: PostgresAddress, now: number): Promise<CopyTarget> {
  const { shown } = address
  const session = await opened(address)
  return {
    shown,
    copyFrom: async (source, work) => {
      try {
        return await copyFrom(session, address, source, work, now)
      } catch (error) {
        throw storageError(error, shown)
      }
    },
    close: () => session.end(),
  }
}

async function opened(address: PostgresAddress): Promise<Session> {
  try {
    return await Session.open(address)
  } catch (error) {
    throw storageError(error, address.shown)
  }
}

async function copyFrom(
  session: Session,
  address: PostgresAddress,
  source: CopySource,
  work: CopyWork,
  now: number,
): Promise<CopyReport> {
  const { shown } = address
  // Held by this connection until it ends for whatever reason.
  if (!(await session.value<boolean>('SELECT pg_try_advisory_lock($1)', [COPY_LOCK]))) {
    throw new DatabaseRefused(`Another copy into ${shown} is running: wait for its end.`)
  }
  await migrate(session, shown, { now, pause })
  const extents: Extents = new Map(copiedTables().map(({ name }) => [name, source.extentOf(name)]))
  const total = sum([...extents.values()].map(({ rows }) => rows))
  const marks = await beginOrGoOn(session, shown, source, extents)
  const rowsBefore = sum([...marks.values()].map(({ rows }) => rows))

  let done = rowsBefore
  work.report({ phase: 'copy', rows: done, total })
  for (const table of copiedTables()) {
    await copyTable(session, source, table, marks.get(table.name) ?? { place: 0, rows: 0 }, now, (rows) => {
      done += rows
      work.report({ phase: 'copy', rows: done, total })
    })
  }
  await goOnCounting(session, source)
  await verify(session, shown, source, (rows) => work.report({ phase: 'verify', rows, total }))
  const rebuilt = await compareSample(address, source, work)
  await session.run('ANALYZE')
  await session.run(`DROP TABLE ${COPIES}`)
  return { tables: copiedTables().length, rows: total, rowsBefore, rebuilt }
}

async function copyTable(
  session: Session,
  source: CopySource,
  table: CopiedTable,
  from: Mark,
  now: number,
  report: (rows: number) => void,
): Promise<void> {
  const rows = source.rowsAfter(table.name, table.sourceColumns, from.place)
  const weeks = new Set<number>()
  let mark = from
  let waiting = rows.next()
  try {
    while (!waiting.done) {
      if (table.name === 'commands') await makeWeek(session, weeks, waiting.value, now)
      const begun = mark
      let characters = 0
      /** A piece of whole rows; undefined at the end of the transaction, or before a week without a partition. */
      const next = (): string | undefined => {
        let piece = ''
        while (!waiting.done && piece.length < PIECE_CHARACTERS) {
          if (mark.rows - begun.rows >= ROWS_AT_ONCE || characters + piece.length >= CHARACTERS_AT_ONCE) break
          if (table.name === 'commands' && !weeks.has(weekOf(waiting.value[0]))) break
          piece += table.line(table.values(waiting.value))
          mark = { place: waiting.value[0], rows: mark.rows + 1 }
          waiting = rows.next()
        }
        characters += piece.length
        return piece === '' ? undefined : piece
      }
      await inTransaction(session, async () => {
        await session.copyIn(table.copyStatement, next)
        await keepMark(session, table.name, mark)
      })
      report(mark.rows - begun.rows)
    }
  } finally {
    rows.return?.()
  }
}

/** The place of a log row is its id, which says its week. */
async function makeWeek(session: Session, weeks: Set<number>, [id]: CopiedRow, now: number): Promise<void> {
  if (weeks.has(weekOf(id))) return
  await makePartitions(session, now, [id])
  weeks.add(weekOf(id))
}

/** Later numbers and places are behind all earlier ones. */
async function goOnCounting(session: Session, source: CopySource): Promise<void> {
  await session.run(EVENTS_FROM_HERE)
  const { rows } = await session.rows<{ name: string; column: string }>(NUMBERED)
  for (const { name, column } of rows) {
    const known = copiedTables().find((table) => table.name === name)
    if (!known) continue
    const greatest = (await session.value<number | null>(`SELECT max("${column}") FROM "${name}"`)) ?? 0
    const last = Math.max(greatest, source.lastNumber(name))
    if (last > 0) await session.rows(`SELECT setval(pg_get_serial_sequence($1, $2), $3)`, [name, column, last])
  }
}

async function compareSample(address: PostgresAddress, source: CopySource, { rebuild }: CopyWork): Promise<number> {
  const sample = source.sampleOfSessions(SESSIONS_REBUILT)
  const before = await source.openReads()
  try {
    const after = await openPostgresReader(address, 'also unfinished')
    try {
      for (const id of sample) {
        const both = [before.reads, after] as const
        const [stored, copied] = await Promise.all(both.map((reads) => reads.findSession(id)))
        const [decided, decidedAgain] = await Promise.all(both.map((reads) => rebuild(reads, id)))
        if (isDeepStrictEqual(stored, copied) && isDeepStrictEqual(decided, decidedAgain)) continue
        throw new DatabaseRefused(
          `The session ${id} is not the same in ${address.shown}: keep ${source.shown} and report this.`,
        )
      }
    } finally {
      await after.close()
    }
  } finally {
    await before.close()
  }
  return sample.length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
