import { expect, it } from 'vitest'
import { apiOfTest } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { addSites } from './sites.ts'

const api = await apiOfTest({ parts: { extraEndpoints: [addSites] } })
const { writes } = api.store
for (const [id, labels] of [
  ['CP7', { site: 'Köln 🚗' }],
  ['CP8', { site: 'Köln 🚗' }],
  ['CP9', { floor: '1' }],
] as const) {
  await writes.createChargePoint(
    aChargePoint({ id, accountId: 'acc1', labels, securityProfile: 0, protocols: [], createdAt: 1 }),
  )
}

const PLACE = { coordinates: { latitude: -17.7, longitude: 178 } }
const at = (site: string) => `/2/sites/${encodeURIComponent(site)}`
const names = async (query = '') =>
  ((await api.get(`/2/sites${query}`)).data as unknown as { site: string }[]).map(({ site }) => site)

it('SITE-A1: a site is there by its label alone, and by its place alone', async () => {
  expect(await api.get(at('Köln 🚗'))).toMatchObject({ stations: 2, offline: 2, state: 'gone', powerKw: 0 })
  expect((await api.call('GET', at('Bonn'))).status).toBe(404)
  const made = await api.call('PUT', at('Bonn'), PLACE)
  expect([made.status, made.headers.get('location')]).toEqual([201, at('Bonn')])
  expect(await made.json()).toMatchObject({ site: 'Bonn', stations: 0, state: 'empty', ...PLACE })
  expect((await api.call('PUT', at('Köln 🚗'), PLACE)).status).toBe(201)
  expect((await api.call('PUT', at('Köln 🚗'), PLACE)).status).toBe(200)
  expect(await api.get(at('Köln 🚗'))).toMatchObject({ stations: 2, ...PLACE })
  expect(await names()).toEqual(['Bonn', 'Köln 🚗'])
  const { meta } = await api.get('/2/sites?limit=1')
  expect(await names(`?limit=1&cursor=${meta.nextCursor}`)).toEqual(['Köln 🚗'])
  for (const status of [204, 404]) expect((await api.call('DELETE', at('Bonn'))).status).toBe(status)
  expect((await api.call('DELETE', at('Köln 🚗'))).status).toBe(204)
  expect(await api.get(at('Köln 🚗'))).not.toHaveProperty('coordinates')
  expect(await names()).toEqual(['Köln 🚗'])
})

it.each([
  ['a name of 256 characters', 'x'.repeat(256), PLACE, '/site'],
  ['an invisible name', 'a\u202eb', PLACE, '/site'],
  ['no coordinates', 'X', {}, '/coordinates'],
  ['a latitude beyond the pole', 'X', { coordinates: { latitude: 90.1, longitude: 0 } }, '/coordinates/latitude'],
  [
    'a longitude beyond half the world',
    'X',
    { coordinates: { latitude: 0, longitude: -181 } },
    '/coordinates/longitude',
  ],
  ['one of them alone', 'X', { coordinates: { latitude: 0 } }, '/coordinates/longitude'],
  ['more than a place', 'X', { ...PLACE, name: 'Y' }, '/name'],
])('SITE-A1: %s is refused by name', async (_, site, body, pointer) => {
  const refused = await api.call('PUT', at(site), body)
  const { errors } = await refused.json()
  expect([refused.status, errors[0].pointer]).toEqual([400, pointer])
})

it('SITE-A1: a name of 255 characters in any script is a site as well', async () => {
  const site = `${'🚗'.repeat(249)}"<b>'/`
  expect((await api.call('PUT', at(site), PLACE)).status).toBe(201)
  expect(await api.get(at(site))).toMatchObject({ site })
})
