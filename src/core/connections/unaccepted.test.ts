import { expect, it } from 'vitest'
import { coresOfTests, START, type TestCore } from '../../../test/support/core/testing.ts'
import { loadChargePoint } from '../../../test/support/storage/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { type Waiting, whoMakesRoom } from './unaccepted.ts'

const HOUR = 3_600_000
const BOOT = { chargePointVendor: 'Acme', chargePointModel: 'One' }

const core = coresOfTests({ settings: { unknownChargePoints: 'pending' } })
const admit = async ({ core: { admit } }: TestCore, identity: string, remoteAddress = '192.0.2.1') => {
  const admission = await admit({ identity, offered: ['ocpp1.6'], remoteAddress, secure: false })
  return admission.ok ? (admission.isUnaccepted ? 'unaccepted' : 'known') : admission.status
}
/** How many of so many strangers are let in. */
const taken = async (house: TestCore, count: number, addressOf: (number: number) => string): Promise<number> => {
  let admitted = 0
  for (let number = 0; number < count; number++) {
    if ((await admit(house, `FLOOD-${number}`, addressOf(number))) === 'unaccepted') admitted++
  }
  return admitted
}
const fill = async ({ store }: TestCore, count: number, name?: string): Promise<void> => {
  for (let number = 0; number < count; number++) {
    const of = { accountId: 'account-1', registrationStatus: 'Pending', createdAt: START - 10 * HOUR + number } as const
    await store.writes.createChargePoint(aChargePoint({ id: `OLD-${number}`, name, ...of }))
  }
}

it('OCPP-RP14: are counted by the /64 of their IPv6 address', async () => {
  const house = await core()
  expect(await taken(house, 30, (number) => `2001:db8:1:2:${number.toString(16)}::1`)).toBe(10)
  expect(await admit(house, 'NEIGHBOUR', '2001:db8:1:3::1')).toBe('unaccepted')
})

it('OCPP-RP14: may come a hundred times a minute, from however many networks', async () => {
  const house = await core()
  expect(await taken(house, 130, (number) => `198.51.${number}.1`)).toBe(100)
  house.clock.advance(60_000)
  expect(await admit(house, 'LATER', '198.51.100.200')).toBe('unaccepted')
})

it('OCPP-RP14: one that connects again and again is told to wait; an accepted one never is', async () => {
  const house = await core()
  expect(await admit(house, 'CP-1')).toBe('unaccepted')
  for (let count = 0; count < 60; count++) await admit(house, 'CP-1')
  expect(await admit(house, 'CP-1')).toBe(429)
  await house.store.writes.updateChargePoint('account-1', 'CP-1', {
    registrationStatus: 'Accepted',
    securityProfile: 0,
  })
  house.registrationsChanged()
  for (let count = 0; count < 100; count++) expect(await admit(house, 'CP-1')).toBe('known')
})

it('OCPP-RP14: a full list of those who are here, or were a moment ago, stays as it is, and has room again later', async () => {
  const house = await core()
  house.clock.set(START - 10 * HOUR + 2000)
  await fill(house, 1000)
  expect(await admit(house, 'NEW')).toBe(429)
  house.clock.advance(HOUR)
  expect(await admit(house, 'NEW')).toBe('unaccepted')
})

it('OCPP-RP14: a network with many addresses leaves newcomers of other networks their part of the minute', async () => {
  const house = await core()
  expect(await taken(house, 120, (number) => `198.51.100.${number}`)).toBe(20)
  expect(await admit(house, 'HONEST', '203.0.113.1')).toBe('unaccepted')
})

it('OCPP-RP14: an address that fills the list and comes again and again does not keep a newcomer out', async () => {
  const house = await core()
  await fill(house, 1000)
  house.clock.set(START - 10 * HOUR + 2000)
  for (let number = 0; number < 1000; number++) {
    if (number % 60 === 0) house.clock.advance(60_000)
    expect(await admit(house, `OLD-${number}`, '198.51.100.1')).toBe('unaccepted')
  }
  expect(await admit(house, 'HONEST', '203.0.113.1')).toBe('unaccepted')
  expect(await house.store.core.unacceptedChargePoints()).toHaveLength(1000)
  expect(await loadChargePoint(house.store.core, 'OLD-0')).toBeUndefined()
  house.clock.advance(60_000)
  expect(await admit(house, 'NEXT', '198.51.100.1')).toBe('unaccepted')
  expect(await loadChargePoint(house.store.core, 'HONEST')).toBeDefined()
})

it('OCPP-RP14: one that makes room while it is connected is disconnected', async () => {
  const house = await core()
  house.clock.set(START - 10 * HOUR + 2000)
  const first = await house.connect('FLOOD-1')
  const second = await house.connect('FLOOD-2')
  await fill(house, 998)
  expect(await admit(house, 'HONEST', '203.0.113.1')).toBe('unaccepted')
  expect([first.closes.length, second.closes.length]).toEqual([1, 0])
})

