/** A PostgreSQL database as the target of a copy: table by table, in transactions that record their progress. */

import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Cell, CopiedRow, CopyReport, CopySource, CopyTarget, CopyWork, Extent } from '../../copy/ports.ts'
import { DatabaseRefused } from '../../storage-error.ts'
import { type PostgresAddress, storageError } from '../connection/address.ts'
import { inTransaction } from '../connection/pool.ts'
import { Session } from '../connection/session.ts'
import { toDatabase } from '../connection/text.ts'
import { ALIVE } from '../functions/group.ts'
import { COPIES, migrate } from '../migrate.ts'
import { makePartitions, weekOf } from '../partitions.ts'
import { openPostgresReader } from '../reader.ts'
import { pause } from '../writer.ts'
import { type CopiedTable, copiedTables, TAKEN_OVER } from './copied-table.ts'

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

/** Where a copy stands: a table of the target that, while it exists, keeps others out (migrate.ts `requireWhole`). */
interface Mark {
  /** Of the target's last row; 0: none. */
  readonly place: number
  readonly rows: number
}

type Extents = ReadonlyMap<string, Extent>

/** @throws DatabaseRefused when the target is not empty, or was begun from another source or another state of it */
async function beginOrGoOn(
  session: Session,
  shown: string,
  source: CopySource,
  extents: Extents,
): Promise<ReadonlyMap<string, Mark>> {
  const there = await session.value<boolean>('SELECT to_regclass($1) IS NOT NULL', [COPIES])
  if (!there) await begin(session, shown, source, extents)
  const { rows } = await session.rows<Mark & Extent & { readonly name: string }>(
    `SELECT name, place, rows_done AS rows, rows_all AS "rowsAll", last FROM ${COPIES}`,
  )
  const marks = rows as unknown as readonly (Mark & { name: string; rowsAll: number; last: number })[]
  const salt = metaOf(source).find(([name]) => name === 'log_salt')?.[1]
  const isSame =
    salt === (await session.value<string>(`SELECT value FROM meta WHERE name = 'log_salt'`)) &&
    marks.length === extents.size &&
    marks.every(({ name, rowsAll, last }) => extents.get(name)?.rows === rowsAll && extents.get(name)?.last === last)
  if (!isSame) {
    throw new DatabaseRefused(
      `${shown} holds an unfinished copy of another database, or ${source.shown} was changed since it began: make the target anew (DROP DATABASE, CREATE DATABASE) and copy again.`,
    )
  }
  return new Map(marks.map(({ name, place, rows: done }) => [name, { place, rows: done }]))
}

async function begin(session: Session, shown: string, source: CopySource, extents: Extents): Promise<void> {
  const filled = copiedTables().map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM "${name}")`)
  const data = await session.rows<{ name: string }>(filled.join(' UNION ALL '))
  if (data.rows.length > 0) {
    throw new DatabaseRefused(
      `${shown} holds an installation already (there are rows in ${data.rows.map(({ name }) => name).join(', ')}): name an empty database.`,
    )
  }
  const node = await session.value<string>(`SELECT name FROM nodes AS n WHERE ${ALIVE} LIMIT 1`)
  if (node !== undefined) {
    throw new DatabaseRefused(`A Pilotwire server (${node}) uses ${shown}: stop it before the copy begins.`)
  }
  await inTransaction(session, async () => {
    await session.run(`CREATE TABLE ${COPIES} (name text COLLATE "C" PRIMARY KEY, place bigint NOT NULL,
      rows_done bigint NOT NULL, rows_all bigint NOT NULL, last bigint NOT NULL)`)
    for (const [name, { rows, last }] of extents) {
      await session.rows(`INSERT INTO ${COPIES} VALUES ($1, 0, 0, $2, $3)`, [name, rows, last])
    }
    // The same salt: public ids and cursors stay the same.
    await session.run(`DELETE FROM ${TAKEN_OVER} WHERE name <> 'event_base'`)
    for (const [name, value] of metaOf(source)) {
      await session.rows(`INSERT INTO ${TAKEN_OVER} (name, value) VALUES ($1, $2)`, [name, toDatabase(value)])
    }
  })
}

function metaOf(source: CopySource): readonly (readonly [name: string, value: string])[] {
  return [...source.rowsAfter(TAKEN_OVER, ['name', 'value'], 0)].map(([, name, value]) => [String(name), String(value)])
}

async function keepMark(session: Session, table: string, { place, rows }: Mark): Promise<void> {
  await session.rows(`UPDATE ${COPIES} SET place = $2, rows_done = $3 WHERE name = $1`, [table, place, rows])
}

/** Whether the target equals the source: rows, bounds and checksums of every table. */
const ROWS_A_TURN = 1_000

interface Sums {
  readonly rows: number
  readonly least: Cell
  readonly greatest: Cell
  readonly checksum: string
}

/** @throws DatabaseRefused naming the tables that differ, and how */
async function verify(
  session: Session,
  shown: string,
  source: CopySource,
  report: (rows: number) => void,
): Promise<void> {
  const wrong: string[] = []
  let before = 0
  for (const table of copiedTables()) {
    // The server works on its rows while this process reads the others.
    const [target, ours] = await Promise.all([
      sumsOfTarget(session, table),
      sumsOfSource(source, table, (rows) => report(before + rows)),
    ])
    before += ours.rows
    const members = (['rows', 'least', 'greatest', 'checksum'] as const).filter((name) => target[name] !== ours[name])
    if (members.length > 0) {
      wrong.push(`${table.name} (${members.map((name) => `${name} ${ours[name]} and ${target[name]}`).join(', ')})`)
    }
  }
  if (wrong.length === 0) return
  throw new DatabaseRefused(
    `${shown} does not hold what ${source.shown} holds: ${wrong.join('; ')}. Make the target anew (DROP DATABASE, CREATE DATABASE) and copy again.`,
  )
}

async function sumsOfTarget(session: Session, { sumStatement }: CopiedTable): Promise<Sums> {
  const { rows } = await session.arrays(sumStatement)
  const [count, least, greatest, checksum] = rows[0] as [number, Cell, Cell, string]
  return { rows: count, least, greatest, checksum }
}

async function sumsOfSource(source: CopySource, table: CopiedTable, report: (rows: number) => void): Promise<Sums> {
  let rows = 0
  let checksum = 0n
  // Of 48 bits each: their sum stays exact in a number.
  let part = 0
  for (const row of source.rowsAfter(table.name, table.sourceColumns, 0)) {
    part += table.sum(table.values(row))
    rows++
    if (rows % 16 === 0) {
      checksum += BigInt(part)
      part = 0
    }
    if (rows % ROWS_A_TURN === 0) {
      report(rows)
      await setImmediate()
    }
  }
  const { least, greatest } = source.bounds(table.name, table.boundColumn)
  return { rows, least, greatest, checksum: String(checksum + BigInt(part)) }
}
