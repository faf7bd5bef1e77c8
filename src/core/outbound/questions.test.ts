import { beforeEach, expect, it } from 'vitest'
import { coresOfTests, START, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { loadChargePoint } from '../../../test/support/storage/testing.ts'

const EVSE = { evse: { id: 1, connectorId: 1 } }
const BOOT_201 = { reason: 'Watchdog', chargingStation: { vendorName: 'Acme', model: 'Two' } }
const BOOT_16 = { chargePointVendor: 'Acme', chargePointModel: 'One' }

const core = coresOfTests()
let house: TestCore
let station: TestStation

beforeEach(async () => {
  house = await core()
})

const at = (second: number): string => new Date(START + second * 1000).toISOString()
const asked = (): unknown[][] => station.frames.filter((frame) => frame[0] === 2).map((frame) => frame.slice(2))
const passed = async (seconds: number): Promise<void> => {
  house.clock.advance(seconds * 1000)
  await house.settled()
}
const event = (seqNo: number, eventType: string, chargingState: string): Promise<unknown[]> =>
  station.call('TransactionEvent', {
    eventType,
    timestamp: at(seqNo),
    triggerReason: 'ChargingStateChanged',
    seqNo,
    transactionInfo: { transactionId: 'T1', chargingState },
    ...EVSE,
  })
const free = (second: number): Promise<unknown[]> =>
  station.call('StatusNotification', { timestamp: at(second), connectorStatus: 'Available', evseId: 1, connectorId: 1 })
const charging201 = async (): Promise<void> => {
  station = await house.boot201('CP-1')
  await event(0, 'Started', 'Charging')
}
const charging16 = async (): Promise<void> => {
  station = await house.boot16('CP-1')
  await station.call('StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: at(0) })
}

it('SESSION-B12: is not asked when a free connector is followed by the end of its transaction', async () => {
  await charging201()
  await free(1)
  await passed(20)
  await event(2, 'Ended', 'Idle')
  await event(1, 'Updated', 'EVConnected')
  await passed(60)
  expect(asked()).toEqual([])
})

it('SESSION-B12: is asked half a minute after a free connector without that end, and an answer ends the doubt', async () => {
  await charging201()
  await free(1)
  await passed(29)
  expect(asked()).toEqual([])
  await passed(1)
  expect(asked()).toEqual([['GetTransactionStatus', { transactionId: 'T1' }]])
  station.send(JSON.stringify([3, station.frames.at(-1)?.[1], { ongoingIndicator: true, messagesInQueue: false }]))
  await passed(3600)
  const [open] = await loadChargePoint(house.store.core, 'CP-1').then((loaded) => loaded?.sessions ?? [])
  expect(open).toMatchObject({ state: 'charging' })
  expect(asked()).toHaveLength(1)
})

it('SESSION-B5: messages that overtook each other are not asked for', async () => {
  await charging201()
  await event(4, 'Ended', 'Idle')
  await passed(5)
  for (const seqNo of [1, 2, 3]) await event(seqNo, 'Updated', 'Charging')
  await passed(60)
  expect(asked()).toEqual([])
})

it('SESSION-B5: missing ones are', async () => {
  await charging201()
  await event(4, 'Ended', 'Idle')
  await passed(30)
  expect(asked()).toEqual([['GetTransactionStatus', { transactionId: 'T1' }]])
})

it('SESSION-A15: a station that booted first tells what it has in its queue', async () => {
  await charging201()
  await station.call('BootNotification', BOOT_201)
  await event(1, 'Updated', 'Charging')
  await passed(60)
  expect(asked()).toEqual([])
})

it('SESSION-A15: one that boots again and again is asked once', async () => {
  await charging201()
  for (let boot = 0; boot < 3; boot++) await station.call('BootNotification', BOOT_201)
  await passed(30)
  expect(asked()).toEqual([['GetTransactionStatus', { transactionId: 'T1' }]])
})

it.each(['Available', 'Charging'])('SESSION-A15: 1.6: %s after the boot answers the question', async (status) => {
  await charging16()
  await station.call('BootNotification', BOOT_16)
  await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp: at(1) })
  await passed(60)
  expect(asked()).toEqual([])
})

it('SESSION-A15: 1.6: silence about the connector does not', async () => {
  await charging16()
  await station.call('BootNotification', BOOT_16)
  await passed(30)
  expect(asked()).toEqual([['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 1 }]])
})

it.each([
  ['it was told', false],
  ['the station came back', true],
])('OCPP-RP4, SESSION-B5: a question that waits is not asked when %s', async (_name, comesBack) => {
  await charging201()
  await event(4, 'Ended', 'Idle')
  const place = { accountId: 'account-1', chargePointId: 'CP-1', waitMs: 0 }
  house.clock.advance(29_000)
  await house.core.sendCommand({ ...place, method: 'GetLocalListVersion', request: {} })
  const [, messageId] = await station.frame((frame) => frame[0] === 2)
  house.clock.advance(1_000)
  await expect.poll(async () => (await house.commands('CP-1'))[0]?.method).toBe('GetTransactionStatus')
  if (comesBack) station = await house.connect('CP-1', 'ocpp2.0.1')
  else for (const seqNo of [1, 2, 3]) await event(seqNo, 'Updated', 'Charging')
  station.send(JSON.stringify([3, messageId, { versionNumber: 1 }]))
  await house.settled()
  expect(asked().filter(([method]) => method === 'GetTransactionStatus')).toEqual([])
})
