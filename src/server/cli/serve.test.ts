import { once } from 'node:events'
import { fstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type Child,
  startCli,
  type TestInstallation,
  testInstallation,
} from '../../../test/support/server/cli/testing.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import { placeOfSecrets } from './output/show-once.ts'

interface Ready {
  readonly mode: string
  readonly url: string
  readonly baseUrl: string
  readonly ocppUrl: string
  readonly dashboardUrl: string
  readonly firstStart?: { readonly email: string; readonly password?: string; readonly credential: string }
}

let installation: TestInstallation
let children: Child[]
beforeEach(() => {
  installation = testInstallation()
  children = []
})
afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  installation.remove()
})

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Child {
  const child = startCli(args, { ...installation.environment, ...environment }, installation.folder)
  children.push(child)
  return child
}

const ready = async (child: Child): Promise<Ready> => JSON.parse(await child.firstLine) as Ready

it('SERVER-C1: the first start prints where things are and what was generated, once; nothing of it is logged', async () => {
  const first = start(['serve', '--json'], { PILOTWIRE_LOG_LEVEL: 'trace' })
  const { mode, url, ocppUrl, dashboardUrl, firstStart } = await ready(first)
  const { port } = new URL(url)
  expect(mode).toBe('development')
  expect(ocppUrl).toBe(`ws://localhost:${port}/ocpp`)
  expect(dashboardUrl).toBe(`http://localhost:${port}/dashboard`)
  expect(firstStart).toMatchObject({ email: 'admin@localhost', password: expect.any(String) })
  const answer = await fetch(`${url}/2/sessions`, { headers: { authorization: `Bearer ${firstStart?.credential}` } })
  expect(answer.status).toBe(200)
  first.process.kill('SIGTERM')
  const { code, notes } = await first.ended
  expect(code).toBe(0)
  expectTexts(notes, 'development mode: listens on 127.0.0.1', 'PILOTWIRE_BASE_URL')
  for (const secret of [firstStart?.credential, firstStart?.password]) expect(notes).not.toContain(secret)

  const second = start(['serve', '--json'])
  expect(await ready(second)).not.toHaveProperty('firstStart')
  second.process.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
})

