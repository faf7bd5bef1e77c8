import { expect, it } from 'vitest'
import { BOOT, coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { hashPassword } from '../../ocpp/credentials.ts'
import { sealPassword } from '../../secrets/sealed-password.ts'

const FORMER = 'correct-horse-battery'
const FRESH = 'ab'.repeat(20)
const KEY = Buffer.alloc(32, 7)
const DAY = 24 * 3600_000
const OWNER = { chargePointId: 'CP1', rotationId: 'r1' }

const basic = (password: string) => `Basic ${Buffer.from(`CP1:${password}`).toString('base64')}`
const PASSWORD_VARIABLE = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
const COMMAND = {
  'ocpp1.6': ['ChangeConfiguration', { key: 'AuthorizationKey', value: FRESH }],
  'ocpp2.0.1': ['SetVariables', { setVariableData: [{ ...PASSWORD_VARIABLE, attributeValue: FRESH }] }],
} as const
const answerOf = {
  'ocpp1.6': (status: string) => ({ status }),
  'ocpp2.0.1': (attributeStatus: string) => ({ setVariableResult: [{ ...PASSWORD_VARIABLE, attributeStatus }] }),
}
const BOTH = ['ocpp1.6', 'ocpp2.0.1'] as const
type Protocol = (typeof BOTH)[number]

const core = coresOfTests()

async function prepared(): Promise<TestCore> {
  const house = await core()
  await house.store.writes.createChargePoint(
    aChargePoint({ accountId: 'account-1', passwordHash: hashPassword(FORMER, KEY, Buffer.alloc(16)), createdAt: 0 }),
  )
  return house
}

async function ordered(house: TestCore, rotationId = 'r1', password = FRESH): Promise<void> {
  const sealed = sealPassword(KEY, { ...OWNER, rotationId }, password, (bytes) => Buffer.alloc(bytes, 1))
  const hash = hashPassword(password, KEY, Buffer.alloc(16, 2))
  const input = { kind: 'passwordOrdered', rotationId, password: sealed, hash } as const
  expect(await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })).toEqual({})
}

async function booted(house: TestCore, protocol: Protocol, password: string): Promise<TestStation> {
  const station = await house.connect('CP1', protocol, basic(password))
  await station.call('BootNotification', BOOT[protocol])
  return station
}

async function command(station: TestStation, protocol: Protocol): Promise<readonly unknown[]> {
  return station.asked(COMMAND[protocol][0])
}

async function answered(station: TestStation, protocol: Protocol, status: string): Promise<void> {
  const [, id, , request] = await command(station, protocol)
  expect(request).toEqual(COMMAND[protocol][1])
  station.send(JSON.stringify([3, id, answerOf[protocol](status)]))
}

const change = (house: TestCore, rotationId = 'r1') =>
  house.store.reads.getRecord('password_changes', { ...OWNER, rotationId })
const state = async (house: TestCore) => (await change(house))?.state
/** Each look sets the clock of the next one. */
const lookedAt = async (house: TestCore) => {
  house.clock.advance(60_000)
  return state(house)
}
const mayLogIn = async (house: TestCore, password: string, protocol: Protocol = 'ocpp1.6') => {
  const asked = { identity: 'CP1', offered: [protocol], remoteAddress: '127.0.0.1', authorization: basic(password) }
  return (await house.core.admit({ ...asked, secure: false })).ok
}

it.each(BOTH)('OCPP-AU9: %s: refused, only the former one stays valid', async (protocol) => {
  const house = await prepared()
  const station = await booted(house, protocol, FORMER)
  await ordered(house)
  await answered(station, protocol, 'Rejected')
  await expect
    .poll(() => change(house))
    .toMatchObject({ state: 'failed', reason: 'the charge point answered Rejected' })
  await expect.poll(() => mayLogIn(house, FRESH)).toBe(false)
  expect(await mayLogIn(house, FORMER)).toBe(true)
})

it('OCPP-AU8: a station that replaces its connection before it answers leaves the former password invalid', async () => {
  const house = await prepared()
  const first = await booted(house, 'ocpp1.6', FORMER)
  await ordered(house)
  await command(first, 'ocpp1.6')
  await booted(house, 'ocpp1.6', FRESH)
  house.core.closed(first.connection, 1006)
  await expect.poll(() => state(house)).toBe('done')
  expect(await mayLogIn(house, FORMER)).toBe(false)
})

it('OCPP-AU8: a station that does not log in by itself has its connection closed after a minute', async () => {
  const house = await prepared()
  const station = await booted(house, 'ocpp2.0.1', FORMER)
  await ordered(house)
  await answered(station, 'ocpp2.0.1', 'Accepted')
  await expect.poll(() => state(house)).toBe('accepted')
  expect(station.closes).toEqual([])
  await expect.poll(async () => (await lookedAt(house)) && station.closes).toEqual([[1000, 'password changed']])
  house.clock.advance(DAY)
  await expect.poll(() => lookedAt(house)).toBe('failed')
  expect((await change(house))?.reason).toContain('a day')
  expect(await mayLogIn(house, FORMER)).toBe(true)
  expect(await mayLogIn(house, FRESH)).toBe(true)
  expect(await state(house)).toBe('done')
})

it('OCPP-AU9: one that was accepted before stays valid while the next one waits for its restart', async () => {
  const house = await prepared()
  const station = await booted(house, 'ocpp1.6', FORMER)
  await ordered(house)
  await answered(station, 'ocpp1.6', 'RebootRequired')
  await expect.poll(() => state(house)).toBe('accepted')
  house.clock.advance(DAY)
  await expect.poll(() => lookedAt(house)).toBe('failed')
  const next = 'cd'.repeat(20)
  await ordered(house, 'r2', next)
  const sent = await station.frame((frame) => JSON.stringify(frame).includes(next))
  station.answer(sent, { status: 'RebootRequired' })
  await expect.poll(async () => (await change(house, 'r2'))?.state).toBe('accepted')
  for (const password of [FORMER, FRESH, next]) expect(await mayLogIn(house, password)).toBe(true)
  expect(await mayLogIn(house, FORMER)).toBe(false)
  expect((await change(house, 'r2'))?.state).toBe('done')
})

it('OCPP-AU7: sealed under another key it fails, and nothing is sent', async () => {
  const house = await prepared()
  const station = await booted(house, 'ocpp1.6', FORMER)
  const password = sealPassword(Buffer.alloc(32, 9), OWNER, FRESH, Buffer.alloc)
  const input = { kind: 'passwordOrdered', rotationId: 'r1', password, hash: 'h' } as const
  await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  await expect.poll(() => change(house)).toMatchObject({ state: 'failed', reason: expect.stringContaining('key') })
  expect(station.frames.filter((frame) => frame[0] === 2)).toEqual([])
})

it('OCPP-AU7: the new password stands in no row of the log and no record in clear', async () => {
  const house = await prepared()
  const station = await booted(house, 'ocpp2.0.1', FORMER)
  await ordered(house)
  await command(station, 'ocpp2.0.1')
  const rows = await house.commands('CP1')
  const calls = await house.store.core.listRecords('outgoing_calls', { limit: 10 })
  expect(calls.map(({ method }) => method)).toEqual(['SetVariables'])
  expect(rows.map(({ method }) => method)).toContain('SetVariables')
  expect(JSON.stringify([rows, calls, await change(house)])).not.toContain(FRESH)
})
