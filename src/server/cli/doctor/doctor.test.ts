import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { installationOfEachTest, startCli } from '../../../../test/support/server/cli/testing.ts'
import { commandRow } from '../../../../test/support/server/cli/testing-rows.ts'
import { CERTIFICATES } from '../../../../test/support/sockets/tls.ts'
import { openStore } from '../../../../test/support/storage/testing.ts'
import { secretKeyFile } from '../../../config/secret-key.ts'
import { logIdAt } from '../../../domain/message-log/log-id.ts'
import type { Check } from './doctor-database.ts'

const installation = installationOfEachTest('Depot North')

async function doctor(environment: Record<string, string> = {}): Promise<{ code: number; checks: readonly Check[] }> {
  const { code, out } = await installation.cli(['doctor', '--json'], environment)
  const { healthy, checks } = JSON.parse(out) as { healthy: boolean; checks: readonly Check[] }
  expect(healthy).toBe(code === 0)
  return { code, checks }
}

const found = (checks: readonly Check[], name: string): Check | undefined => checks.find(({ check }) => check === name)

function expectFound(checks: readonly Check[], name: string, status: Check['status'], detail = ''): void {
  expect(found(checks, name)).toMatchObject({ status, detail: expect.stringContaining(detail) })
}

// SERVER-B1: doctor
it('a sound installation: every check ok, exit code 0, also as text', async () => {
  const { code, checks } = await doctor()
  expect(code).toBe(0)
  expect(checks.map(({ check, status }) => `${check} ${status}`)).toEqual(
    ['settings', 'secret key', 'database', 'disk', 'port', 'base URL', 'clock'].map((check) => `${check} ok`),
  )
  expect(found(checks, 'database')?.detail).toContain('synchronous=FULL')
  expect((await installation.cli(['doctor'])).out).toMatch(/^ok +database/m)
})

it('settings that are wrong: all faults, exit code 3', async () => {
  const { code, checks } = await doctor({ PILOTWIRE_PORT: 'x', PILOTWIRE_HOST: '-', PILOTWIRE_PROT: '1' })
  expect(code).toBe(3)
  expect(checks.map(({ status }) => status)).toEqual(['failed', 'failed', 'warning'])
})

it('ALERT-M5: a mail server that cannot be reached is a warning that names it, and never shows the password', async () => {
  const { code, checks } = await doctor({ PILOTWIRE_SMTP_URL: 'smtp://me:hidden@127.0.0.1:9' })
  expect(code).toBe(0)
  expectFound(checks, 'mail', 'warning', '127.0.0.1:9')
  expect(JSON.stringify(checks)).not.toContain('hidden')
})

it('a key file that others can read: warning with the command that repairs it', async () => {
  chmodSync(secretKeyFile(installation.database), 0o644)
  const { code, checks } = await doctor()
  expect(code).toBe(0)
  expectFound(checks, 'secret key', 'warning', 'chmod 600')
})

it('a key file that is gone or damaged: failed', async () => {
  writeFileSync(secretKeyFile(installation.database), 'torn')
  expectFound((await doctor()).checks, 'secret key', 'failed')
  rmSync(secretKeyFile(installation.database))
  const { code, checks } = await doctor()
  expect(code).toBe(1)
  expectFound(checks, 'secret key', 'failed', 'gone')
})

it('SERVER-C4: secrets of the first start that were left in their file: a warning that names it', async () => {
  writeFileSync(`${installation.database}.first-start`, 'Password  x')
  const { code, checks } = await doctor()
  expect(code).toBe(0)
  expectFound(checks, 'first start', 'warning', 'delete it')
})

it('a file that is no database: failed, and not touched', async () => {
  writeFileSync(installation.database, 'this is a letter, not a database '.repeat(100))
  for (const suffix of ['-wal', '-shm']) rmSync(`${installation.database}${suffix}`, { force: true })
  const { code, checks } = await doctor()
  expect(code).toBe(1)
  expectFound(checks, 'database', 'failed', 'not a database')
})

