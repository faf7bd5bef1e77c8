import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, expect, inject, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../free-port.ts'
import { statement } from './databases.ts'
import { isRunning, startServer } from './server.ts'

/** Sends heartbeats one after the other and notes which were answered; connects anew when its socket is closed. */
class Station {
  readonly answered = new Set<string>()
  readonly sent = new Set<string>()
  errors = 0
  readonly closes: string[] = []
  readonly #url: string
  readonly #name: string
  #socket: WebSocket | undefined
  #isOver = false

  constructor(url: string, name: string) {
    this.#url = url
    this.#name = name
    this.#connect()
  }

  stop(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #connect(): void {
    if (this.#isOver) return
    const socket = new WebSocket(`${this.#url}/${this.#name}`, 'ocpp1.6')
    this.#socket = socket
    const next = (): void => {
      const id = `${this.#name} ${this.sent.size}`
      const isFirst = this.sent.size === 0
      this.sent.add(id)
      const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
      socket.send(JSON.stringify([2, id, isFirst ? 'BootNotification' : 'Heartbeat', isFirst ? boot : {}]))
    }
    socket.on('open', next)
    socket.on('message', (data: Buffer) => {
      const [type, id] = JSON.parse(data.toString('utf8')) as [number, string]
      if (type === 2) return
      if (type === 3) this.answered.add(id)
      else this.errors++
      next()
    })
    let fault = ''
    socket.on('error', ({ message }) => {
      fault = message
    })
    socket.on('close', (code, reason) => {
      this.closes.push(`${code} ${reason.toString()}${fault}`)
      if (!this.#isOver) setTimeout(() => this.#connect(), 100)
    })
  }
}

const processes: ChildProcess[] = []
const stations: Station[] = []
const clusters: number[] = []
afterEach(() => {
  for (const station of stations.splice(0)) station.stop()
  for (const process of processes.splice(0)) process.kill('SIGKILL')
  for (const pid of clusters.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGQUIT')
})

const SECRET_KEY = randomBytes(32).toString('base64')

async function serve(
  databaseUrl: string,
  port: number,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const child = spawn(process.execPath, ['dist/main.js', 'serve', '--json'], {
    env: {
      PATH: process.env.PATH,
      PILOTWIRE_DATABASE_URL: databaseUrl,
      PILOTWIRE_SECRET_KEY: SECRET_KEY,
      PILOTWIRE_PORT: String(port),
      PILOTWIRE_BASE_URL: `http://localhost:${port}`,
      PILOTWIRE_LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
  return { url: `ws://127.0.0.1:${port}/ocpp`, process: child }
}

/** How often each of these messages is in the log. */
async function logged(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string; times: string }>(
    'SELECT message_id AS id, count(*) AS times FROM commands WHERE direction = 0 GROUP BY 1',
  )
  await client.end()
  return new Map(rows.map(({ id, times }) => [id, Number(times)]))
}

async function cluster(name: string) {
  const folder = join(inject('postgresFolder'), name)
  const server = await startServer(folder)
  clusters.push(server.pid)
  await statement(server.url, 'CREATE DATABASE killed')
  const port = Number(new URL(server.url).port)
  return { ...server, folder, port, databaseUrl: server.url.replace(/postgres$/, 'killed') }
}

const answers = (): number => stations.reduce((sum, { answered }) => sum + answered.size, 0)

async function untilAnswered(more: number): Promise<void> {
  const desired = answers() + more
  await expect.poll(answers, { interval: 50 }).toBeGreaterThan(desired)
}

async function expectAllOnce(databaseUrl: string): Promise<void> {
  // Before the log is read: what is answered while it is read may not be in what was read.
  const answered = stations.flatMap((station) => [...station.answered])
  const log = await logged(databaseUrl)
  expect(answered.filter((id) => log.get(id) !== 1)).toEqual([])
}

it('STORE-N2: a server that is killed loses nothing that it answered, and nothing is there twice', async () => {
  const { databaseUrl } = await cluster('killed-server')
  const port = await freePort()
  for (let round = 0; round < 3; round++) {
    const server = await serve(databaseUrl, port)
    if (stations.length === 0) for (let n = 0; n < 10; n++) stations.push(new Station(server.url, `CP${n}`))
    await untilAnswered(300)
    server.process.kill('SIGKILL')
    await once(server.process, 'exit')
  }
  await expectAllOnce(databaseUrl)
})

it('STORE-N2: while PostgreSQL restarts stations wait; each message is answered and stored once', async () => {
  const { databaseUrl, port, folder, pid } = await cluster('killed-database')
  const server = await serve(databaseUrl, await freePort())
  for (let n = 0; n < 10; n++) stations.push(new Station(server.url, `CP${n}`))
  let running = pid
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGQUIT'] as const) {
    await untilAnswered(300)
    process.kill(running, signal)
    await expect.poll(() => isRunning(running), { interval: 20 }).toBe(false)
    const again = await startServer(folder, port)
    running = again.pid
    clusters.push(again.pid)
  }
  await untilAnswered(300)
  for (const { errors, closes } of stations) expect({ errors, closes }).toEqual({ errors: 0, closes: [] })
  await expectAllOnce(databaseUrl)
})
