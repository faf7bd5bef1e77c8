import { expect, it } from 'vitest'
import { BOOT, coresOfTests, START, type TestCore } from '../../../test/support/core/testing.ts'
import { aBulkOrder } from '../../../test/support/records.ts'
import type { BulkOrder, BulkWhat } from '../../domain/bulk-orders/records.ts'

const HOUR = 3600_000
const RESET: BulkWhat = { kind: 'reset', type: 'hard' }

const core = coresOfTests()

async function prepared(): Promise<TestCore> {
  const house = await core()
  const options = {
    accountId: 'account-1',
    securityProfile: 0,
    registrationStatus: 'Accepted',
    createdAt: 0,
  } as const
  for (const id of ['CP1', 'CP2']) await house.store.writes.createChargePoint({ id, ...options })
  return house
}

async function ordered(house: TestCore, id: string, what: BulkWhat, change: Partial<BulkOrder> = {}): Promise<void> {
  const times = { expiresAt: START + HOUR, createdAt: START, updatedAt: START }
  const order = aBulkOrder(id, { accountId: 'account-1', what: JSON.stringify(what), ...times, ...change })
  await house.store.writes.putRecords('bulk_orders', [order])
  const input = { kind: 'bulkOrdered', orderId: id, createdAt: order.createdAt } as const
  expect(await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })).toEqual({})
}

const row = (house: TestCore, orderId = 'b1') =>
  house.store.reads.getRecord('bulk_order_rows', { orderId, stationId: 'CP1' })
const part = (house: TestCore, orderId = 'b1') =>
  house.store.reads.getRecord('bulk_parts', { orderId, chargePointId: 'CP1' })

it.each([
  ['ocpp1.6', 'Hard'],
  ['ocpp2.0.1', 'Immediate'],
] as const)('BULK-B3: %s: waits for its charge point, is sent once, and ends', async (protocol, type) => {
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  expect(await row(house)).toMatchObject({ state: 'waiting' })
  const station = await house.booted('CP1', protocol)
  expect(await station.answered('Reset', { status: 'Accepted' })).toEqual({ type })
  await expect.poll(async () => (await row(house))?.state).toBe('done')
  expect((await row(house))?.commandId).toMatch(/^[0-9a-f-]{36}$/)
  expect(await part(house)).toMatchObject({ state: 'restarting' })
  expect(station.calls('Reset')).toHaveLength(1)
})

it('BULK-B4: what the charge point does not accept has failed, with its word', async () => {
  const house = await prepared()
  const station = await house.boot16('CP1')
  await ordered(house, 'b1', RESET)
  await station.answered('Reset', { status: 'Rejected' })
  await expect.poll(async () => (await row(house))?.state).toBe('failed')
  expect(await row(house)).toMatchObject({ answer: 'Rejected' })
})

it.each([
  ['ocpp1.6', 'Accepted', 38_400],
  ['ocpp2.0.1', 'Scheduled', 3600_000],
] as const)('BULK-B10: %s: a reset says what was answered, and after how long it is back', async (...of) => {
  const [protocol, status, ms] = of
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  const station = await house.booted('CP1', protocol)
  await station.answered('Reset', { status })
  await expect.poll(() => row(house)).toMatchObject({ state: 'done', answer: status })
  expect(await row(house)).not.toHaveProperty('backAfterMs')
  house.core.closed(station.connection)
  house.clock.advance(ms)
  await house.booted('CP1', protocol)
  await expect.poll(() => row(house)).toMatchObject({ state: 'done', answer: status, backAfterMs: ms })
  expect(await part(house)).toBeUndefined()
})

it('BULK-B10: a boot that comes hours after a reset is not taken for its end', async () => {
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  const station = await house.boot16('CP1')
  await station.answered('Reset', { status: 'Accepted' })
  await expect.poll(() => row(house)).toMatchObject({ state: 'done' })
  house.core.closed(station.connection)
  house.clock.advance(HOUR + 1)
  await house.boot16('CP1')
  await expect.poll(() => part(house)).toBeUndefined()
  expect(await row(house)).not.toHaveProperty('backAfterMs')
})

it.each(['boots', 'stays'] as const)('BULK-B5, BULK-B10: a clock put back held up the next: it %s', async (after) => {
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  await ordered(house, 'b2', RESET, { createdAt: START + 1 })
  const station = await house.boot16('CP1')
  await station.answered('Reset', { status: 'Accepted' })
  await expect.poll(() => row(house)).toMatchObject({ state: 'done' })
  house.clock.set(START - HOUR)
  if (after === 'boots') await station.call('BootNotification', BOOT['ocpp1.6'])
  else house.clock.advance(121_000)
  await expect.poll(() => station.calls('Reset')).toHaveLength(2)
  expect(await row(house)).not.toHaveProperty('backAfterMs')
})

it('BULK-B10: a long answer is cut between two characters, and nothing in it is invisible', async () => {
  const house = await prepared()
  const station = await house.boot16('CP1')
  await ordered(house, 'b1', RESET)
  const [, id] = await station.frame((frame) => frame[2] === 'Reset')
  const why = `\u202Eשלום\0 👩‍🔧 ${'🔌'.repeat(300)}`
  station.send(JSON.stringify([4, id, 'InternalError', why, {}]))
  await expect.poll(() => row(house)).toMatchObject({ state: 'failed' })
  const { answer = '' } = (await row(house)) ?? {}
  expect(answer).toMatch(/^InternalError: {2}שלום {2}👩‍🔧 (?:🔌){100,}…$/u)
  expect([...answer]).toHaveLength(200)
})

