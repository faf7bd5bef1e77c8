/** A stop that comes after its session was completed by force and settled: from the socket to the receiver. */
import { afterAll, expect, it } from 'vitest'
import { type Json, openHouse, until } from './house.ts'
import { booted16 } from './station.ts'
import { startReceiver } from './support/webhooks/receiver.ts'

const hook = await startReceiver()
const house = await openHouse()
await house.request('POST', '/2/webhooks', { url: hook.url })
await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.5 })
const station = await booted16(house.ocppUrl, 'CP-1')
afterAll(async () => {
  await station.close()
  await house.close()
  await hook.close()
})

const NOW = Date.now()
const minute = (number: number): string => new Date(NOW + number * 60_000).toISOString()

const start = async (at: number, meterStart: number): Promise<unknown> => {
  const times = { timestamp: minute(at) }
  const { transactionId } = await station.ask('StartTransaction', { connectorId: 1, idTag: 'C', meterStart, ...times })
  return transactionId
}
const stop = (transactionId: unknown): Promise<unknown> =>
  station.ask('StopTransaction', { transactionId, meterStop: 3000, timestamp: minute(40) })

async function settle(sessionId: unknown): Promise<Json> {
  const path = `/2/sessions/${sessionId}/settlements`
  const { status, body } = await house.request('POST', path, {}, { 'idempotency-key': 'a' })
  expect(status).toBe(201)
  return body
}

/** Recorded before the message that caused them was answered. */
async function eventsOf(sessionId: unknown): Promise<readonly Json[]> {
  const { body } = await house.request('GET', '/2/events?limit=500')
  return (body.data as Json[]).filter(({ data }) => (data as Json).id === sessionId)
}

it('HOOK-M5: a late stop corrects a settled session with exactly one event that carries the new figures', async () => {
  const transactionId = await start(0, 0)
  const [session] = await house.sessions('CP-1')
  const { id } = session ?? {}
  // The connector is taken by the next transaction: the first one ends by force, with what is known of it.
  await start(50, 3000)
  expect(await house.session(String(id))).toMatchObject({ state: 'completed', energyKwh: 0 })
  expect(await settle(id)).toMatchObject({ energyKwh: 0, cost: 0, currency: 'EUR', settlementCount: 1 })
  const before = await eventsOf(id)

  await stop(transactionId)
  const after = await eventsOf(id)
  expect(after.slice(0, -1)).toEqual(before)
  const correction = after.at(-1)
  const figures = { energyKwh: 3, cost: 1.5, settlementCount: 2, startedAt: minute(0), stoppedAt: minute(40) }
  expect(correction).toMatchObject({ type: 'session.updated', data: { id, state: 'completed', ...figures } })
  expect(correction?.data).toEqual(await house.session(String(id)))

  // The station repeats it, as stations do: the same answer, and no event.
  await stop(transactionId)
  expect(await eventsOf(id)).toEqual(after)

  const received = (): unknown[] =>
    hook.received.map(({ body }) => JSON.parse(body) as Json).filter(({ data }) => (data as Json).id === id)
  await until(() => received().length === after.length)
  expect(received()).toEqual(expect.arrayContaining([...after]))
  const timeline = await house.request('GET', `/2/sessions/${id}/timeline`)
  const settlements = (timeline.body.data as Json[]).filter(({ type }) => type === 'settlement')
  expect(settlements.map(({ number, energyKwh, cost }) => [number, energyKwh, cost])).toEqual([
    [1, 0, 0],
    [2, 3, 1.5],
  ])
})
