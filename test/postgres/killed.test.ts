import { join } from 'node:path'
import { afterEach, expect, inject, it } from 'vitest'
import { WebSocket } from 'ws'
import { rowsOf, statement } from './databases.ts'
import { type NodeProcess, startNode } from './node.ts'
import { type Nodes, openNodes } from './nodes.ts'
import { isRunning, startServer } from './server.ts'

const BOOT = {
  'ocpp1.6': { chargePointVendor: 'V', chargePointModel: 'M' },
  'ocpp2.1': { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } },
}
const STREAM = { id: 1, pending: 0, basetime: '2026-01-01T00:00:00Z', data: [{ t: 0, v: '1' }] }

/**
 * Sends heartbeats one after the other and notes which were answered; connects anew when its socket is closed. One of
 * OCPP 2.1 sends a message of type 6 before each, which counts as answered with it.
 */
class Station {
  readonly answered = new Set<string>()
  readonly sent = new Set<string>()
  errors = 0
  readonly closes: string[] = []
  readonly #url: string
  readonly #name: string
  readonly #protocol: keyof typeof BOOT
  #socket: WebSocket | undefined
  #isOver = false

  constructor(url: string, name: string, protocol: keyof typeof BOOT = 'ocpp1.6') {
    this.#url = url
    this.#name = name
    this.#protocol = protocol
    this.#connect()
  }

  stop(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #connect(): void {
    if (this.#isOver) return
    const socket = new WebSocket(`${this.#url}/${this.#name}`, this.#protocol)
    this.#socket = socket
    const next = (): void => {
      const id = `${this.#name} ${this.sent.size}`
      const isFirst = this.sent.size === 0
      this.sent.add(id)
      const call = isFirst ? ['BootNotification', BOOT[this.#protocol]] : ['Heartbeat', {}]
      if (this.#protocol === 'ocpp2.1')
        socket.send(JSON.stringify([6, `${id} stream`, 'NotifyPeriodicEventStream', STREAM]))
      socket.send(JSON.stringify([2, id, ...call]))
    }
    socket.on('open', next)
    socket.on('message', (data: Buffer) => {
      const [type, id] = JSON.parse(data.toString('utf8')) as [number, string]
      if (type === 2) return
      if (type === 3) this.answered.add(id)
      else this.errors++
      if (this.#protocol === 'ocpp2.1') this.answered.add(`${id} stream`)
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

const PROTOCOLS = ['ocpp1.6', 'ocpp2.1'] as const
const VERSIONS = { PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' }

const servers: NodeProcess[] = []
let installation: Nodes | undefined
const stations: Station[] = []
const clusters: number[] = []
afterEach(async () => {
  for (const station of stations.splice(0)) station.stop()
  for (const server of servers.splice(0)) await server.kill('SIGKILL')
  await installation?.close()
  installation = undefined
  for (const pid of clusters.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGQUIT')
})

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
  const rows = await rowsOf<{ id: string; times: number }>(
    databaseUrl,
    'SELECT message_id AS id, count(*)::int AS times FROM commands WHERE direction = 0 GROUP BY 1',
  )
  const log = new Map(rows.map(({ id, times }) => [id, times]))
  expect(answered.filter((id) => log.get(id) !== 1)).toEqual([])
}

it('STORE-N2: a server that is killed loses nothing that it answered, and nothing is there twice', async () => {
  installation = await openNodes(1, VERSIONS)
  const [node] = installation.nodes
  for (let n = 0; n < 10; n++) stations.push(new Station(String(node?.ocppUrl), `CP${n}`, PROTOCOLS[n % 2]))
  for (let round = 0; round < 3; round++) {
    await untilAnswered(400)
    await installation.nodes[0]?.kill()
    await installation.startAgain(0)
  }
  await expectAllOnce(installation.databaseUrl)
})

it('STORE-N2: while PostgreSQL restarts stations wait; each message is answered and stored once', async () => {
  const { databaseUrl, port, folder, pid } = await cluster('killed-database')
  const server = await startNode(databaseUrl, 'one', VERSIONS)
  servers.push(server)
  const ocppUrl = `${server.url.replace('http', 'ws')}/ocpp`
  for (let n = 0; n < 10; n++) stations.push(new Station(ocppUrl, `CP${n}`, PROTOCOLS[n % 2]))
  let running = pid
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGQUIT'] as const) {
    await untilAnswered(400)
    process.kill(running, signal)
    await expect.poll(() => isRunning(running), { interval: 20 }).toBe(false)
    const again = await startServer(folder, port)
    running = again.pid
    clusters.push(again.pid)
  }
  await untilAnswered(400)
  for (const { errors, closes } of stations) expect({ errors, closes }).toEqual({ errors: 0, closes: [] })
  await expectAllOnce(databaseUrl)
})