it.each<[string, readonly Partial<Waiting>[], string | undefined]>([
  ['the one that was silent for long', [{ id: 'A', seenAt: 5 }, { id: 'B', seenAt: 4 }, { id: 'C' }, { id: 'D' }], 'B'],
  [
    'the oldest of the largest',
    [
      { id: 'A', network: 'y' },
      { id: 'B', seenAt: 60 },
      { id: 'C', seenAt: 50 },
    ],
    'C',
  ],
  ['none that is here before one that is not', [{ id: 'A', isHere: true, seenAt: 50 }, { id: 'B' }], 'B'],
  [
    'one that is here, if all are',
    [
      { id: 'A', isHere: true, seenAt: 50 },
      { id: 'B', isHere: true },
    ],
    'A',
  ],
  ['nobody where each has a network of its own', [{ id: 'A' }, { id: 'B', network: 'y' }], undefined],
  [
    'nobody of whom nothing is known',
    [
      { id: 'A', network: undefined },
      { id: 'B', network: undefined },
    ],
    undefined,
  ],
])('OCPP-RP14: who makes room: %s', (_, waiting, id) => {
  const one = { id: '', accountId: 'A', network: 'x', isHere: false, seenAt: 100 }
  const list = waiting.map((change) => ({ ...one, ...change }))
  expect(whoMakesRoom(list, 10)?.id).toBe(id)
})

it('OCPP-RP14: one that somebody named, gave a password or accepted is never forgotten', async () => {
  const house = await core()
  await fill(house, 1000, 'Depot')
  expect(await house.store.core.unacceptedChargePoints()).toEqual([])
  expect(await admit(house, 'NEW')).toBe('unaccepted')
  const { updateChargePoint } = house.store.writes
  await updateChargePoint('account-1', 'NEW', { passwordHash: 'v1$a$b' })
  expect(await house.store.core.unacceptedChargePoints()).toEqual([])
})

it('OCPP-RP14: what they say is stored in small', async () => {
  const { house, station } = await core.connect('CP-1')
  const long = 'ü'.repeat(30_000)
  await station.call('BootNotification', { ...BOOT, chargePointVendor: long, firmwareVersion: long })
  await station.call('StopTransaction', { transactionId: long, meterStop: 1 })
  await station.call('x'.repeat(30_000), { data: long })
  const rows = await house.commands('CP-1')
  expect(rows.map(({ method }) => method)).toEqual(['UnknownAction', 'StopTransaction', 'BootNotification'])
  for (const row of rows) {
    expect(Buffer.byteLength(row.request)).toBeLessThanOrEqual(4096)
    expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(10_000)
  }
  const loaded = await loadChargePoint(house.store.core, 'CP-1')
  expect(loaded?.status.vendor).toHaveLength(500)
})

it('OCPP-RP14: a flood of theirs fills neither the log nor its list of names, and a row counts what was left out', async () => {
  const { house, station } = await core.connect('CP-1')
  await station.call('BootNotification', BOOT)
  for (let count = 0; count < 500; count++) {
    expect((await station.call(`Invented${count}`, { count }))[0]).toBe(4)
  }
  expect(await station.call('BootNotification', BOOT)).toMatchObject({ 2: { status: 'Pending' } })
  house.clock.advance(HOUR)
  await house.settled()
  const rows = await house.commands('CP-1')
  expect(rows).toHaveLength(101)
  expect(rows[0]).toMatchObject({ method: 'NotKept' })
  expect(JSON.parse(rows[0]?.request ?? '')).toMatchObject({ messages: 402 })
  expect(new Set(rows.map(({ method }) => method))).toEqual(new Set(['NotKept', 'UnknownAction', 'BootNotification']))
})

it('OCPP-RP14: all of them together have room for five thousand rows a day', async () => {
  const house = await core()
  for (let number = 0; number < 60; number++) {
    if (number % 10 === 0) house.clock.advance(60_000)
    const station = await house.connect(`CP-${number}`)
    for (let count = 0; count < 100; count++) station.send(`[2,"${count}","Heartbeat",{}]`)
    await station.frame((frame) => frame[1] === '99')
  }
  let rows = 0
  for (let number = 0; number < 60; number++) rows += (await house.commands(`CP-${number}`)).length
  expect(rows).toBe(5000)
})

it('OCPP-RP14: the sockets hear when one was accepted while it was connected', async () => {
  const { house, station } = await core.connect('CP-1')
  await station.call('BootNotification', BOOT)
  expect(house.limitsSet).toEqual([])
  await house.store.writes.updateChargePoint('account-1', 'CP-1', { registrationStatus: 'Accepted' })
  house.registrationsChanged()
  expect(await station.call('BootNotification', BOOT)).toMatchObject({ 2: { status: 'Accepted' } })
  expect(house.limitsSet).toEqual([[station.connection, false]])
})
