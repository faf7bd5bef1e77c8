import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { START, type TestStation, testCore } from '../../../test/support/core/testing.ts'
import { meterValues, transactionEvent } from '../../../test/support/messages.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { rebuildSession } from './rebuild.ts'

type TestCore = Awaited<ReturnType<typeof testCore>>

const MINUTE = 60_000
const SETTINGS = {
  remoteStartTimeoutMs: 180_000,
  orphanTimeoutMs: 900_000,
  voltage: 230,
  timeZone: 'UTC',
  silenceTimeoutMs: 48 * 3600_000,
  refuseConcurrentTransactions: false,
}

let house: TestCore

beforeEach(async () => {
  house = await testCore()
})
afterEach(() => house.close())

const now = (): string => new Date(house.clock.now()).toISOString()
const idle = async (): Promise<void> => {
  await house.core.statistics()
  await house.core.drain()
}
const isCall = (frame: unknown[]): boolean => frame[0] === 2

async function sessions(): Promise<readonly Session[]> {
  const found = await house.store.reads.listSessions({ accountId: 'account-1', limit: 100 })
  return [...found].reverse()
}
async function rebuild(id?: string) {
  const { reads } = house.store
  const session = await reads.findSession(id ?? (await sessions())[0]?.id ?? '')
  if (!session) throw new Error('no session')
  const rebuilt = await rebuildSession(reads, session, SETTINGS)
  if (!rebuilt) throw new Error('no charge point')
  return rebuilt
}
async function start16(station: TestStation, idTag = 'CARD-1', meterStart = 1000): Promise<number> {
  const answer = await station.call('StartTransaction', { connectorId: 1, idTag, meterStart, timestamp: now() })
  return (answer[2] as { transactionId: number }).transactionId
}
const meter16 = (station: TestStation, transactionId: number, wattHours: number) =>
  station.call('MeterValues', meterValues(transactionId, house.clock.now(), wattHours))
const stop16 = (station: TestStation, transactionId: number, meterStop: number) =>
  station.call('StopTransaction', { transactionId, meterStop, timestamp: now() })
const status16 = (station: TestStation, status: string) =>
  station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp: now() })

async function charge16(): Promise<void> {
  await house.store.writes.createTariff({
    tariffId: 'tar_1',
    version: 1,
    accountId: 'account-1',
    currency: 'EUR',
    perKwhMicros: 300_000,
    perMinuteMicros: 10_000,
    perSessionMicros: 0,
    idlePerMinuteMicros: 0,
    createdAt: START,
    updatedAt: START,
  })
  const station = await house.boot16('CP-1')
  await status16(station, 'Preparing')
  const transactionId = await start16(station)
  for (const [minutes, wattHours] of [
    [1, 1200],
    [1, 1500],
    [5, 3000],
  ] as const) {
    house.clock.advance(minutes * MINUTE)
    await meter16(station, transactionId, wattHours)
  }
  await status16(station, 'SuspendedEV')
  house.clock.advance(MINUTE)
  await meter16(station, transactionId, 3000)
  await stop16(station, transactionId, 3100)
  await stop16(station, transactionId, 3100)
}

it('HOOK-B3: a 1.6 charge with cost, suspension, figures and a repeated stop is the same again', async () => {
  await charge16()
  await idle()
  const rebuilt = await rebuild()
  expect(rebuilt).toEqual({ rows: expect.any(Number), events: expect.any(Number), differences: [] })
  expect(rebuilt.events).toBeGreaterThan(4)
  expect(rebuilt.rows).toBeGreaterThan(7)
})

