/** What the core would know from memory must be known after a restart as well: late starts and repeated stops. */
import { describe, expect } from 'vitest'
import { type HouseProcess, type Json, until } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { booted16, booted201, connectStation, eventOf, type Station } from './station.ts'

/**
 * Orders a start that nothing follows and waits until it expired. Resolves with its id and what the station was sent.
 */
async function expiredStart(
  house: HouseProcess,
  station: Station,
  order: Json,
  method: string,
): Promise<readonly [id: string, call: Json]> {
  const { status, body } = await house.request('POST', '/2/sessions', order)
  expect(status).toBe(202)
  const id = String(body.id)
  await until(async () => (await house.session(id)).state === 'failed')
  return [id, station.requests(method)[0] as Json]
}

const now = (): string => new Date().toISOString()

const it = acrossRestarts('SIGTERM')

describe('a remote start that expired before the restart', () => {
  const it = acrossRestarts('SIGTERM', { PILOTWIRE_REMOTE_START_TIMEOUT: '1', PILOTWIRE_OCPP_CALL_TIMEOUT: '1' })

  it('SESSION-S5: 1.6: the StartTransaction that comes after it opens a new session with its reference', async function* (house) {
    const before = await booted16(house.ocppUrl, 'LATE-16', { silent: true })
    const order = { evseControllerId: 'LATE-16', connectorId: 1, externalReference: 'order-5' }
    const [failed, { idTag }] = await expiredStart(house, before, { ...order, ttl: 1 }, 'RemoteStartTransaction')
    yield

    const station = await connectStation(house.ocppUrl, 'LATE-16', 'ocpp1.6')
    const start = { connectorId: 1, idTag, meterStart: 0, timestamp: now() }
    expect(await station.ask('StartTransaction', start)).toMatchObject({ idTagInfo: { status: 'Accepted' } })
    // The reference is given once: another start with that tag is no remote start any more.
    await station.ask('StartTransaction', { ...start, connectorId: 2 })
    await station.close()
    const sessions = await house.sessions('LATE-16')
    expect(sessions.map(({ id, state, externalReference }) => [id === failed, state, externalReference])).toEqual([
      [false, 'charging', undefined],
      [false, 'charging', 'order-5'],
      [true, 'failed', 'order-5'],
    ])
  })
})

describe('a stop without a usable number, repeated after the restart', () => {
  const samples = (begin: number): Json => ({
    transactionData: [
      { timestamp: now(), sampledValue: [{ value: String(begin), context: 'Transaction.Begin' }] },
      { timestamp: now(), sampledValue: [{ value: '2500', context: 'Transaction.End' }] },
    ],
  })

  for (const [named, number, more] of [
    ['-1', -1, {}],
    ['-1 and its samples', -1, samples(1000)],
    ['of somebody else', 987_654, samples(1000)],
  ] as const) {
    it(`SESSION-A13, SESSION-A12: with the number ${named} it makes no second session and ends no other one`, async function* (house) {
      const id = `LOST ${named}`
      const start = { connectorId: 1, idTag: 'CARD', meterStart: 1000, timestamp: now() }
      const stop = { transactionId: number, meterStop: 2500, timestamp: now(), ...more }
      const before = await booted16(house.ocppUrl, id)
      await before.ask('StartTransaction', start)
      expect(await before.ask('StopTransaction', stop)).toEqual({})
      const [ended] = await house.sessions(id)
      expect(ended).toMatchObject({ state: 'completed', energyKwh: 1.5 })
      yield

      const station = await connectStation(house.ocppUrl, id, 'ocpp1.6')
      // Began before that stop, as far as its clock knows: it would fit, if the stop were a new one.
      await station.ask('StartTransaction', { ...start, connectorId: 2 })
      expect(await station.ask('StopTransaction', stop)).toEqual({})
      await station.close()
      const sessions = await house.sessions(id)
      expect(sessions).toHaveLength(2)
      expect(sessions).toMatchObject([{ state: 'charging' }, ended ?? {}])
    })
  }
})