it('a database of an older version: a warning to make a backup; of a newer one: failed', async () => {
  const older = new SqliteDatabase(installation.database)
  older.exec('DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)')
  older.close()
  expectFound((await doctor()).checks, 'database', 'warning', 'make a backup')
  const db = new SqliteDatabase(installation.database)
  db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('later', 8e15)
  db.close()
  expectFound((await doctor()).checks, 'database', 'failed', 'newer version')
})

it('a folder in the place of the database: failed, and no key is missed beside it', async () => {
  const { checks } = await doctor({ PILOTWIRE_DATABASE_URL: `file:${installation.folder}` })
  expectFound(checks, 'database', 'failed', 'folder')
  expectFound(checks, 'secret key', 'ok')
})

it.each([0o555, 0o000])('a folder of mode %o: failed, not a stack and not "will be created"', async (mode) => {
  const closed = join(installation.folder, 'closed')
  mkdirSync(closed)
  chmodSync(installation.folder, 0o755)
  chmodSync(closed, mode)
  const environment = { PILOTWIRE_DATABASE_URL: `file:${join(closed, 'pilotwire.db')}`, PILOTWIRE_PORT: '0' }
  // Root may do anything.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined
  const { code, out, notes } = await startCli(['doctor', '--json'], environment, installation.folder, uid).ended
  expect([code, notes]).toEqual([1, ''])
  const { checks } = JSON.parse(out) as { checks: readonly Check[] }
  expectFound(checks, 'database', 'failed', 'may not write')
})

it('OCPP 3.2: charge points that development left open: in production a warning, also at the start', async () => {
  const production = { PILOTWIRE_MODE: 'production', PILOTWIRE_HOST: '127.0.0.1' }
  const check = 'charge points'
  expectFound((await doctor(production)).checks, check, 'ok')
  await installation.json(['charge-point', 'add', 'EV-1', '--security-profile', '0'])
  const { code, checks } = await doctor(production)
  const detail = expect.stringMatching(/^1 charge point connects without a password.*set-password/)
  expect([code, found(checks, check)]).toEqual([0, { check, status: 'warning', detail }])
  expect(found((await doctor()).checks, check)).toBeUndefined()
  const server = startCli(['serve'], { ...installation.environment, ...production }, installation.folder)
  await server.noted('warning: 1 charge point connects without a password')
  server.process.kill('SIGTERM')
  await server.ended
})

it('a port that something else holds: failed', async () => {
  const other = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const port = String((other.address() as AddressInfo).port)
  const { code, checks } = await doctor({ PILOTWIRE_PORT: port })
  other.close()
  expect(code).toBe(1)
  expectFound(checks, 'port', 'failed', 'PILOTWIRE_PORT')
})

it('a healthy server with a certificate of its own is found; that this machine does not trust it is a warning', async () => {
  const [cert, key] = [join(installation.folder, 'tls.crt'), join(installation.folder, 'tls.key')]
  writeFileSync(cert, CERTIFICATES.first.cert)
  writeFileSync(key, CERTIFICATES.first.key)
  const tls = { PILOTWIRE_TLS_CERT_FILE: cert, PILOTWIRE_TLS_KEY_FILE: key }
  const server = startCli(['serve', '--json'], { ...installation.environment, ...tls }, installation.folder)
  const { port } = new URL((JSON.parse(await server.firstLine) as { url: string }).url)
  const { code, checks } = await doctor({ ...tls, PILOTWIRE_PORT: port })
  server.process.kill('SIGTERM')
  await server.ended
  expect(code).toBe(0)
  expectFound(checks, 'port', 'ok', 'A server is running')
  expectFound(checks, 'base URL', 'warning', 'not trust')
})

it('a base URL with another port than ours: warning', async () => {
  const { checks } = await doctor({ PILOTWIRE_PORT: '18101', PILOTWIRE_BASE_URL: 'http://localhost:18102' })
  expectFound(checks, 'base URL', 'warning')
})

it('a clock behind the newest message: warning', async () => {
  const { core, close } = openStore(installation.database)
  await core.commit([{ chargePointId: 'EV-1', command: commandRow(logIdAt(Date.now() + 3_600_000)) }])
  close()
  expectFound((await doctor()).checks, 'clock', 'warning')
})
