import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { installationOfEachTest } from '../../../test/support/server/cli/testing.ts'
import { commandRow } from '../../../test/support/server/cli/testing-rows.ts'
import { databaseIn, openStore } from '../../../test/support/storage/testing.ts'
import { nextLogId } from '../../domain/message-log/log-id.ts'
import type { Store } from '../../storage/database.ts'

const installation = installationOfEachTest('Depot North')

async function fill(writer: Store, groups: number): Promise<number> {
  let last = await writer.core.lastCommandId()
  for (let group = 0; group < groups; group++) {
    const rows = Array.from({ length: 500 }, () => {
      last = nextLogId(last, Date.now())
      return { chargePointId: 'EV-1', command: commandRow(last, { request: `{"x":"${'x'.repeat(1000)}"}` }) }
    })
    await writer.core.commit(rows)
  }
  return last
}

// SERVER-B1: backup
it('makes one sound, self-contained file of mode 0600 and says that the key is not in it', async () => {
  const target = join(installation.folder, 'backup.db')
  const { code, out, notes } = await installation.cli(['backup', target, '--json'])
  expect({ code, out: JSON.parse(out) }).toEqual({
    code: 0,
    out: { file: target, bytes: statSync(target).size, integrity: 'ok' },
  })
  expect(notes).toContain('pilotwire.db.key')
  expect(statSync(target).mode & 0o777).toBe(0o600)
  const copy = await installation.cli(['account', 'list'], { PILOTWIRE_DATABASE_URL: `file:${target}` })
  expect(copy.out).toContain('Depot North')
  expect(readdirSync(installation.folder).filter((name) => name.includes('.part'))).toEqual([])
})

it('copies a database that an older version wrote, before the first start of this one', async () => {
  const target = join(installation.folder, 'before-upgrade.db')
  const db = new SqliteDatabase(installation.database)
  db.exec('DROP TABLE journal; DELETE FROM __drizzle_migrations WHERE rowid > 4')
  db.close()
  expect(await installation.cli(['backup', target])).toMatchObject({ code: 0 })
  expect(new SqliteDatabase(target).prepare('SELECT name FROM accounts').pluck().get()).toBe('Depot North')
})

it('says which of the two files is at fault', async () => {
  const target = join(installation.folder, 'nowhere', 'backup.db')
  expect((await installation.cli(['backup', target])).notes).toBe(
    `error: The folder ${join(installation.folder, 'nowhere')} does not exist: make it first.`,
  )
  const letter = join(installation.folder, 'letter.db')
  writeFileSync(letter, 'this is a letter, not a database '.repeat(100))
  const { notes } = await installation.cli(['backup', join(installation.folder, 'backup.db')], {
    PILOTWIRE_DATABASE_URL: `file:${letter}`,
  })
  expect(notes).toContain(`error: ${letter}: the file is damaged or not a database`)
  const folder = await installation.cli(['account', 'list'], {
    PILOTWIRE_DATABASE_URL: `file:${installation.folder}`,
  })
  expect(folder).toMatchObject({ code: 1, notes: expect.stringContaining('this is a folder; name a file in it') })
})

it('never overwrites, and leaves nothing behind when it fails', async () => {
  const target = join(installation.folder, 'backup.db')
  writeFileSync(target, 'precious')
  expect(await installation.cli(['backup', target])).toMatchObject({
    code: 1,
    notes: expect.stringContaining('exists already'),
  })
  expect(statSync(target).size).toBe(8)
  const nowhere = join(installation.folder, 'no', 'folder', 'backup.db')
  expect(await installation.cli(['backup', nowhere])).toMatchObject({ code: 1 })
  const missing = { PILOTWIRE_DATABASE_URL: `file:${join(installation.folder, 'none.db')}` }
  expect(await installation.cli(['backup', nowhere], missing)).toMatchObject({ code: 1 })
  expect(existsSync(join(installation.folder, 'none.db'))).toBe(false)
})

it('SERVER-E7: a backup took the disk’s last bytes: it leaves the reserve, and says what it needs and what is free', async () => {
  const target = join(installation.folder, 'backup.db')
  const reserve = { PILOTWIRE_DISK_RESERVE: String(1024 ** 4) }
  const { code, notes } = await installation.cli(['backup', target], reserve)
  expect(code).toBe(1)
  const size = statSync(installation.database).size
  const [, needed, kept, folder, free] =
    /needs (\d+) bytes and must leave (\d+) free .* but (.*) has (\d+) bytes free/.exec(notes) ?? []
  expect([Number(needed) >= size, kept, folder]).toEqual([true, String(1024 ** 4), installation.folder])
  expect(Number(free)).toBeGreaterThan(0)
  expect(readdirSync(installation.folder).filter((name) => name.startsWith('backup'))).toEqual([])
  expect(await installation.cli(['backup', target], { PILOTWIRE_DISK_RESERVE: '0' })).toMatchObject({ code: 0 })
})

it('holds one moment while a writer keeps committing, and ends', async () => {
  const target = join(installation.folder, 'backup.db')
  const writer = openStore(installation.database)
  const before = await fill(writer, 20)
  const steps: number[] = []
  let after = before
  const writes: Promise<void>[] = []
  await databaseIn(installation.database).backup(target, ({ copiedPages }) => {
    steps.push(copiedPages)
    writes.push(
      fill(writer, 1).then((last) => {
        after = last
      }),
    )
  })
  await Promise.all(writes)
  writer.close()
  expect(after).toBeGreaterThan(before)
  expect(steps.length).toBeGreaterThan(2)
  expect(steps).toEqual([...steps].sort((a, b) => a - b))
  const copy = databaseIn(target).openReader('in place')
  expect(await copy.greatestCommandId()).toBe(before)
  copy.close()
})
