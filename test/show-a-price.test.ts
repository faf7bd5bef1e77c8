/** docs/show-a-price.md: every command of it, on a server with a charge point that has a display. */

import { afterAll, expect, it } from 'vitest'
import { ChargePoint } from '../simulator/index.ts'
import { commandsOf, jsonFor } from './documents.ts'
import { type Json, openHouse, until } from './house.ts'

const commands = commandsOf('docs/show-a-price.md')

const house = await openHouse()
const south = await ChargePoint.connect({ url: house.ocppUrl, id: 'SOUTH-1', ocpp: '2.0.1' })
afterAll(async () => {
  await south.close()
  await house.close()
})

const json = (command?: string) => jsonFor(house, command)

it('DRIVER-M1, DRIVER-M4, DRIVER-C1, DRIVER-C4: its commands do what they say', async () => {
  expect(commands).toHaveLength(8)
  const [tariff, price, kept, look, all, details, report, remove] = commands
  expect(await json(tariff)).toMatchObject({ currency: 'EUR' })
  expect(await json(price)).toMatchObject({ name: 'price', state: 'Idle' })
  // It speaks 2.0.1: test/tariffs-on-a-station.test.ts has one of 2.1.
  expect(await json(kept)).toMatchObject({ data: [] })
  await until(async () => ((await json(look)).intent as Json).state === 'verified')
  expect(south.state.display).toEqual(['0.50 EUR/kWh and 1 EUR for each charge'])
  expect(await json(all)).toMatchObject({ data: [{ name: 'price' }], others: [] })

  const { id } = await json(report)
  const at = `/2/evse-controllers/SOUTH-1/reports/${id}`
  await until(async () => (await house.request('GET', at)).body.state === 'complete')
  await south.plug(1)
  await south.swipe(1, 'CARD-1')
  const search = { method: ['Authorize'], from: '2020-01-01T00:00:00Z' }
  const shown = await house.request('POST', '/2/evse-controllers/SOUTH-1/commands/search', search)
  expect(shown.body.data).toMatchObject([
    { response: { idTokenInfo: { personalMessage: { language: 'en', content: '0.50 EUR/kWh + 1.00 EUR' } } } },
  ])
  await until(async () => {
    const [session] = (await json(details)).data as readonly { readonly details: { readonly shownCost?: Json } }[]
    return Number(session?.details.shownCost?.cost) >= 1
  })
  expect(south.state.connectors[0]?.transaction?.cost).toBeGreaterThanOrEqual(1)
  expect(south.state.display).toEqual([])
  await south.unplug(1)

  expect(await json(remove)).toEqual({})
  await until(() => south.state.display.length === 0)
})