it('OCPP-DR5: goes on when whoever read its log has gone', async () => {
  const child = start(['serve', '--json'], { PILOTWIRE_LOG_LEVEL: 'trace' })
  const { url, ocppUrl } = await ready(child)
  child.process.stderr.destroy()
  // Each connection is a line of the log.
  for (let count = 0; count < 3; count++) {
    const socket = new WebSocket(`${ocppUrl}/CP-${count}`, ['ocpp1.6'])
    await once(socket, 'open')
    socket.close()
    await once(socket, 'close')
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
})

it('SERVER-C1: the block for people has dashboard, login, OCPP address, credential and the next command', async () => {
  const child = start(['serve'], {
    PILOTWIRE_ADMIN_EMAIL: 'ops@example.com',
    PILOTWIRE_ADMIN_PASSWORD: 'correct horse',
  })
  await child.firstLine
  child.process.kill('SIGTERM')
  const { out, code } = await child.ended
  expect(code).toBe(0)
  for (const part of ['/dashboard', 'ops@example.com', '/ocpp/<identity>', 'pwk_', 'npm run simulate -- --url ws://'])
    expect(out).toContain(part)
  expect(out).not.toContain('correct horse')
})

it('SERVER-C1, OIDC-X3: secrets are neither in the database nor in the log', async () => {
  const child = start(['serve', '--json'], { PILOTWIRE_LOG_LEVEL: 'trace' })
  const { firstStart } = await ready(child)
  child.process.kill('SIGTERM')
  const { notes } = await child.ended
  const disk = readFileSync(installation.database, 'latin1')
  for (const secret of [firstStart?.credential ?? '-', firstStart?.password ?? '-']) {
    expect(disk).not.toContain(secret)
    expect(notes).not.toContain(secret)
  }
})

it('SERVER-C1: a second server on the same database is refused with a sentence and 1; the first goes on', async () => {
  const first = start(['serve', '--json'])
  const { url } = await ready(first)
  const second = await start(['serve', '--json']).ended
  expect(second).toMatchObject({ code: 1, notes: expect.stringMatching(/Another Pilotwire server .* stop it/) })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

it('SERVER-C1, SERVER-C5: a port in use ends with 1 and a sentence, and nothing was made that nobody saw', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const { code, out, notes } = await start(['serve', '--json'], { PILOTWIRE_PORT: port }).ended
  other.close()
  expect({ code, out, made: readdirSync(installation.folder) }).toEqual({ code: 1, out: '', made: [] })
  expect(notes).toContain(`Port ${port} is in use`)
})

it('SERVER-C1, SERVER-C5: an address that is not of this machine makes nothing, either', async () => {
  const { code, notes } = await start(['serve'], { PILOTWIRE_HOST: '192.0.2.1', PILOTWIRE_MODE: 'production' }).ended
  expect([code, readdirSync(installation.folder)]).toEqual([1, []])
  expect(notes).toContain('192.0.2.1 is no address of this machine')
})

it('SERVER-C1, SERVER-C5: the port is held by our own server: its database says so', async () => {
  const { url } = await ready(start(['serve', '--json']))
  const { notes } = await start(['serve'], { PILOTWIRE_PORT: new URL(url).port }).ended
  expect(notes).toMatch(/Another Pilotwire server \(process \d+\) uses/)
})

it.each([
  ['production', { PILOTWIRE_MODE: 'production', PILOTWIRE_HOST: '127.0.0.1' }],
  ['development that others reach, as in a container', { PILOTWIRE_HOST: '0.0.0.0' }],
])('SERVER-C1, SERVER-C4: %s without a terminal: secrets are in a file of mode 0600', async (_, settings) => {
  const child = start(['serve'], settings)
  await child.firstLine
  child.process.kill('SIGTERM')
  const { out, notes } = await child.ended
  const file = `${installation.database}.first-start`
  expect(out).toContain(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const kept = readFileSync(file, 'utf8')
  const [, password = '-'] = /Password +(\S+)/.exec(kept) ?? []
  const [credential = '-'] = /pwk_\S+/.exec(kept) ?? []
  for (const secret of [password, credential]) expect(out + notes).not.toContain(secret)
})

it('SERVER-C1, SERVER-C4: with a terminal in front of it the block is printed, in any mode', () => {
  const config = { mode: 'production', host: '0.0.0.0' } as const
  expect(placeOfSecrets(config, { environment: {}, outputTerminal: true })).toBe('print')
  expect(placeOfSecrets(config, { environment: {} })).toBe('file')
})

it('SERVER-C1, SERVER-C4: the journal keeps what it is given, also in development; another stream of that name does not count', () => {
  const { dev, ino } = fstatSync(1, { bigint: true })
  const config = { mode: 'development', host: '127.0.0.1' } as const
  expect(placeOfSecrets(config, { environment: { JOURNAL_STREAM: `${dev}:${ino}` } })).toBe('file')
  expect(placeOfSecrets(config, { environment: { JOURNAL_STREAM: '1:2' } })).toBe('print')
})

it('an unreadable database ends with 1 and a sentence', async () => {
  writeFileSync(installation.database, 'this is a letter, not a database '.repeat(100))
  const { code, out, notes } = await start(['serve'], {
    PILOTWIRE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }).ended
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(notes).toMatch(/^error: .*the file is damaged or not a database; restore a backup.*\n$/)
})

it('SERVER-C1: commands work beside the running server, and doctor finds it', async () => {
  const server = start(['serve', '--json'])
  const { url } = await ready(server)
  const { port } = new URL(url)
  expect(await installation.json(['credential', 'create', '--name', 'second'])).toHaveProperty('credential')
  const { checks } = await installation.json(['doctor'], { PILOTWIRE_PORT: port })
  expect(checks).toContainEqual({ check: 'port', status: 'ok', detail: `A server is running on 127.0.0.1:${port}.` })
})

it('SERVER-C1: a .env file is read, and the environment wins over it', async () => {
  writeFileSync(`${installation.folder}/.env`, 'PILOTWIRE_RATE_V1=7\nPILOTWIRE_RATE_V2=8\n')
  const { out } = await start(['config', 'print', '--json'], { PILOTWIRE_RATE_V2: '9' }).ended
  const rows = JSON.parse(out) as { name: string; value: string }[]
  const value = (name: string): string | undefined => rows.find((row) => row.name === name)?.value
  expect([value('PILOTWIRE_RATE_V1'), value('PILOTWIRE_RATE_V2')]).toEqual(['7', '9'])
})

it('SERVER-C1: a reader that closes our output early is no fault', async () => {
  const child = start(['--help'])
  child.process.stdout.destroy()
  expect((await child.ended).code).toBe(0)
})

it('the second signal does not wait for the first one’s orderly end', async () => {
  const child = start(['serve', '--json'])
  const { url } = await ready(child)
  // A request that never ends keeps the orderly stop waiting.
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET /healthz HTTP/1.1\r\n')
  await fetch(`${url}/healthz`)
  child.process.kill('SIGTERM')
  await child.noted('SIGTERM: finishing open work')
  child.process.kill('SIGTERM')
  const { code } = await child.ended
  socket.destroy()
  expect(code).toBe(1)
})