it('HOOK-B3: a 2.0.1 charge, messages out of order, the second of two sessions', async () => {
  const station = await house.boot201('CP-1')
  const event = (transactionId: string, seqNo: number, eventType: string, chargingState: string, wattHours: number) =>
    station.call('TransactionEvent', {
      eventType,
      timestamp: new Date(START + seqNo * MINUTE).toISOString(),
      triggerReason: eventType === 'Started' ? 'Authorized' : 'MeterValuePeriodic',
      seqNo,
      transactionInfo: { transactionId, chargingState },
      evse: { id: 1, connectorId: 1 },
      ...(eventType === 'Started' && { idToken: { idToken: 'CARD-1', type: 'ISO14443' } }),
      meterValue: [
        {
          timestamp: new Date(START + seqNo * MINUTE).toISOString(),
          sampledValue: [
            { value: wattHours, context: eventType === 'Started' ? 'Transaction.Begin' : 'Sample.Periodic' },
          ],
        },
      ],
    })
  for (const transaction of ['T-1', 'T-2']) {
    for (const [seqNo, type, state, wattHours] of [
      [0, 'Started', 'Charging', 0],
      [2, 'Updated', 'SuspendedEVSE', 900],
      [1, 'Updated', 'Charging', 500],
      [3, 'Updated', 'Charging', 1000],
      [3, 'Updated', 'Charging', 1000],
      [4, 'Ended', 'Idle', 1234],
    ] as const) {
      house.clock.advance(MINUTE)
      await event(transaction, seqNo, type, state, wattHours)
    }
  }
  await idle()
  const [, second] = await sessions()
  expect(second).toMatchObject({ state: 'completed', energyMilliWh: 1_234_000 })
  expect((await rebuild(second?.id)).differences).toEqual([])
})

it('HOOK-B3: a remote start with its reference, its remote stop, and the stop', async () => {
  const station = await house.boot16('CP-1')
  const order = { accountId: 'account-1', chargePointId: 'CP-1', connectorId: 1, externalReference: 'order-7' }
  const session = await house.core.startSession(order)
  const call = await station.frame(isCall)
  house.clock.advance(2000)
  station.answer(call, { status: 'Accepted' })
  const transactionId = await start16(station, (call[3] as { idTag: string }).idTag)
  house.clock.advance(MINUTE)
  await house.core.stopSession('account-1', 'id' in session ? session.id : '')
  const stop = await station.frame((frame) => frame[2] === 'RemoteStopTransaction')
  house.clock.advance(2000)
  station.answer(stop, { status: 'Accepted' })
  await station.call('Heartbeat', {})
  house.clock.advance(MINUTE)
  await stop16(station, transactionId, 2000)
  await idle()
  expect((await sessions())[0]).toMatchObject({ state: 'completed', externalReference: 'order-7' })
  const rebuilt = await rebuild()
  expect(rebuilt).toMatchObject({ differences: [] })
  expect(rebuilt.events).toBe(4)
})

it('HOOK-B3, SESSION-O7: the session that a remote start displaced, and the one that took its transaction over', async () => {
  const station = await house.boot201('CP-1')
  const event = (seqNo: number, eventType: string, transactionInfo: object) => {
    house.clock.advance(MINUTE)
    const more = {
      triggerReason: 'ChargingStateChanged',
      transactionInfo: { transactionId: 'T-1', ...transactionInfo },
    }
    return station.call('TransactionEvent', transactionEvent(eventType, seqNo, house.clock.now(), more))
  }
  await event(0, 'Started', { chargingState: 'EVConnected' })
  house.clock.advance(MINUTE)
  await house.core.startSession({ accountId: 'account-1', chargePointId: 'CP-1', evseId: 1 })
  const call = await station.frame(isCall)
  station.answer(call, { status: 'Accepted' })
  const { remoteStartId } = call[3] as { remoteStartId: number }
  await event(1, 'Updated', { remoteStartId, chargingState: 'Charging' })
  await event(2, 'Ended', { stoppedReason: 'Local' })
  await idle()
  expect((await sessions()).map(({ state }) => state)).toEqual(['failed', 'completed'])
  for (const { id } of await sessions()) expect((await rebuild(id)).differences).toEqual([])
})

it('HOOK-B3, SESSION-S2: a stop that was sent as a plain command', async () => {
  const station = await house.boot16('CP-1')
  const transactionId = await start16(station)
  const request = { transactionId }
  const order = { accountId: 'account-1', chargePointId: 'CP-1', method: 'RemoteStopTransaction', request, waitMs: 0 }
  for (const [status, state] of [
    ['Rejected', 'charging'],
    ['Accepted', 'finishing'],
  ]) {
    house.clock.advance(MINUTE)
    await house.core.sendCommand(order)
    const stop = await station.frame(isCall)
    station.frames.splice(station.frames.indexOf(stop), 1)
    house.clock.advance(2000)
    station.answer(stop, { status })
    await station.call('Heartbeat', {})
    await idle()
    expect((await sessions())[0]).toMatchObject({ state })
  }
  await stop16(station, transactionId, 2000)
  await idle()
  expect(await rebuild()).toMatchObject({ differences: [], events: 3 })
})

