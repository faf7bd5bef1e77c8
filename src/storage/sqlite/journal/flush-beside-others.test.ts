import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import {
  CHARGE_POINTS,
  chargers,
  expectAll,
  flushing,
  pauses,
} from '../../../../test/support/storage/sqlite/journal/flush.ts'
import { loadChargePoint } from '../../../../test/support/storage/testing.ts'
import { connectWriter } from '../files/connection.ts'
import { openSqlite } from '../writer.ts'

const at = flushing()

it('a part that the database refuses leaves all of it waiting, and the next flush does it', async () => {
  const { newest, message } = chargers()
  const { between, goOn } = pauses()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  const flushed = at.server.placing.all(between)
  await goOn()
  const other = connectWriter(at.path)
  other.exec('BEGIN IMMEDIATE')
  const refused = expect(flushed).rejects.toMatchObject({ code: 'storage_busy' })
  await goOn()
  await refused
  expect(at.server.placing.waiting()).toBe(3)
  other.exec('ROLLBACK')
  other.close()
  await at.server.placing.all()
  await expectAll(at.killed(), newest)
})

it('STORE-J4: a flush takes away no row of another process', async () => {
  const { newest, message } = chargers()
  await at.server.core.commit([message('CP1')])
  const tool = openSqlite(at.path)
  // The tool has put the server's row in place; its own comes when the table is empty.
  await tool.core.commit([message('CP2')])
  await at.server.placing.all()
  const left = at.killed()
  tool.close()
  await expectAll(left, newest)
})

it('CONSOLE-A3: energy that another process put in place is counted by nobody again', async () => {
  const { newest, message } = chargers()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  // The tool puts in place what the server still has in memory, the first versions of what comes next.
  openSqlite(at.path).close()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  const { between, goOn, count } = pauses()
  const flushed = at.server.placing.all(between)
  await goOn()
  openSqlite(at.path).close()
  await at.server.core.commit([message('CP3')])
  while (count() > 0) await goOn()
  await flushed
  await at.server.placing.all()
  await expectAll(at.killed(), newest)
})

it('CONSOLE-A3: energy of a part that the database refused is counted with the next one', async () => {
  const { newest, message } = chargers()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  const other = connectWriter(at.path)
  other.exec(`CREATE TRIGGER refusing BEFORE INSERT ON energy_slots BEGIN SELECT raise(FAIL, 'no'); END`)
  await expect(at.server.placing.all()).rejects.toThrow()
  expect(at.server.placing.waiting()).toBe(3)
  other.exec('DROP TRIGGER refusing')
  other.close()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  await at.server.placing.all()
  await expectAll(at.killed(), newest)
})

it('a journal of a version that said what came on top is put in place, what its marks speak of only once', async () => {
  const { newest, message } = chargers()
  await at.server.core.commit([message('CP1')])
  await at.server.core.commit([message('CP1'), message('CP2')])
  // Of that version's flush: the charge point is in place, its rows stay.
  await at.server.placing.ofChargePoint('CP1')
  const left = at.killed()
  const db = new SqliteDatabase(left)
  const rows = db.prepare<[], { readonly id: number; readonly documents: string }>('SELECT id, documents FROM journal')
  const changed = rows.all().map(({ id, documents }) => [onTop(documents), id] as const)
  const update = db.prepare('UPDATE journal SET documents = ? WHERE id = ?')
  for (const row of changed) update.run(...row)
  db.close()
  expect(changed.filter(([text]) => text.includes('"added"'))).toHaveLength(1)
  await expectAll(left, newest)
})

function onTop(documents: string): string {
  return JSON.stringify(JSON.parse(documents), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('ends' in value)) return value
    const { ends, ...rest } = value as { readonly ends: Readonly<Record<string, readonly [number, unknown]>> }
    return { ...rest, added: Object.fromEntries(Object.entries(ends).map(([name, [, end]]) => [name, end])) }
  })
}

it('a journal that an older version left is put in place', async () => {
  const { message } = chargers()
  await at.server.core.commit([message('CP1')])
  const left = at.killed()
  const db = new SqliteDatabase(left)
  db.exec('UPDATE journal SET writer = NULL')
  db.close()
  const next = openSqlite(left)
  expect((await loadChargePoint(next.core, 'CP1'))?.sessions).toHaveLength(1)
  next.close()
})
