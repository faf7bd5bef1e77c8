/** Test cases of the Open Charge Alliance about messages on a display, by what is stored when they are over. */
import { afterAll, expect, it } from 'vitest'
import { type Json, openHouse, until } from './house.ts'
import { booted201, type Station } from './station.ts'

const stations: Station[] = []
const house = await openHouse()
afterAll(async () => {
  for (const station of stations) await station.close()
  await house.closeClean()
})

/** @param status what it answers to a message that is to be shown */
async function station(id: string, status: string): Promise<Station> {
  const respond = (method: string): Json => ({ status: method === 'SetDisplayMessage' ? status : 'Accepted' })
  const one = await booted201(house.ocppUrl, id, { respond })
  stations.push(one)
  return one
}

const path = (id: string): string => `/2/evse-controllers/${id}/display-messages/case`
const shown = async (id: string): Promise<Json> => (await house.request('GET', path(id))).body
const intent = async (id: string): Promise<Json | undefined> => (await shown(id)).intent as Json | undefined

it.each([
  ['TC_O_17', 'NotSupportedPriority', { priority: 'AlwaysFront' }],
  ['TC_O_18', 'NotSupportedState', { state: 'Faulted' }],
  ['TC_O_19', 'NotSupportedMessageFormat', { format: 'HTML' }],
  ['TC_O_26', 'UnknownTransaction', {}],
  ['TC_O_01', 'Rejected', {}],
])('DRIVER-M1, %s: a message that the charge point refuses with %s says so', async (id, status, more) => {
  const one = await station(id, status)
  expect((await house.request('PUT', path(id), { content: 'Hello', ...more })).status).toBe(201)
  await until(async () => (await intent(id))?.state === 'rejected')
  expect(await intent(id)).toMatchObject({ reason: status, attempts: 1 })
  expect(one.requests('SetDisplayMessage')).toMatchObject([{ message: { message: { content: 'Hello' } } }])
})

it('DRIVER-M1, DRIVER-M5, TC_O_13, TC_O_14: a message has its begin and its end, and is over then', async () => {
  const one = await station('TC_O_13', 'Accepted')
  const [startAt, endAt] = [3_600_000, 7_200_000].map((ahead) => new Date(Date.now() + ahead).toISOString())
  expect((await house.request('PUT', path('TC_O_13'), { content: 'Later', startAt, endAt })).status).toBe(201)
  await until(() => one.requests('SetDisplayMessage').length > 0)
  expect(one.requests('SetDisplayMessage')[0]).toMatchObject({
    message: { startDateTime: startAt, endDateTime: endAt },
  })
  expect(await shown('TC_O_13')).toMatchObject({ startAt, endAt })
})
