/** docs/stop-a-charge-at-20-euro.md: every command of it, on a server with charge points of both versions. */

import { expect, it } from 'vitest'
import { commandsOf, jsonFor } from './documents.ts'
import { houseOfFile, type Json, until } from './house.ts'
import { bootStation, eventOf } from './station.ts'

const commands = commandsOf('docs/stop-a-charge-at-20-euro.md')

/** Does what it is asked. */
const respond = (): Json => ({ status: 'Accepted' })

const house = await houseOfFile()
const north = await bootStation(house.ocppUrl, 'NORTH-1', 'ocpp1.6', { respond })
const south = await bootStation(house.ocppUrl, 'SOUTH-1', 'ocpp2.0.1', { respond })

const json = <T>(command?: string) => jsonFor<T>(house, command)

it('SESSION-L1, SESSION-L4: its commands do what they say', async () => {
  expect(commands).toHaveLength(5)
  const [tariff, start, details, card, raise] = commands
  expect(await json(tariff)).toMatchObject({ currency: 'EUR' })
  expect(await json(start)).toMatchObject({ state: 'pending' })
  await until(() => north.requests('RemoteStartTransaction')[0] !== undefined)
  const idTag = String(north.requests('RemoteStartTransaction')[0]?.idTag)
  const timestamp = new Date().toISOString()
  const begin = { connectorId: 1, idTag, meterStart: 1_000, timestamp }
  const { transactionId } = await north.ask('StartTransaction', begin)
  for (const value of ['40000', '41800']) {
    const meterValue = [{ timestamp, sampledValue: [{ value }] }]
    await north.ask('MeterValues', { connectorId: 1, transactionId, meterValue })
  }
  await until(() => north.requests('RemoteStopTransaction')[0] !== undefined)
  expect(north.requests('RemoteStopTransaction')[0]).toEqual({ transactionId })
  await north.ask('StopTransaction', { transactionId, meterStop: 41_800, timestamp })
  const { data } = await json<{ data: Json[] }>(details)
  expect(data).toMatchObject([
    {
      state: 'completed',
      cost: 20.4,
      details: {
        limits: { cost: 20, durationSeconds: 14_400 },
        limitReached: { kind: 'cost', limit: 20, reached: 20.4 },
      },
    },
  ])

  await house.request('POST', '/2/id-tokens', { id: '04A2B3C4' })
  expect(await json(card)).toMatchObject({ sessionLimits: { energyKwh: 30 }, budget: { cost: 10, per: 'day' } })

  const { id } = await json<{ id: string }>(start)
  process.env.SESSION = id
  expect(await json(raise)).toMatchObject({ id, state: 'pending' })
  const { body } = await house.request('GET', `/2/sessions/${id}?include=details`)
  expect(body).toMatchObject({ details: { limits: { cost: 25, durationSeconds: 14_400 } } })
})

it('TOKEN-Z6, TOKEN-Z7: a 2.0.1 charge that uses up the budget is stopped, and its card is without credit', async () => {
  const idToken = { idToken: '04a2b3c4', type: 'ISO14443' }
  const event = (eventType: string, triggerReason: string, seqNo: number, value: number, more: object = {}) => {
    const timestamp = new Date().toISOString()
    const meterValue = [{ timestamp, sampledValue: [{ value }] }]
    return south.ask('TransactionEvent', eventOf(eventType, seqNo, { triggerReason, timestamp, meterValue, ...more }))
  }
  expect(await event('Started', 'Authorized', 0, 0, { idToken })).toMatchObject({ idTokenInfo: { status: 'Accepted' } })
  await event('Updated', 'MeterValuePeriodic', 1, 20_100)
  await until(() => south.requests('RequestStopTransaction')[0] !== undefined)
  await event('Ended', 'RemoteStop', 2, 20_100)
  expect(await south.ask('Authorize', { idToken })).toMatchObject({ idTokenInfo: { status: 'NoCredit' } })
  const start = { evseControllerId: 'NORTH-1', idToken: '04A2B3C4' }
  expect((await house.request('POST', '/2/sessions', start)).body).toMatchObject({ code: 'id_token_not_accepted' })
})

it('SESSION-L1: limits that limit nothing are refused', async () => {
  for (const limits of [{ cost: 0 }, { energyKwh: -1 }, { durationSeconds: 0.5 }, { kwh: 1 }, { cost: 1e10 }]) {
    const refused = await house.request('POST', '/2/sessions', { evseControllerId: 'NORTH-1', limits })
    expect([limits, refused.status]).toEqual([limits, 400])
  }
  for (const budget of [{ per: 'day' }, { per: 'week', cost: 1 }, { per: 'day', cost: 1, energyKwh: 1 }, { cost: 1 }]) {
    expect((await house.request('PATCH', '/2/id-tokens/04A2B3C4', { budget })).status).toBe(400)
  }
  const gone = await house.request('PATCH', '/2/id-tokens/04A2B3C4', { budget: null, sessionLimits: null })
  expect(gone.body).not.toHaveProperty('budget')
  expect(gone.body).not.toHaveProperty('sessionLimits')
})
