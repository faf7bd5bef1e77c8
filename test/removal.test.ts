/** A charge point is deleted while it charges: seen through HTTP, also by the next process. */
import { expect } from 'vitest'
import { acrossRestarts } from './restarts.ts'
import { booted16, booted201, eventOf, startOf } from './station.ts'

const at = (minutes: number): string => new Date(Date.now() - (60 - minutes) * 60_000).toISOString()

const it = acrossRestarts('SIGTERM')

it('SESSION-S4: completes the session with what was counted, for good, and tells it to the events feed', async function* (house) {
  const one = await booted16(house.ocppUrl, 'REMOVED-16')
  const { transactionId } = await one.ask('StartTransaction', startOf({ meterStart: 1000, timestamp: at(0) }))
  const stoppedAt = at(10)
  await one.ask('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: stoppedAt, sampledValue: [{ value: '3500' }] }],
  })
  const two = await booted201(house.ocppUrl, 'REMOVED-201')
  await two.ask('TransactionEvent', eventOf('Started', 0, { timestamp: at(0) }))
  for (const id of ['REMOVED-16', 'REMOVED-201']) {
    expect((await house.request('DELETE', `/2/evse-controllers/${id}`)).status).toBe(204)
    expect((await house.request('DELETE', `/2/evse-controllers/${id}`)).status).toBe(404)
  }
  expect(await one.closed).toEqual({ code: 1008, reason: 'deleted' })
  expect((await two.closed).code).toBe(1008)

  const [session] = await house.sessions('REMOVED-16')
  expect(session).toMatchObject({ state: 'completed', energyKwh: 2.5, stoppedAt })
  const { body } = await house.request('GET', '/2/events?limit=100')
  const reported = (body.data as readonly { readonly data: object }[]).map(({ data }) => data)
  expect(reported).toContainEqual(session)

  yield
  expect(await house.sessions('REMOVED-16')).toEqual([session])
  expect(await house.sessions('REMOVED-201')).toMatchObject([{ state: 'completed', energyKwh: 0 }])
  expect((await house.request('GET', '/2/evse-controllers/REMOVED-16')).status).toBe(404)
})

it('COST-L2, COST-L3: its sessions could not be settled any more', async function* (house) {
  const station = await booted16(house.ocppUrl, 'BILLED-LATER')
  const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: at(0) }
  const { transactionId } = await station.ask('StartTransaction', start)
  await station.ask('StopTransaction', { transactionId, meterStop: 5000, timestamp: at(30) })
  const [session] = await house.sessions('BILLED-LATER')
  expect((await house.request('DELETE', '/2/evse-controllers/BILLED-LATER')).status).toBe(204)
  const path = `/2/sessions/${session?.id}/settlements`
  const settle = (cost: number) =>
    house.request('POST', path, { cost, currency: 'EUR' }, { 'idempotency-key': `cost-${cost}` })
  const answers = await Promise.all([settle(2), settle(3)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const settled = await house.session(String(session?.id))
  expect(settled).toMatchObject({ state: 'completed', energyKwh: 5, settlementCount: 2, currency: 'EUR' })
  yield
  expect(await house.session(String(session?.id))).toEqual(settled)
  expect((await house.request('GET', '/2/evse-controllers/BILLED-LATER')).status).toBe(404)
  const events = (await house.request('GET', '/2/events?limit=100')).body.data as readonly { data: unknown }[]
  expect(events.at(-1)?.data).toEqual(settled)
})