it('BULK-B4: without an answer it has failed; one that comes late corrects that', async () => {
  const house = await prepared()
  const station = await house.boot16('CP1')
  await ordered(house, 'b1', RESET)
  const [, id] = await station.frame((frame) => frame[2] === 'Reset')
  await expect.poll(async () => (await row(house))?.state).toBe('sent')
  house.clock.advance(30_000)
  await expect.poll(() => row(house)).toMatchObject({ state: 'failed', reason: 'no answer in 30 s' })
  station.send(JSON.stringify([3, id, { status: 'Accepted' }]))
  await expect.poll(async () => (await row(house))?.state).toBe('done')
  expect(await row(house)).not.toHaveProperty('reason')
})

it('BULK-B5: two orders are carried out one after the other, the older one first', async () => {
  const house = await prepared()
  await ordered(house, 'b2', { kind: 'availability', available: false }, { createdAt: START + 1 })
  await ordered(house, 'b1', RESET)
  const station = await house.boot16('CP1')
  const [, id] = await station.frame((frame) => frame[2] === 'Reset')
  expect(station.calls('ChangeAvailability')).toHaveLength(0)
  station.send(JSON.stringify([3, id, { status: 'Accepted' }]))
  await expect.poll(() => row(house)).toMatchObject({ state: 'done' })
  await station.call('BootNotification', BOOT['ocpp1.6'])
  const request = await station.answered('ChangeAvailability', { status: 'Scheduled' })
  expect(request).toEqual({ connectorId: 0, type: 'Inoperative' })
  await expect.poll(async () => (await row(house, 'b2'))?.state).toBe('done')
})

it.each([
  ['that has just accepted one is not reset again before it is back', 'boots'],
  ['that does not restart after it has accepted a reset is asked again two minutes later', 'stays'],
] as const)('BULK-B5: a charge point %s', async (_, after) => {
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  await ordered(house, 'b2', RESET, { createdAt: START + 1 })
  const station = await house.boot16('CP1')
  await station.answered('Reset', { status: 'Accepted' })
  await expect.poll(() => row(house)).toMatchObject({ state: 'done' })
  house.clock.advance(119_000)
  await station.call('Heartbeat', {})
  expect(station.calls('Reset')).toHaveLength(1)
  expect(await row(house, 'b2')).toMatchObject({ state: 'waiting' })
  if (after === 'boots') await station.call('BootNotification', BOOT['ocpp1.6'])
  else house.clock.advance(2000)
  await expect.poll(() => station.calls('Reset')).toHaveLength(2)
})

it.each([
  ['ocpp1.6', { connectorId: 2 }],
  ['ocpp2.0.1', { evseId: 1, connectorId: 2 }],
] as const)('UPTIME-U3: %s: that it took an order of its availability is kept', async (protocol, place) => {
  const house = await prepared()
  await ordered(house, 'b1', { kind: 'availability', available: false, ...place })
  const station = await house.booted('CP1', protocol)
  await station.answered('ChangeAvailability', { status: 'Scheduled' })
  const kept = () => house.store.reads.listRecords('availability_orders', { where: { chargePointId: 'CP1' }, limit: 9 })
  await expect.poll(kept).toMatchObject([{ ...place, available: false, at: expect.any(Number) }])
})

it('BULK-B2: what the version does not have is refused when its turn comes', async () => {
  const house = await prepared()
  await ordered(house, 'b1', { kind: 'command', method: 'GetVariables', request: {} })
  await house.boot16('CP1')
  await expect.poll(async () => (await row(house))?.state).toBe('refused')
  expect((await row(house))?.reason).toContain('ocpp1.6 has no such command')
})

it('BULK-B6: of an order that ends nothing more is sent', async () => {
  const house = await prepared()
  await ordered(house, 'b1', RESET, { state: 'ending', reason: 'the API credential was revoked' })
  const station = await house.boot16('CP1')
  await expect.poll(async () => (await row(house))?.state).toBe('cancelled')
  expect((await row(house))?.reason).toBe('the API credential was revoked')
  expect(station.calls('Reset')).toHaveLength(0)
})

it('BULK-B3: goes on after a kill: what was sent is not sent again, what waits is', async () => {
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  await ordered(house, 'b2', { kind: 'availability', available: true }, { createdAt: START + 1 })
  const before = await house.boot16('CP1')
  await before.frame((frame) => frame[2] === 'Reset')
  await expect.poll(async () => (await row(house))?.state).toBe('sent')
  const after = await core({ path: house.path })
  const station = await after.connect('CP1')
  await station.call('BootNotification', BOOT['ocpp1.6'])
  await station.answered('ChangeAvailability', { status: 'Accepted' })
  await expect.poll(async () => (await row(after, 'b2'))?.state).toBe('done')
  expect(await row(after)).toMatchObject({ state: 'failed', reason: expect.stringContaining('connection ended') })
  expect(station.calls('Reset')).toHaveLength(0)
})

it('BULK-B4: a log is done when its file is here, and has failed when it will not come', async () => {
  const house = await prepared()
  await ordered(house, 'b1', { kind: 'log', type: 'diagnostics' })
  const station = await house.boot16('CP1')
  await station.answered('GetDiagnostics', { fileName: 'd.zip' })
  await expect.poll(async () => (await row(house))?.state).toBe('sent')
  await station.call('DiagnosticsStatusNotification', { status: 'UploadFailed' })
  await expect.poll(async () => (await row(house))?.state).toBe('failed')
  expect((await row(house))?.reason).toContain('UploadFailed')
  expect(await part(house)).toBeUndefined()
})

it('BULK-B4: of a charge point that is deleted it is cancelled', async () => {
  const house = await prepared()
  await ordered(house, 'b1', RESET)
  await house.core.removeChargePoint('account-1', 'CP1')
  expect(await row(house)).toMatchObject({ state: 'cancelled', reason: 'the charge point was deleted' })
})
