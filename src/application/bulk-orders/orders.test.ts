import { randomBytes } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'
import { aConfiguration } from '../../../test/support/records.ts'
import { aChargePoint, aUser } from '../../../test/support/storage-contract/records.ts'
import { hashCredential } from '../../domain/accounts/credentials.ts'
import type { BulkActor, BulkOrder, BulkWhat } from '../../domain/bulk-orders/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Rollouts } from '../rollouts/rollouts.ts'
import type { Asked } from './choose.ts'
import { type BulkContext, type BulkOrders, startBulkOrders } from './orders.ts'

const RESET: BulkWhat = { kind: 'reset', type: 'soft' }
const BY: BulkActor = { kind: 'credential', id: 'cred' }
const KEY = Buffer.alloc(32, 7)

const core = coresOfTests()
const started: BulkOrders[] = []
afterEach(() => {
  for (const each of started.splice(0)) each.stop()
})

async function prepared(ids: readonly string[] = ['CP1', 'CP2', 'CP3']): Promise<TestCore> {
  const house = await core()
  const { writes } = house.store
  for (const id of ids) {
    await writes.createChargePoint(aChargePoint({ id, accountId: 'account-1', securityProfile: 0, createdAt: 0 }))
  }
  const of = { accountId: 'account-1', createdAt: 0 }
  await writes.createCredential({ ...of, id: 'cred', name: 'ERP', secretHash: hashCredential('x') })
  await writes.createUser(aUser({ ...of, id: 'user', email: 'o@example.com', role: 'operator', passwordHash: '' }))
  return house
}

function aServer(house: TestCore, change: Partial<BulkContext> = {}): BulkOrders {
  const { store, clock } = house
  const log = { error: (_: object, message: string) => house.logged.push({ level: 'error', message }) }
  const rollouts = { act: async () => undefined, rows: async () => [] } as unknown as Rollouts
  const orders = startBulkOrders({
    reads: store.reads,
    writes: store.writes,
    core: house.core,
    rollouts,
    clock,
    random: randomBytes,
    secretKey: KEY,
    log: log as unknown as BulkContext['log'],
    ...change,
  })
  started.push(orders)
  return orders
}

const asked = (change: Partial<Asked> = {}): Asked => ({
  accountId: 'account-1',
  selector: {},
  what: RESET,
  ttlMs: 60_000,
  ...change,
})
const taken = (order: BulkOrder | Refusal): BulkOrder => {
  if ('refused' in order) throw new Error(order.detail)
  return order
}
const stored = (house: TestCore, { id }: BulkOrder) =>
  house.store.reads.getRecord('bulk_orders', { accountId: 'account-1', id })
const rows = (house: TestCore, { id: orderId }: BulkOrder) =>
  house.store.reads.listRecords('bulk_order_rows', { where: { orderId }, limit: 100 })
const isOrdered = (house: TestCore, order: BulkOrder) =>
  expect.poll(async () => (await stored(house, order))?.state).toBe('running')
const lookedAt = async (house: TestCore, order: BulkOrder) => {
  house.clock.advance(1000)
  return (await stored(house, order))?.state
}
const ordered = async (house: TestCore, change: Partial<Asked> = {}, by: BulkActor = BY) => {
  const orders = aServer(house)
  return { orders, order: taken(await orders.order(asked(change), by)) }
}
/** All three have spoken 1.6 here. */
async function booted(house: TestCore, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await house.boot16(id)
}

/** With a charge point that has spoken, and is not there any more. */
async function away(): Promise<TestCore> {
  const house = await prepared(['CP1'])
  await booted(house, 'CP1')
  house.core.closed(1, 1006, '')
  return house
}

