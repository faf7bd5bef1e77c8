import { once } from 'node:events'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCli, type TestInstallation, testInstallation } from '../support/server/cli/testing.ts'
import { filledFile } from '../support/storage/copy/testing.ts'
import { emptyDatabase, type PostgresDatabase, rowsOf } from './databases.ts'

let installation: TestInstallation
let database: PostgresDatabase
beforeEach(async () => {
  installation = testInstallation()
  database = await emptyDatabase()
  await filledFile(installation.database)
})
afterEach(async () => {
  installation.remove()
  await database.drop()
})

it('STORE-C3: a copy that is killed goes on where it was, and both databases are sound', async () => {
  const args = ['database', 'copy', '--from', `file:${installation.database}`, '--to', database.url]
  // What stands in the way of a table in the middle holds the copy there.
  const other = new pg.Client({ connectionString: database.url })
  other.on('error', () => undefined)
  await other.connect()
  await other.query('BEGIN; LOCK TABLE webhook_subscriptions IN EXCLUSIVE MODE')
  const killed = startCli(args, {}, installation.folder)
  await expect.poll(async () => (await rowsOf(database.url, WAITING)).length, { interval: 100 }).toBe(1)
  killed.process.kill('SIGKILL')
  await once(killed.process, 'exit')
  await other.end()
  const report = await installation.json(args)
  expect(report).toMatchObject({ verified: true, rowsOfEarlierRun: expect.any(Number) })
  for (const PILOTWIRE_DATABASE_URL of [`file:${installation.database}`, database.url]) {
    const environment = { PILOTWIRE_DATABASE_URL, PILOTWIRE_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    expect(await installation.json(['database', 'check'], environment)).toMatchObject({ integrity: 'ok' })
  }
})

it('STORE-C4: says what to write where an address is missing or of the wrong engine', async () => {
  const without = await installation.cli(['database', 'copy'])
  expect(without).toMatchObject({ code: 2, notes: expect.stringContaining('--to postgres://') })
  const wrong = await installation.cli(['database', 'copy', '--from', database.url, '--to', database.url])
  expect(wrong).toMatchObject({ code: 2, notes: expect.stringContaining('--from file:') })
})

/** A copy that waits for the lock. */
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND query LIKE 'COPY %'`
