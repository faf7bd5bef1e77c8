/** Three servers on one database behind a balancer, and charge points that charge while a server ends. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/read-settings.ts'
import { sessionSettings } from '../../src/core/core-settings.ts'
import { rebuildSession } from '../../src/core/rebuild/rebuild.ts'
import { databaseAt } from '../../src/storage/open.ts'
import { type Json, partner } from '../house.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import { Balancer } from './balancer.ts'
import { Charger } from './charger.ts'
import { rowsOf } from './databases.ts'
import { connect } from './node.ts'
import { type Nodes, openNodes } from './nodes.ts'

const STATIONS = 12
/** Of each station, those of the time of the faults among them. */
const REBUILT = 10

let installation: Nodes
let balancer: Balancer
let hook: Receiver
let chargers: Charger[]
beforeEach(async () => {
  installation = await openNodes(3)
  balancer = await Balancer.listen(installation.nodes.map(({ port }) => port))
  hook = await startReceiver()
  chargers = []
})
afterEach(async () => {
  for (const charger of chargers) charger.end()
  balancer.close()
  await installation.close()
  await hook.close()
})

const acknowledged = (): number => chargers.reduce((sum, one) => sum + one.acknowledged.size, 0)

async function untilAcknowledged(more: number): Promise<void> {
  const desired = acknowledged() + more
  await expect.poll(acknowledged).toBeGreaterThan(desired)
}

/** Lets all of them charge while `faults` happen, and finish what they began. */
async function chargeDuring(faults: () => Promise<void>): Promise<void> {
  for (let n = 1; n <= STATIONS; n++) chargers.push(new Charger(balancer.ocppUrl, `CP-${n}`))
  let isOver = false
  const charging = Promise.all(chargers.map((charger) => charger.chargeUntil(() => isOver)))
  await untilAcknowledged(STATIONS * 6)
  await faults()
  await untilAcknowledged(STATIONS * 6)
  isOver = true
  await charging
}

async function events(): Promise<readonly Json[]> {
  const { request } = partner(balancer.url, installation.credential)
  const found: Json[] = []
  let after = ''
  for (;;) {
    const { body } = await request('GET', `/2/events?limit=100${after}`)
    found.push(...(body.data as readonly Json[]))
    const { nextCursor } = body.meta as { readonly nextCursor?: string }
    if (nextCursor === undefined || (body.data as readonly Json[]).length === 0) return found
    after = `&after=${nextCursor}`
  }
}

/** Everything that was promised to these stations and to the receiver of webhooks. */
async function expectNothingLost(): Promise<void> {
  const { databaseUrl } = installation
  const rows = await rowsOf<{ id: string }>(
    databaseUrl,
    'SELECT DISTINCT message_id AS id FROM commands WHERE direction = 0',
  )
  const logged = new Set(rows.map(({ id }) => id))
  expect(chargers.flatMap((one) => [...one.acknowledged]).filter((id) => !logged.has(id))).toEqual([])
  expect(chargers.flatMap(({ errors }) => errors)).toEqual([])

  const { request } = partner(balancer.url, installation.credential)
  const reads = await databaseAt(databaseUrl).openReader('all')
  const settings = sessionSettings(
    loadConfig({ PILOTWIRE_SECRET_KEY: Buffer.alloc(32).toString('base64') }, randomBytes).config,
  )
  for (const charger of chargers) {
    const path = `/2/sessions?evseControllerId=${charger.name}&include=details&limit=500`
    const sessions = (await request('GET', path)).body.data as readonly (Json & { readonly details: Json })[]
    const found = sessions.map(({ state, energyKwh, details }) => ({ state, energyKwh, id: details.transactionId }))
    const expected = charger.charges.map(({ transactionId, energyKwh }) => ({
      state: 'completed',
      energyKwh,
      id: String(transactionId),
    }))
    expect(found.reverse()).toEqual(expected)
    for (const { id } of sessions.slice(-REBUILT)) {
      const session = await reads.findSession(String(id))
      if (!session) throw new Error('It is gone.')
      expect((await rebuildSession(reads, session, settings))?.differences).toEqual([])
    }
  }
  await reads.close()

  const charges = chargers.reduce((sum, one) => sum + one.charges.length, 0)
  const feed = await events()
  const stored = await rowsOf<{ id: string; kind: string }>(
    databaseUrl,
    `SELECT id, kind FROM events WHERE type = 'session.updated'`,
  )
  expect(feed.map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id).sort())
  expect(feed.filter(({ data }) => (data as Json).state === 'completed')).toHaveLength(charges)

  // Of figures only the last ones are delivered, so those may be left out that others followed.
  const transitions = stored.filter(({ kind }) => kind === 'transition').map(({ id }) => id)
  const delivered = (): readonly string[] => hook.received.map(({ body }) => String((JSON.parse(body) as Json).id))
  const missing = (): readonly string[] => {
    const there = new Set(delivered())
    return transitions.filter((id) => !there.has(id))
  }
  await expect.poll(missing).toEqual([])
  // Twice only what was on its way when its server ended.
  const once = hook.received.filter(({ headers }) => headers['webhook-attempt'] === '1')
  expect(new Set(once.map(({ body }) => (JSON.parse(body) as Json).id)).size).toBe(once.length)
}