it('BULK-B1: has a row for each charge point, and they add up to its total', async () => {
  const house = await prepared()
  await booted(house, 'CP1', 'CP2')
  const { orders, order } = await ordered(house, { selector: { ids: ['CP3', 'CP1', 'CP9', 'CP1'] } })
  expect(order.total).toBe(3)
  expect(await orders.countsOf(order)).toEqual({ waiting: 1, refused: 2 })
  expect(await rows(house, order)).toMatchObject([
    { stationId: 'CP1' },
    { stationId: 'CP3', state: 'refused', reason: expect.stringContaining('never connected') },
    { stationId: 'CP9', state: 'refused', reason: 'There is no such charge point.' },
  ])
})

it('BULK-B2: a dry run says who cannot and why, and orders nothing', async () => {
  const house = await prepared()
  await booted(house, 'CP1', 'CP2')
  const orders = aServer(house)
  const what: BulkWhat = { kind: 'command', method: 'GetVariables', request: {} }
  const chosen = await orders.preview(asked({ what }))
  expect(chosen).toMatchObject([
    { id: 'CP1', objection: expect.stringContaining('ocpp1.6 has no such command') },
    { id: 'CP2', objection: expect.any(String) },
    { id: 'CP3', objection: expect.stringContaining('never connected') },
  ])
  expect(await house.store.reads.listRecords('bulk_orders', { where: { accountId: 'account-1' }, limit: 1 })).toEqual(
    [],
  )
})

it('BULK-B1: those that are named are looked up, each once, and only what is shared', async () => {
  const house = await prepared()
  const orders = aServer(house)
  const many = Array.from({ length: 600 }, (_, at) => `NONE${at}`)
  const ids = ['CP3', 'CP1', ...many, 'CP1', 'CP3']
  const labels = { kind: 'label', labels: { ring: 'east' } } as const
  const able = async (change: Partial<Asked>): Promise<readonly string[]> => {
    const chosen = await orders.preview(asked({ what: labels, ...change }))
    if ('refused' in chosen) throw new Error(chosen.detail)
    return chosen.filter(({ objection }) => objection === undefined).map(({ id }) => id)
  }
  expect(await able({ selector: { ids } })).toEqual(['CP1', 'CP3'])
  expect(await able({ selector: { ids }, shared: ['CP3'] })).toEqual(['CP3'])
  expect(await able({ selector: { ids, not: { ids: ['CP1'] } } })).toEqual(['CP3'])
})

it('BULK-B2: without a ttl a reset does not wait for who is away, and a change of availability does', async () => {
  const house = await away()
  house.clock.advance(120_000)
  const orders = aServer(house)
  expect(await orders.preview(asked({ ttlMs: undefined }))).toMatchObject([
    { objection: expect.stringContaining('give a ttl') },
  ])
  expect(await orders.preview(asked())).toEqual([{ id: 'CP1', objection: undefined }])
  const what: BulkWhat = { kind: 'availability', available: false }
  expect(await orders.preview(asked({ what, ttlMs: undefined }))).toEqual([{ id: 'CP1', objection: undefined }])
})

it('BULK-B3: goes on where a server died that had stored it, and each charge point has its part once', async () => {
  const house = await prepared()
  await booted(house, 'CP1', 'CP2', 'CP3')
  let isFull = true
  const decideBlock: BulkContext['core']['decideBlock'] = async (order) =>
    isFull && order.chargePointId === 'CP2'
      ? { refused: true, status: 503, code: 'not_stored', detail: 'The disk is full.' }
      : house.core.decideBlock(order)
  const first = aServer(house, { core: { ...house.core, decideBlock } })
  const order = taken(await first.order(asked(), BY))
  await expect.poll(() => house.logged.some(({ message }) => message.includes('could not go on'))).toBe(true)
  first.stop()
  isFull = false
  const second = aServer(house)
  await expect.poll(async () => (await lookedAt(house, order)) && (await second.countsOf(order)).sent).toBe(3)
  expect(await house.commands('CP1')).toMatchObject([{ method: 'Reset' }, {}])
})

it('BULK-B4: what nobody was there for in time has failed, and the order is done', async () => {
  const house = await away()
  const { order } = await ordered(house)
  await isOrdered(house, order)
  house.clock.advance(60_000)
  await expect.poll(() => lookedAt(house, order)).toBe('done')
  expect(await rows(house, order)).toMatchObject([{ state: 'failed', reason: 'it was not connected in time' }])
})

