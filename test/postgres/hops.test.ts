import { afterEach, beforeEach, expect, it } from 'vitest'
import { startOf } from '../station.ts'
import { emptyDatabase, type PostgresDatabase, rowsOf } from './databases.ts'
import { connect, type NodeProcess, type Socket, startNode } from './node.ts'

const NODES = ['one', 'two', 'three']
const STATIONS = 8
const CHARGES = 4
const READINGS = 5

let database: PostgresDatabase
let nodes: NodeProcess[]
beforeEach(async () => {
  database = await emptyDatabase()
  nodes = []
  for (const name of NODES) nodes.push(await startNode(database.url, name))
})
afterEach(async () => {
  for (const node of nodes) node.process.kill('SIGKILL')
  await database.drop()
})

/** A charge point whose network changes the node at every second message, and leaves the old connection open. */
function hopping(identity: string) {
  const sockets: Socket[] = []
  let calls = 0
  const hop = async (): Promise<Socket> => {
    const node = nodes[(sockets.length + identity.length) % nodes.length] as NodeProcess
    const socket = await connect(node, identity)
    sockets.push(socket)
    return socket
  }
  return {
    /** A message whose connection ends before its answer is sent again. */
    async ask(action: string, payload: object): Promise<Readonly<Record<string, unknown>>> {
      for (;;) {
        const last = sockets.at(-1)
        if (last && calls % 2 === 1) last.send(action, payload)
        const socket = last && calls++ % 2 === 0 ? last : await hop()
        const answer = await Promise.race([socket.call(action, payload), socket.closed.then(() => undefined)])
        if (answer?.[0] === 3) return answer[2] as Readonly<Record<string, unknown>>
      }
    },
    end(): void {
      for (const socket of sockets) socket.end()
    },
  }
}

async function charges(identity: string, nth: number): Promise<readonly [string, number]> {
  const { ask, end } = hopping(identity)
  await ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const at = (): string => new Date().toISOString()
  const meterStart = 1_000 * nth
  const start = startOf({ idTag: `CARD-${identity}-${nth}`, meterStart })
  const { transactionId } = await ask('StartTransaction', start)
  let meter = meterStart
  for (let reading = 0; reading < READINGS; reading++) {
    meter += 100 + reading + nth
    const sampledValue = [{ value: String(meter) }]
    await ask('MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp: at(), sampledValue }] })
  }
  await ask('StopTransaction', { transactionId, meterStop: meter, timestamp: at() })
  end()
  return [`${identity} ${transactionId}`, (meter - meterStart) * 1000]
}

const identityOf = (n: number): string => `CP${n}`.padEnd(3 + (n % 3), '-')

/** What the API answers while `isOver` is false: to one charge point after the other, at one node after the other. */
async function orders(isOver: () => boolean): Promise<ReadonlySet<number>> {
  const answers = new Set<number>()
  const headers = { authorization: `Bearer ${nodes[0]?.credential}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ method: 'ClearCache', request: {}, ttl: 5 })
  for (let nth = 0; !isOver(); nth++) {
    const path = `/2/evse-controllers/${identityOf(nth % STATIONS)}/commands`
    const { status } = await fetch(`${nodes[nth % nodes.length]?.url}${path}`, { method: 'POST', headers, body })
    answers.add(status)
  }
  return answers
}

it('STORE-N8, STORE-M1: charges of charge points that go from node to node and leave messages behind are whole, each of them once, and orders follow them', async () => {
  for (let n = 0; n < STATIONS; n++) await charges(identityOf(n), 0)
  let isOver = false
  const answers = orders(() => isOver)
  const done = await Promise.all(
    Array.from({ length: STATIONS }, async (_, n) => {
      const of: (readonly [string, number])[] = []
      for (let nth = 1; nth <= CHARGES; nth++) of.push(await charges(identityOf(n), nth))
      return of
    }),
  )
  isOver = true
  // So many may wait for one.
  expect([...(await answers)].filter((status) => status !== 429)).toEqual([202])
  const rows = await rowsOf<{ key: string; energy: number }>(
    database.url,
    `SELECT s.charge_point_id || ' ' || t.transaction_id AS key, s.energy_milli_wh::float8 AS energy
       FROM sessions AS s JOIN transactions AS t ON t.session_id = s.id
       WHERE s.state = 'completed' AND s.id_token NOT LIKE '%-0'`,
  )
  const byKey = (a: readonly [string, number], b: readonly [string, number]): number => (a[0] < b[0] ? -1 : 1)
  expect(rows.map(({ key, energy }) => [key, energy] as const).sort(byKey)).toEqual(done.flat().sort(byKey))
})
