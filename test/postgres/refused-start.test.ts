/** A start that would harm what is there, or could not keep what is promised: refused in words, exit code 3. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../free-port.ts'
import { partner } from '../house.ts'
import { type Child, startCli, type TestInstallation, testInstallation } from '../support/server/cli/testing.ts'
import { emptyDatabase, type PostgresDatabase, rowsOf, statement } from './databases.ts'
import { poolTransactions } from './transaction-pooler.ts'

let installation: TestInstallation
let database: PostgresDatabase
const children: Child[] = []
beforeEach(async () => {
  installation = testInstallation()
  database = await emptyDatabase()
})
afterEach(async () => {
  for (const { process: child } of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  installation.remove()
  await database.drop()
})

const environment = (key: string, url = database.url): Record<string, string> => ({
  PILOTWIRE_DATABASE_URL: url,
  PILOTWIRE_SECRET_KEY: key,
  PILOTWIRE_LOG_LEVEL: 'silent',
  PILOTWIRE_RATE_API: '0',
  PILOTWIRE_RATE_V2: '0',
  PILOTWIRE_OCPP_REPORTS: 'manual',
})
const newKey = (): string => randomBytes(32).toString('base64')
const serve = async (key: string) => {
  const port = await freePort()
  const base = { PILOTWIRE_PORT: String(port), PILOTWIRE_BASE_URL: `http://localhost:${port}` }
  const child = startCli(['serve', '--json'], { ...environment(key), ...base }, installation.folder)
  children.push(child)
  const { firstStart } = JSON.parse(await child.firstLine) as {
    readonly firstStart?: { readonly credential: string }
  }
  return { port, credential: firstStart?.credential ?? '' }
}
const refusal = async (more: Record<string, string>): Promise<string> => {
  const { code, notes } = await installation.cli(['serve'], { ...more, PILOTWIRE_PORT: '0' })
  expect(code).toBe(3)
  return notes
}

it('STORE-N6: with a key that differs from that of the other nodes, or belongs to another installation', async () => {
  await serve(newKey())
  const before = await rowsOf(database.url, 'SELECT id FROM accounts')
  const other = newKey()
  const notes = await refusal(environment(other))
  expect(notes).toContain('PILOTWIRE_SECRET_KEY')
  expect(notes).toContain('set the one that its other nodes have')
  expect(notes).not.toContain(other)
  expect(await rowsOf(database.url, 'SELECT id FROM accounts')).toEqual(before)
  expect(await refusal({ ...environment('c2hvcnQ='), PILOTWIRE_SECRET_KEY: 'c2hvcnQ=' })).toContain(
    'PILOTWIRE_SECRET_KEY',
  )
})

it('STORE-N6: without the rights, read-only, or behind a pooler in transaction mode', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const pooler = await poolTransactions(database.url, 2)
  expect(await refusal(environment(newKey(), pooler.url))).toContain('pooler in transaction mode')
  await pooler.close()
  await statement(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  expect(await refusal(environment(newKey()))).toContain('default_transaction_read_only')
  const elsewhere = database.url.replace(name, 'postgres')
  await statement(elsewhere, `ALTER DATABASE ${name} RESET default_transaction_read_only`)
  await statement(database.url, `CREATE ROLE stranger_${name} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
  const unaccepted = database.url.replace('pilotwire@', `stranger_${name}:hidden@`)
  const notes = await refusal(environment(newKey(), unaccepted))
  expect(notes).toContain('GRANT CREATE')
  expect(notes).not.toContain('hidden')
  await statement(database.url, `DROP ROLE stranger_${name}`)
})

it('STORE-N5: NUL and halves of surrogate pairs in a message are answered, stored and found as they were sent', async () => {
  const { port, credential } = await serve(newKey())
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ocpp/ODD-1`, 'ocpp1.6')
  await once(socket, 'open')
  const answerTo = async (id: string, text: string): Promise<readonly unknown[]> => {
    socket.send(text)
    for (;;) {
      const [data] = (await once(socket, 'message')) as [Buffer]
      const frame = JSON.parse(data.toString('utf8')) as readonly unknown[]
      if (frame[0] === 3 && frame[1] === id) return frame
    }
  }
  const boot = { chargePointVendor: 'V\0', chargePointModel: 'M\ud800' }
  await answerTo('boot', JSON.stringify([2, 'boot', 'BootNotification', boot]))
  const data = 'before \0 after \ud83d, \udc00 and \ufffe'
  await answerTo('odd', JSON.stringify([2, 'odd', 'DataTransfer', { vendorId: 'odd', data }]))
  const rows = await partner(`http://127.0.0.1:${port}`, credential).rows('ODD-1', { method: ['DataTransfer'] })
  expect(rows).toMatchObject([{ request: { vendorId: 'odd', data } }])
  socket.terminate()
})

it('STORE-N7: a week of the log that somebody took away is made again for the message that needs it', async () => {
  const { port, credential } = await serve(newKey())
  const weeks = await rowsOf<{ name: string }>(
    database.url,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'commands'::regclass`,
  )
  for (const { name } of weeks) await statement(database.url, `DROP TABLE ${name}`)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ocpp/WEEK-1`, 'ocpp1.6')
  await once(socket, 'open')
  socket.send(JSON.stringify([2, 'b', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }]))
  const [data] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(data.toString('utf8'))).toMatchObject([3, 'b', { status: 'Accepted' }])
  expect(await partner(`http://127.0.0.1:${port}`, credential).rows('WEEK-1')).toHaveLength(1)
  socket.terminate()
})