it('STORE-N10: one is killed in the middle of charges: nothing acknowledged is lost, everything is there once', async () => {
  const [one, two, three] = installation.nodes
  if (!one || !two || !three) throw new Error('There are not three.')
  await one.request('POST', '/2/webhooks', { url: hook.url })
  await chargeDuring(async () => {
    await two.kill()
    await untilAcknowledged(STATIONS * 10)
    await expect.poll(() => chargers.every(({ isConnected }) => isConnected)).toBe(true)
    for (const node of [one, three]) {
      for (const { name } of chargers) {
        const order = { method: 'ClearCache', request: {}, wait: 20 }
        const { status, body } = await node.request('POST', `/2/evse-controllers/${name}/commands`, order)
        expect({ status, state: body.status }).toEqual({ status: 200, state: 'success' })
      }
    }
    await expect
      .poll(async () => (await one.request('GET', '/2/nodes')).body.data)
      .toMatchObject([{ state: 'live' }, { name: 'node-2', state: 'fenced' }, { state: 'live' }])
  })
  expect(chargers.map(({ orders }) => orders)).toEqual(chargers.map(() => ['ClearCache', 'ClearCache']))
  await expectNothingLost()
})

it('STORE-N10: one that is paused for longer than its lease answers nothing of what it held: its charge points go on elsewhere, nothing is lost or there twice', async () => {
  const [one, two, three] = installation.nodes
  if (!one || !two || !three) throw new Error('There are not three.')
  await one.request('POST', '/2/webhooks', { url: hook.url })
  const held = await connect(two, 'HELD')
  await held.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const states = async () => (await one.request('GET', '/2/nodes')).body.data
  await chargeDuring(async () => {
    two.process.kill('SIGSTOP')
    await expect.poll(() => balancer.readyCount).toBe(2)
    const heard = held.frames.length
    held.send('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' })
    // Whoever hears nothing connects anew.
    balancer.breakAll()
    await untilAcknowledged(STATIONS * 4)
    await expect.poll(() => chargers.every(({ isConnected }) => isConnected)).toBe(true)
    await expect.poll(states).toMatchObject([{ state: 'live' }, { state: 'fenced' }, { state: 'live' }])
    const elsewhere = await connect(one, 'HELD')
    expect(await elsewhere.call('Heartbeat', {})).toMatchObject({ 0: 3 })
    two.process.kill('SIGCONT')
    expect([1000, 1012]).toContain((await held.closed).code)
    expect(held.frames.slice(heard)).toEqual([])
    await expect.poll(states).toMatchObject([{ state: 'live' }, { state: 'live' }, { state: 'live' }])
    await expect.poll(() => balancer.readyCount).toBe(3)
    expect(await elsewhere.call('Heartbeat', {})).toMatchObject({ 0: 3 })
    elsewhere.end()
  })
  const stored = `SELECT 1 FROM commands WHERE charge_point = (SELECT key FROM log_charge_points WHERE name = 'HELD')
      AND direction = 0 AND method = (SELECT key FROM log_methods WHERE name = 'StatusNotification')`
  expect(await rowsOf(installation.databaseUrl, stored)).toEqual([])
  await expectNothingLost()
})

it('STORE-N12: each is told to stop and started again, one after the other: nothing acknowledged is lost', async () => {
  const [one] = installation.nodes
  await one?.request('POST', '/2/webhooks', { url: hook.url })
  await chargeDuring(async () => {
    for (const index of installation.nodes.keys()) {
      expect(await installation.nodes[index]?.stop()).toBe(0)
      await installation.startAgain(index)
      await expect.poll(() => balancer.readyCount).toBe(3)
      await untilAcknowledged(STATIONS * 4)
    }
  })
  await expectNothingLost()
})
