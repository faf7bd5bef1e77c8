/** What `pilotwire doctor` says of the standbys of a real PostgreSQL. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseAt } from '../../src/storage/open.ts'
import { until } from '../house.ts'
import { type TestInstallation, testInstallation } from '../support/server/cli/testing.ts'
import { rowsOf, statement } from './databases.ts'
import { isRunning, startServer } from './server.ts'

interface Report {
  readonly checks: readonly { readonly check: string; readonly status: string; readonly detail: string }[]
}

const folder = (): string => join(inject('postgresFolder'), 'standby')
const running: number[] = []
let installation: TestInstallation
let url: string
let port: number

const stop = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGINT')
  await until(() => !isRunning(pid))
}
const startPrimary = async (at?: number): Promise<number> => {
  const primary = await startServer(`${folder()}-primary`, at)
  running.push(primary.pid)
  url = primary.url.replace(/postgres$/, 'installation')
  port = Number(new URL(primary.url).port)
  return primary.pid
}
const standby = async (): Promise<Report['checks'][number] | undefined> => {
  const PILOTWIRE_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
  const { out } = await installation.cli(['doctor', '--json'], { PILOTWIRE_DATABASE_URL: url, PILOTWIRE_SECRET_KEY })
  return (JSON.parse(out) as Report).checks.find(({ check }) => check === 'standby')
}
const waitFor = (names: string): Promise<void> =>
  statement(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`).then(() =>
    statement(url, 'SELECT pg_reload_conf()'),
  )

beforeAll(async () => {
  installation = testInstallation()
  const first = await startPrimary()
  await statement(url.replace(/installation$/, 'postgres'), 'CREATE DATABASE installation')
  const writer = await databaseAt(url).openWriter()
  await writer.close()
  // A standby is a copy of a server that was at rest, and follows from there.
  await stop(first)
  // With its owner, which is not always this user.
  execFileSync('cp', ['-a', `${folder()}-primary`, `${folder()}-second`])
  writeFileSync(join(`${folder()}-second`, 'data', 'standby.signal'), '')
  await startPrimary(port)
})
afterAll(async () => {
  for (const pid of running) if (isRunning(pid)) process.kill(pid, 'SIGQUIT')
  installation.remove()
})

it('STORE-R5: none, one that nobody waits for, one that commits wait for, and one that is away', async () => {
  expect(await standby()).toMatchObject({ status: 'warning', detail: expect.stringContaining('There is no standby') })

  const second = await startServer(`${folder()}-second`, undefined, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=pilotwire application_name=db2`,
  })
  running.push(second.pid)
  await expect.poll(async () => (await standby())?.detail).toContain('db2 follows without commits')

  // SERVER-D1: what the alerts about standbys look at.
  await expect
    .poll(async () => databaseAt(url).figures())
    .toMatchObject({ standbys: 1, standbyLagBytes: expect.any(Number) })

  await waitFor('db2')
  await expect.poll(async () => (await standby())?.status).toBe('ok')
  await statement(url, 'CREATE TABLE copied (n bigint); INSERT INTO copied VALUES (1)')
  expect(await rowsOf(second.url.replace(/postgres$/, 'installation'), 'SELECT n FROM copied')).toEqual([{ n: '1' }])

  // Its own address is refused: it takes no writes.
  const { hostname, port: secondPort } = new URL(second.url)
  const both = url.replace(`${hostname}:${port}`, `${hostname}:${secondPort},${hostname}:${port}`)
  const writer = await databaseAt(both).openWriter()
  await writer.close()

  // STORE-R6: somebody else's transaction that has written, and does not end.
  const other = new pg.Client({ connectionString: url })
  other.on('error', () => undefined)
  await other.connect()
  const oldest = async () => (await databaseAt(url).figures()).oldestTransactionSeconds
  expect(await oldest()).toBe(0)
  await other.query('BEGIN; INSERT INTO copied VALUES (2)')
  await expect.poll(oldest).toBeGreaterThan(0)
  expect((await databaseAt(url).check()).oldestTransactionSeconds).toBeGreaterThan(0)
  await other.end()
  await expect.poll(oldest).toBe(0)

  // STORE-R6: one that was prepared has no session, and stays until somebody ends it by its name.
  await statement(url, `BEGIN; INSERT INTO copied VALUES (3); PREPARE TRANSACTION 'left behind'`)
  await expect.poll(oldest).toBeGreaterThan(0)
  expect((await databaseAt(url).check()).preparedTransaction).toBe('left behind')
  await statement(url, `ROLLBACK PREPARED 'left behind'`)
  expect(await oldest()).toBe(0)
  expect((await databaseAt(url).check()).preparedTransaction).toBeUndefined()

  await stop(second.pid)
  await expect.poll(async () => (await standby())?.detail).toContain('Commits wait for db2')
  expect((await standby())?.status).toBe('failed')
  await waitFor('')
})
