import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase, rowsOf } from './databases.ts'
import { connect, type NodeProcess, type Socket, startNode } from './node.ts'

const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' }

let database: PostgresDatabase
const nodes: NodeProcess[] = []
const sockets: Socket[] = []
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.end()
  for (const node of nodes.splice(0)) node.process.kill('SIGKILL')
  await database.drop()
})
const start = async (name: string): Promise<NodeProcess> => {
  const node = await startNode(database.url, name)
  nodes.push(node)
  return node
}
const open = async (node: NodeProcess, identity: string): Promise<Socket> => {
  const socket = await connect(node, identity)
  sockets.push(socket)
  return socket
}
const listed = async (node: NodeProcess, credential: string | undefined) =>
  (await node.get('/2/nodes', credential)).body.data as readonly Readonly<Record<string, unknown>>[]
const stateOf = async (node: NodeProcess, credential: string | undefined, name: string): Promise<unknown> =>
  (await listed(node, credential)).find((one) => one.name === name)?.state

it('STORE-N9: each has a name that no other live one has; they are listed with what is connected to them', async () => {
  const one = await start('one')
  const two = await start('two')
  const { credential } = one
  await expect(start('one')).rejects.toThrow('PILOTWIRE_NODE_NAME')
  sockets.push(await connect(two, 'CP1'))
  await expect
    .poll(() => listed(one, credential))
    .toMatchObject([
      { name: 'one', connections: 0, state: 'live' },
      { name: 'two', connections: 1, state: 'live' },
    ])
  expect((await one.get('/2/nodes')).status).toBe(401)
  expect(await two.kill('SIGTERM')).toBe(0)
  expect(await stateOf(one, credential, 'two')).toBe('fenced')
  // The name is free at once, and the slot is used again.
  await start('two')
  expect(await listed(one, credential)).toHaveLength(2)
  expect(await rowsOf(database.url, `SELECT slot FROM nodes WHERE name <> '' ORDER BY slot`)).toHaveLength(2)
})

it('STORE-I1, STORE-N8: one that connects elsewhere is closed where it was within five seconds; ids rise and carry the slot', async () => {
  const [one, two] = [await start('one'), await start('two')]
  const first = await open(one, 'CP1')
  expect(await first.call('BootNotification', BOOT)).toMatchObject({ 0: 3 })
  expect(await first.call('Heartbeat', {})).toMatchObject({ 0: 3 })
  const second = await open(two, 'CP1')
  expect(await second.call('Heartbeat', {})).toMatchObject({ 0: 3 })
  expect(await first.closed).toEqual({ code: 1000, reason: 'replaced' })
  const third = await open(one, 'CP1')
  // What the loser still sends is not answered and not stored.
  second.send('Heartbeat', {})
  expect(await third.call('Heartbeat', {})).toMatchObject({ 0: 3 })
  expect(await second.closed).toEqual({ code: 1000, reason: 'replaced' })
  const rows = await rowsOf<{ slot: number }>(
    database.url,
    'SELECT (id % 64)::int AS slot FROM commands WHERE direction = 0 ORDER BY id',
  )
  const slots = await rowsOf<{ name: string; slot: string }>(database.url, 'SELECT name, slot FROM nodes')
  const slotOf = (name: string): number => Number(slots.find((one) => one.name === name)?.slot)
  expect(rows.map(({ slot }) => slot)).toEqual([slotOf('one'), slotOf('one'), slotOf('two'), slotOf('one')])
})

it('STORE-N10: a node that was paused too long finds itself replaced, closes its sockets and begins anew', async () => {
  const [one, two] = [await start('one'), await start('two')]
  const { credential } = one
  const idle = await open(one, 'CP1')
  await idle.call('BootNotification', BOOT)
  one.process.kill('SIGSTOP')
  await expect.poll(() => stateOf(two, credential, 'one')).toBe('fenced')
  one.process.kill('SIGCONT')
  expect((await idle.closed).code).toBe(1012)
  await expect.poll(() => stateOf(two, credential, 'one')).toBe('live')
  await expect.poll(async () => (await one.get('/readyz')).status).toBe(200)
  expect(await (await open(one, 'CP1')).call('Heartbeat', {})).toMatchObject({ 0: 3 })
})