it('BULK-B4: labels are merged at once, also of who is not accepted', async () => {
  const house = await prepared(['CP1'])
  const { orders, order } = await ordered(house, { what: { kind: 'label', labels: { site: 'North' } } })
  await expect.poll(() => lookedAt(house, order)).toBe('done')
  expect(await orders.countsOf(order)).toEqual({ done: 1 })
  expect((await house.store.reads.findChargePoint('CP1'))?.labels).toEqual({ site: 'North' })
})

it('BULK-B4: a configuration that names its charge points gets these as well', async () => {
  const house = await prepared(['CP1', 'CP2'])
  const keys16 = [{ key: 'HeartbeatInterval', value: '60' }]
  const open = aConfiguration('heartbeat', { keys16, selector: { ids: ['CP2'] } })
  await house.store.writes.putRecords('configurations', [open, { ...open, name: 'acme', selector: { vendor: 'Acme' } }])
  const { orders, order } = await ordered(house, { what: { kind: 'configuration', name: 'heartbeat' } })
  await expect.poll(() => lookedAt(house, order)).toBe('done')
  const key = { accountId: 'account-1', name: 'heartbeat' }
  const after = await house.store.reads.getRecord('configurations', key)
  expect(after).toMatchObject({ revision: 2, selector: { ids: ['CP2', 'CP1'] } })
  expect(await orders.preview(asked({ what: { kind: 'configuration', name: 'acme' } }))).toMatchObject([
    { objection: expect.stringContaining('does not name them by id') },
    {},
  ])
  expect(await orders.preview(asked({ what: { kind: 'configuration', name: 'gone' } }))).toMatchObject({
    status: 400,
  })
})

it.each([
  ['revoked', { kind: 'credential', id: 'cred' }, 'the API credential was revoked'],
  ['viewer', { kind: 'user', id: 'user' }, 'the user who ordered it may not operate charge points any more'],
] as const)('BULK-B6: %s in the middle ends the rest with that reason', async (_, by, reason) => {
  const house = await away()
  const { order } = await ordered(house, {}, by)
  await isOrdered(house, order)
  const { writes } = house.store
  if (by.kind === 'credential') await writes.revokeCredential('account-1', 'cred', house.clock.now())
  else await writes.changeUser('account-1', 'user', { role: 'viewer' })
  await expect.poll(() => lookedAt(house, order)).toBe('cancelled')
  expect(await rows(house, order)).toMatchObject([{ state: 'cancelled', reason }])
  expect(await stored(house, order)).toMatchObject({ reason })
})

it('BULK-B4: cancelled, what waits is not sent; a second time it is over', async () => {
  const house = await away()
  const { orders, order } = await ordered(house)
  await isOrdered(house, order)
  expect(await orders.cancel(order)).toMatchObject({ state: 'cancelled' })
  expect(await orders.countsOf(order)).toEqual({ cancelled: 1 })
  expect(await orders.cancel(order)).toMatchObject({ status: 409, code: 'bulk_order_over' })
  const station = await house.boot16('CP1')
  expect(station.frames.some((frame) => frame[2] === 'Reset')).toBe(false)
})

it('BULK-B2: a secret in it is sealed in the database', async () => {
  const house = await prepared(['CP1'])
  await booted(house, 'CP1')
  const orders = aServer(house)
  const request = { key: 'AuthorizationKey', value: 'the-very-new-password' }
  const what: BulkWhat = { kind: 'command', method: 'ChangeConfiguration', request }
  const order = taken(await orders.order(asked({ what }), BY))
  expect([order.isSealed, order.what.includes('very-new')]).toEqual([true, false])
  expect(orders.whatOf(order)).toEqual(what)
  await expect.poll(async () => (await rows(house, order))[0]?.state).toBe('sent')
})