it.each([
  ['rejected', 'Rejected', 0],
  ['expired', 'Accepted', 10 * MINUTE],
])('HOOK-B3: a remote start that is %s', async (endReason, status, wait) => {
  const station = await house.boot16('CP-1')
  await house.core.startSession({ accountId: 'account-1', chargePointId: 'CP-1', connectorId: 1 })
  const call = await station.frame(isCall)
  station.answer(call, { status })
  await station.call('Heartbeat', {})
  house.clock.advance(wait)
  await station.call('Heartbeat', {})
  await idle()
  expect((await sessions())[0]).toMatchObject({ state: 'failed', endReason })
  expect(await rebuild()).toMatchObject({ differences: [], events: 2 })
})

it('HOOK-B3, COST-L4, COST-L5, HOOK-M5: an orphan closed by time, settled by itself, corrected by hand and by the late stop', async () => {
  await house.store.writes.updateAccount('account-1', { automaticSettlement: true })
  const station = await house.boot16('CP-1')
  const transactionId = await start16(station)
  house.clock.advance(MINUTE)
  await meter16(station, transactionId, 1700)
  house.clock.advance(49 * 60 * MINUTE)
  await station.call('Heartbeat', {})
  house.clock.advance(1000)
  await station.call('Heartbeat', {})
  const [closed] = await sessions()
  expect(closed).toMatchObject({ state: 'completed', settlementCount: 1 })
  house.clock.advance(MINUTE)
  const order = { accountId: 'account-1', sessionId: closed?.id ?? '', by: 'credential c1' }
  await house.core.settle({ ...order, costMicros: 5_000_000, currency: 'EUR' })
  house.clock.advance(MINUTE)
  await stop16(station, transactionId, 2600)
  await idle()
  expect((await sessions())[0]).toMatchObject({ settlementCount: 3, energyMilliWh: 1_600_000 })
  const rebuilt = await rebuild()
  expect(rebuilt.differences).toEqual([])
  expect(rebuilt.events).toBeGreaterThanOrEqual(5)
})

const change = async (sql: string): Promise<void> => {
  const { path } = house
  await house.close()
  const db = new Database(path)
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0)
  db.close()
  house = await testCore({ path, now: START + 3600_000 })
}

it('HOOK-B3: says where an event told another figure', async () => {
  await charge16()
  await change(`UPDATE events SET body = replace(body, '"energyKwh":2.1', '"energyKwh":2.2') WHERE kind = 'transition'`)
  const { differences } = await rebuild()
  expect(differences).toEqual([{ eventId: expect.any(String), member: 'energyKwh', stored: 2.2, rebuilt: 2.1 }])
})

it('HOOK-B3: says where the session shows another figure than its messages make', async () => {
  await charge16()
  await change('UPDATE sessions SET energy_milli_wh = 9000000')
  expect((await rebuild()).differences).toEqual([{ member: 'energyKwh', stored: 9, rebuilt: 2.1 }])
})

it('HOOK-B3: says where an event is missing, or there was one too many', async () => {
  await charge16()
  await change(`DELETE FROM events WHERE body LIKE '%completed%'`)
  expect((await rebuild()).differences).toEqual([{ member: 'event', rebuilt: 'transition to completed' }])
})

it('HOOK-B3: says where messages are missing', async () => {
  await charge16()
  await change(`DELETE FROM commands WHERE request LIKE '%meterStop%'`)
  await change(`DELETE FROM commands_search WHERE id NOT IN (SELECT id FROM commands)`)
  const { differences } = await rebuild()
  expect(differences).toContainEqual({ eventId: expect.any(String), member: 'event', stored: 'completed' })
  expect(differences).toContainEqual({ member: 'state', stored: 'completed', rebuilt: 'suspended' })
})

it('HOOK-B3: says where nothing of the log is left', async () => {
  await charge16()
  await change('DELETE FROM commands')
  await change('DELETE FROM commands_search')
  const { rows, differences } = await rebuild()
  expect(rows).toBe(0)
  expect(differences).toContainEqual({ member: 'event', stored: 'completed' })
})

it('HOOK-B3: writes nothing', async () => {
  await charge16()
  await idle()
  const db = new Database(house.path, { readonly: true })
  const version = () => db.prepare('PRAGMA data_version').pluck().get()
  // What reading itself would put in place.
  await house.store.placing.all()
  const before = version()
  await rebuild()
  expect(version()).toBe(before)
  db.close()
})
