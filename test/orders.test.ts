/** What partners order of sessions over HTTP, and what a station that answers by hand makes of it. */
import { afterAll, describe, expect, it } from 'vitest'
import { type Json, openHouse, until } from './house.ts'
import { booted16, booted201, type Station } from './station.ts'

const house = await openHouse()
await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.5, perSession: 1, perMinute: 0.1 })
afterAll(() => house.closeClean())

const minute = (number: number): string => new Date(BEGAN + number * 60_000).toISOString()
/** The tariff is of now (COST-L7). */
const BEGAN = Math.floor(Date.now() / 60_000) * 60_000

async function ordered(station: Station, order: Json, method: string): Promise<readonly [id: string, call: Json]> {
  const { status, body } = await house.request('POST', '/2/sessions', order)
  expect(status).toBe(202)
  await until(() => station.calls(method).length > 0)
  return [String(body.id), station.calls(method).at(-1)?.[3] as Json]
}

describe('SESSION-A5: the card of a charge that was started over HTTP', () => {
  it('has the group of its single-use tag while it charges, so that the station lets it stop the charge', async () => {
    const station = await booted16(house.ocppUrl, 'CARD-STOPS', { answer: { status: 'Accepted' } })
    const order = { evseControllerId: 'CARD-STOPS', connectorId: 1, idToken: 'OwnCard' }
    const [id, { idTag }] = await ordered(station, order, 'RemoteStartTransaction')
    const start = { connectorId: 1, idTag, meterStart: 0, timestamp: minute(1) }
    const { transactionId, idTagInfo } = await station.ask('StartTransaction', start)
    const accepted = { status: 'Accepted', parentIdTag: 'OwnCard' }
    expect(idTagInfo).toEqual(accepted)
    expect(await station.ask('Authorize', { idTag: 'OWNCARD' })).toEqual({ idTagInfo: accepted })
    const stop = { transactionId, idTag: 'OWNCARD', meterStop: 500, timestamp: minute(9) }
    expect(await station.ask('StopTransaction', stop)).toEqual({ idTagInfo: accepted })
    expect(await house.session(id)).toMatchObject({ state: 'completed', energyKwh: 0.5 })
    expect(await station.ask('Authorize', { idTag: 'OWNCARD' })).toEqual({ idTagInfo: { status: 'Accepted' } })
    await station.close()
  })
})

describe('SESSION-S8: a charge that nobody authorised', () => {
  it('2.0.1: is failed and free when it took nothing, and costs its energy alone when it took some', async () => {
    const station = await booted201(house.ocppUrl, 'NOBODY')
    const event = (
      transactionId: string,
      eventType: string,
      seqNo: number,
      at: number,
      register: number,
    ): Promise<Json> =>
      station.ask('TransactionEvent', {
        eventType,
        seqNo,
        timestamp: minute(at),
        triggerReason: 'CablePluggedIn',
        evse: { id: 1, connectorId: 1 },
        transactionInfo: { transactionId, chargingState: 'EVConnected' },
        meterValue: [{ timestamp: minute(at), sampledValue: [{ value: register }] }],
      })
    await event('T1', 'Started', 0, 1, 1000)
    expect(await event('T1', 'Ended', 1, 9, 1000)).toMatchObject({ totalCost: 0 })
    await event('T2', 'Started', 0, 11, 1000)
    expect(await event('T2', 'Ended', 1, 19, 3000)).toMatchObject({ totalCost: 1 })
    const sessions = await house.sessions('NOBODY')
    expect(sessions).toMatchObject([
      { state: 'completed', energyKwh: 2, cost: 1 },
      { state: 'failed', energyKwh: 0 },
    ])
    expect(sessions[1]).not.toHaveProperty('cost')
    for (const { id } of sessions) expect(await house.cli(['sessions', 'rebuild', String(id), '--json'])).toEqual([])
    await station.close()
  })
})

describe('SESSION-S9: a start that is stopped before it began', () => {
  it('1.6: fails as cancelled; its tag is refused after all, and what begins with it is stopped', async () => {
    const station = await booted16(house.ocppUrl, 'CANCEL-16', { answer: { status: 'Accepted' } })
    const order = { evseControllerId: 'CANCEL-16', connectorId: 1, externalReference: 'order-9' }
    const [id, { idTag }] = await ordered(station, order, 'RemoteStartTransaction')
    const stopped = await house.request('POST', `/2/sessions/${id}/stop`)
    expect(stopped).toMatchObject({ status: 202, body: { id, state: 'failed', externalReference: 'order-9' } })
    const { body } = await house.request('GET', `/2/sessions/${id}/timeline`)
    expect(body.meta).toMatchObject({ endReason: 'cancelled' })
    expect((await house.request('POST', `/2/sessions/${id}/stop`)).status).toBe(409)

    const start = { connectorId: 1, idTag, meterStart: 0, timestamp: new Date().toISOString() }
    const { transactionId, idTagInfo } = await station.ask('StartTransaction', start)
    expect(idTagInfo).toEqual({ status: 'Invalid' })
    await until(() => station.calls('RemoteStopTransaction').length > 0)
    expect(station.calls('RemoteStopTransaction')[0]?.[3]).toEqual({ transactionId })
    const stop = { transactionId, meterStop: 0, reason: 'Remote', timestamp: new Date().toISOString() }
    await station.ask('StopTransaction', stop)
    const sessions = await house.sessions('CANCEL-16')
    expect(sessions.map(({ state }) => state)).toEqual(['failed', 'failed'])
    for (const session of sessions) {
      expect(session).not.toHaveProperty('cost')
      expect(await house.cli(['sessions', 'rebuild', String(session.id), '--json'])).toEqual([])
    }
    await station.close()
  })
})
