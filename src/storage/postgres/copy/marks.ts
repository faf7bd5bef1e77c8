/** Where a copy stands: a table of the target that, while it exists, keeps others out (migrate.ts `requireWhole`). */

import type { CopySource, Extent } from '../../copy/ports.ts'
import { DatabaseRefused } from '../../storage-error.ts'
import { inTransaction } from '../connection/run-work.ts'
import type { Session } from '../connection/session.ts'
import { toDatabase } from '../connection/text.ts'
import { ALIVE } from '../functions/group.ts'
import { COPIES } from '../migrate.ts'
import { copiedTables, TAKEN_OVER } from './copied-table.ts'

export interface Mark {
  /** Of the target's last row; 0: none. */
  readonly place: number
  readonly rows: number
}

export type Extents = ReadonlyMap<string, Extent>

/** @throws DatabaseRefused when the target is not empty, or was begun from another source or another state of it */
export async function beginOrGoOn(
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

export async function keepMark(session: Session, table: string, { place, rows }: Mark): Promise<void> {
  await session.rows(`UPDATE ${COPIES} SET place = $2, rows_done = $3 WHERE name = $1`, [table, place, rows])
}
