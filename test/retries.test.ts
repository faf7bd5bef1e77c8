/** What stations do when the network or their firmware fails: the session's figures stay those of the meter. */
import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { booted16, booted201, connectStation, type Frame, type Station, startOf } from './station.ts'

const house = await houseOfFile()

const HOUR_AGO = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000
const minute = (number: number): string => new Date(HOUR_AGO + number * 60_000).toISOString()

const start = (meterStart: number, more: Json = {}): Json => startOf({ meterStart, timestamp: minute(1), ...more })

const meterValues = (transactionId: unknown, at: string, value: number | string, more: Json = {}): Json => ({
  connectorId: 1,
  transactionId,
  meterValue: [{ timestamp: at, sampledValue: [{ value: String(value), ...more }] }],
})

const stop = (transactionId: unknown, meterStop: number, more: Json = {}): Json => ({
  transactionId,
  meterStop,
  timestamp: minute(31),
  ...more,
})

const idOf = (frame: Frame): unknown => (frame[2] as { transactionId?: unknown }).transactionId

async function with16(identity: string, work: (station: Station) => Promise<void>): Promise<void> {
  const station = await booted16(house.ocppUrl, identity)
  await work(station)
  await station.close()
}

describe('retries in 1.6', () => {
  it('SESSION-A1, OCPP-DR6, OCPP-DR7: with the same message id, on the same and on another connection', async () => {
    const station = await booted16(house.ocppUrl, 'SAME-ID')
    const first = await station.call('StartTransaction', start(0), 'the-start')
    expect(await station.call('StartTransaction', start(0), 'the-start')).toEqual(first)
    await station.close()
    const again = await connectStation(house.ocppUrl, 'SAME-ID', 'ocpp1.6')
    expect(await again.call('StartTransaction', start(0), 'the-start')).toEqual(first)
    const stopped = await again.call('StopTransaction', stop(idOf(first), 5000), 'the-stop')
    expect(await again.call('StopTransaction', stop(idOf(first), 5000), 'the-stop')).toEqual(stopped)
    await again.close()
    expect(await house.onlySession('SAME-ID')).toMatchObject({ state: 'completed', energyKwh: 5 })
  })

  it('OCPP-RP6: a card that was blocked meanwhile is refused, also under a message id that comes again', async () => {
    await house.request('POST', '/2/id-tokens', { id: 'SOON-BLOCKED' })
    await with16('ASKED-AGAIN', async (station) => {
      const asked = (): Promise<Json> => station.ask('Authorize', { idTag: 'SOON-BLOCKED' }, '7')
      expect(await asked()).toEqual({ idTagInfo: { status: 'Accepted' } })
      await house.request('PATCH', '/2/id-tokens/SOON-BLOCKED', { status: 'Blocked' })
      expect(await asked()).toEqual({ idTagInfo: { status: 'Blocked' } })
    })
  })
})

it('SESSION-A10: the transaction of another charge point is not touched', async () => {
  await with16('VICTIM', async (victim) => {
    const { transactionId } = await victim.ask('StartTransaction', start(0))
    await with16('STRANGER', async (unaccepted) => {
      expect(await unaccepted.ask('StopTransaction', stop(transactionId, 99_000))).toEqual({})
      await unaccepted.ask('MeterValues', meterValues(transactionId, minute(9), 99_000))
    })
    expect(await house.onlySession('VICTIM')).toMatchObject({ state: 'charging', energyKwh: 0 })
    await victim.ask('StopTransaction', stop(transactionId, 2500))
    expect(await house.onlySession('VICTIM')).toMatchObject({ state: 'completed', energyKwh: 2.5 })
  })
})

