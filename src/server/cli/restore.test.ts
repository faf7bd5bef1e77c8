import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCli, type TestInstallation, testInstallation } from '../../../test/support/server/cli/testing.ts'
import { databaseIn } from '../../../test/support/storage/testing.ts'

let installation: TestInstallation
let copy: string
beforeEach(async () => {
  installation = testInstallation()
  copy = join(installation.folder, 'copy.db')
  await installation.json(['account', 'create', '--name', 'Depot North'])
  await installation.json(['backup', copy])
  await installation.json(['account', 'create', '--name', 'Later'])
})
afterEach(() => installation.remove())

const accounts = async (environment = {}): Promise<readonly unknown[]> => {
  const { out } = await installation.cli(['account', 'list', '--json'], environment)
  return (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
}

// SERVER-E5: restore
it('puts the backup in the place of the database in one command, and keeps what was there', async () => {
  const { before } = await installation.json(['restore', copy])
  expect(await accounts()).toEqual(['Depot North'])
  expect(statSync(installation.database).mode & 0o777).toBe(0o600)
  expect(await accounts({ PILOTWIRE_DATABASE_URL: `file:${String(before)}` })).toEqual(['Depot North', 'Later'])
  expect(await installation.json(['doctor'])).toMatchObject({ healthy: true })
  expect(readdirSync(installation.folder).filter((name) => /restored|part$/.test(name))).toEqual([])
})

it('a log beside the old database, as a killed server leaves it, is not mixed into the restored one', async () => {
  writeFileSync(`${installation.database}-wal`, 'what is left of another database')
  const { before } = await installation.json(['restore', copy])
  expect(await accounts()).toEqual(['Depot North'])
  expect(await accounts({ PILOTWIRE_DATABASE_URL: `file:${String(before)}` })).toEqual(['Depot North', 'Later'])
})

it('works on a new machine, and says that the key is missing', async () => {
  const fresh = testInstallation()
  const { code, notes } = await fresh.cli(['restore', copy])
  expect([code, existsSync(fresh.database)]).toEqual([0, true])
  expect(notes).toContain('Put the secret key back')
  fresh.remove()
})

it('a database that is damaged is replaced, and kept as it was', async () => {
  writeFileSync(installation.database, 'this is a letter, not a database '.repeat(100))
  const { before } = await installation.json(['restore', copy])
  expect(await accounts()).toEqual(['Depot North'])
  expect(readFileSync(String(before), 'utf8')).toContain('this is a letter')
})

it('is refused while a server runs, and nothing changes', async () => {
  const lock = databaseIn(installation.database).lock()
  const { code, notes } = await installation.cli(['restore', copy])
  lock.release()
  expect([code, await accounts()]).toEqual([1, ['Depot North', 'Later']])
  expect(notes).toMatch(/Another Pilotwire server .* uses/)
})

it.each([
  ['no file', () => undefined, 'There is no file'],
  ['no database', (file: string) => writeFileSync(file, 'a letter '.repeat(1000)), 'damaged or not a database'],
  [
    'another program’s',
    (file: string) => void new SqliteDatabase(file).exec('CREATE TABLE x (y)'),
    'no backup of Pilotwire',
  ],
])('%s is refused in words, and nothing changes', async (_, make, sentence) => {
  const file = join(installation.folder, 'wrong.db')
  make(file)
  const { code, notes } = await installation.cli(['restore', file])
  expect([code, await accounts()]).toEqual([1, ['Depot North', 'Later']])
  expect(notes).toContain(sentence)
})

it('a backup of a newer version, or of another key, is refused', async () => {
  const db = new SqliteDatabase(copy)
  db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('later', 8e15)
  db.close()
  expect((await installation.cli(['restore', copy])).notes).toContain('newer version')
  rmSync(copy)
  await installation.json(['backup', copy])
  const other = { PILOTWIRE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const { code, notes } = await installation.cli(['restore', copy], other)
  expect([code, await accounts()]).toEqual([1, ['Depot North', 'Later']])
  expect(notes).toContain('another secret key')
})

it('a server that starts on it goes on where the backup was', async () => {
  await installation.json(['restore', copy])
  const server = startCli(['serve', '--json'], installation.environment, installation.folder)
  const { url } = JSON.parse(await server.firstLine) as { url: string }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  server.process.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