describe('the real stop of a charge that was closed with an estimate', () => {
  for (const [named, number] of [
    ['its number', undefined],
    ['the number -1', -1],
    ['the number 0', 0],
  ] as const) {
    it(`SESSION-A16: with ${named} it corrects the estimate after a restart`, async function* (house) {
      const orphan = `ORPHAN ${named}`
      const before = await booted16(house.ocppUrl, orphan)
      const minute = (past: number): string => new Date(Date.now() - past * 60_000).toISOString()
      const start = (past: number, meterStart: number): Promise<Json> =>
        before.ask('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart, timestamp: minute(past) })
      const { transactionId } = await start(50, 1000)
      // Its end was not reported: the next charge on the connector ends it.
      await start(20, 4000)
      yield

      const station = await connectStation(house.ocppUrl, orphan, 'ocpp1.6')
      const stop = { transactionId: number ?? transactionId, meterStop: 4000, timestamp: minute(30) }
      expect(await station.ask('StopTransaction', stop)).toEqual({})
      const corrected = [{ state: 'charging' }, { state: 'completed', energyKwh: 3 }]
      expect(await house.sessions(orphan)).toMatchObject(corrected)
      const [running, { id }] = (await house.sessions(orphan)) as [Json, Json]
      yield
      const again = await connectStation(house.ocppUrl, orphan, 'ocpp1.6')
      await again.ask('StopTransaction', stop)
      expect(await house.sessions(orphan)).toMatchObject([running, ...corrected.slice(1)])
      expect(await house.cli(['sessions', 'rebuild', String(id), '--json'])).toEqual([])
    })
  }
})

describe('a stop that was accepted before the restart', () => {
  const stops = ({ frames }: Station): readonly unknown[] =>
    frames.filter(([type, , method]) => type === 2 && /^Re(mote|quest)StopTransaction$/.test(String(method)))
  for (const protocol of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    it(`SESSION-S10: ${protocol}: is sent after the first message of the station that comes back, until it has ended`, async function* (house) {
      const id = `STOPPED-${protocol}`
      const is16 = protocol === 'ocpp1.6'
      const before = await (is16 ? booted16 : booted201)(house.ocppUrl, id, { silent: true })
      const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: now() }
      const { transactionId = 'T' } = is16
        ? await before.ask('StartTransaction', start)
        : await before.ask('TransactionEvent', eventOf('Started', 0))
      const [charge] = await house.sessions(id)
      const press = () => house.request('POST', `/2/sessions/${charge?.id}/stop`)
      expect((await press()).status).toBe(202)
      await until(() => stops(before).length === 1)
      yield
      const station = await connectStation(house.ocppUrl, id, protocol, { answer: { status: 'Accepted' } })
      await station.ask('Heartbeat', {})
      await until(() => stops(station).length === 1)
      expect(stops(station)).toMatchObject([[2, expect.any(String), expect.any(String), { transactionId }]])
      await until(async () => (await house.session(String(charge?.id))).state === 'finishing')
      await (is16
        ? station.ask('StopTransaction', { transactionId, meterStop: 100, timestamp: now() })
        : station.ask('TransactionEvent', eventOf('Ended', 1)))
      expect(await house.session(String(charge?.id))).toMatchObject({ state: 'completed' })
      expect(await house.cli(['sessions', 'rebuild', String(charge?.id), '--json'])).toEqual([])
    })
  }

  it('SESSION-S9: the tag of a start that was cancelled before it is refused, and what begins with it is stopped', async function* (house) {
    const before = await booted16(house.ocppUrl, 'CANCELLED', { silent: true })
    const order = { evseControllerId: 'CANCELLED', connectorId: 1 }
    const { body } = await house.request('POST', '/2/sessions', order)
    const call = await before.asked('RemoteStartTransaction')
    expect((await house.request('POST', `/2/sessions/${body.id}/stop`)).status).toBe(202)
    yield
    const station = await connectStation(house.ocppUrl, 'CANCELLED', 'ocpp1.6', { answer: { status: 'Accepted' } })
    const start = { ...call, meterStart: 0, timestamp: now() }
    expect(await station.ask('StartTransaction', start)).toMatchObject({ idTagInfo: { status: 'Invalid' } })
    await until(() => stops(station).length === 1)
  })
})