it('ENERGY-W2: a clock of 1970 is replaced by the time of receipt; the energy is right', async () => {
  const before = Date.now()
  await with16('EPOCH', async (station) => {
    const then = '1970-01-01T00:00:07Z'
    const { transactionId } = await station.ask('StartTransaction', start(100, { timestamp: then }))
    await station.ask('MeterValues', meterValues(transactionId, '1970-01-01T00:05:00Z', 600))
    await station.ask('StopTransaction', stop(transactionId, 1100, { timestamp: '1970-01-01T00:10:00Z' }))
  })
  const session = await house.onlySession('EPOCH')
  expect(session).toMatchObject({ state: 'completed', energyKwh: 1 })
  expect(Date.parse(String(session.startedAt))).toBeGreaterThanOrEqual(before)
  expect(Date.parse(String(session.stoppedAt))).toBeGreaterThanOrEqual(Date.parse(String(session.startedAt)))
})

describe('the queue of a station that was away', () => {
  const event = (transactionId: string, eventType: string, seqNo: number, at: number, wattHours: number): Json => ({
    eventType,
    seqNo,
    timestamp: minute(at),
    offline: true,
    triggerReason: eventType === 'Updated' ? 'MeterValuePeriodic' : 'ChargingStateChanged',
    evse: { id: 1, connectorId: 1 },
    ...(eventType === 'Started' && { idToken: { idToken: 'CARD', type: 'ISO14443' } }),
    transactionInfo: {
      transactionId,
      chargingState: eventType === 'Ended' ? 'Idle' : 'Charging',
      ...(eventType === 'Ended' && { stoppedReason: 'Local' }),
    },
    meterValue: [{ timestamp: minute(at), sampledValue: [{ value: wattHours }] }],
  })
  const story = (transactionId: string): readonly Json[] => [
    event(transactionId, 'Started', 0, 1, 1000),
    event(transactionId, 'Updated', 1, 10, 3000),
    event(transactionId, 'Updated', 2, 20, 5000),
    event(transactionId, 'Ended', 3, 30, 8000),
  ]

  it.each([
    ['in order', [0, 1, 2, 3]],
    ['in order, each twice', [0, 0, 1, 1, 2, 2, 3, 3]],
    ['with Ended before Started', [3, 0, 1, 2]],
    ['backwards', [3, 2, 1, 0]],
    ['in no order', [2, 0, 3, 1]],
  ])('SESSION-B2, SESSION-B4, SESSION-B11, 2.0.1: a replay %s gives the same session', async (name, order) => {
    const identity = `REPLAY-${name.replaceAll(/\W+/g, '-')}`
    const station = await booted201(house.ocppUrl, identity)
    const events = story('queued-tx')
    for (const index of order) expect((await station.call('TransactionEvent', events[index]))[0]).toBe(3)
    await station.close()
    expect(await house.onlySession(identity)).toEqual({
      id: expect.any(String),
      evseControllerId: identity,
      state: 'completed',
      energyKwh: 7,
      startedAt: minute(1),
      stoppedAt: minute(30),
    })
  })

  it('SESSION-A6, ENERGY-W2, 1.6: old charges come after a newer one has begun; each keeps its own energy', async () => {
    const station = await booted16(house.ocppUrl, 'REPLAY-16')
    const running = await station.ask('StartTransaction', start(20_000, { timestamp: minute(50) }))
    for (const [from, to, at] of [
      [0, 5000, 1],
      [5000, 12_000, 20],
    ] as const) {
      const { transactionId } = await station.ask('StartTransaction', start(from, { timestamp: minute(at) }))
      await station.ask('MeterValues', meterValues(transactionId, minute(at + 5), from + 1000))
      await station.ask('StopTransaction', stop(transactionId, to, { timestamp: minute(at + 10) }))
    }
    await station.ask('MeterValues', meterValues(running.transactionId, minute(55), 21_500))
    await station.close()
    const sessions = await house.sessions('REPLAY-16')
    const figures = sessions.map(({ state, energyKwh, startedAt }) => ({ state, energyKwh, startedAt }))
    expect(figures).toHaveLength(3)
    expect(figures).toEqual(
      expect.arrayContaining([
        { state: 'charging', energyKwh: 1.5, startedAt: minute(50) },
        { state: 'completed', energyKwh: 5, startedAt: minute(1) },
        { state: 'completed', energyKwh: 7, startedAt: minute(20) },
      ]),
    )
  })
})
