import { expect, it } from 'vitest'
import { apiOfTest, tokenOf } from '../../../test/support/api/testing.ts'
import { addLocations } from './locations.ts'

let shared: readonly string[] | 'all' = ['CP1']
let scopes = ['chargers:read']
const api = await apiOfTest({
  parts: {
    extraEndpoints: [addLocations],
    verifyAccessToken: async () => tokenOf({ scopes: scopes as never, chargePoints: shared }),
  },
})
await api.store.writes.createChargePoint({
  id: 'CP2',
  accountId: 'acc1',
  securityProfile: 0,
  registrationStatus: 'Accepted',
  createdAt: 0,
})
const place = { address: 'A', city: 'B', country: 'DEU', coordinates: { latitude: 1, longitude: 2 }, timeZone: 'UTC' }
const socket = { standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'DC', maxVoltage: 400, maxAmperage: 100 }
const evse = (evseControllerId?: string) => ({ evseControllerId, connectors: [{ connectorId: '1', ...socket }] })
const asApplication = { authorization: 'Bearer pwa_x' }
const call = (method: string, path: string, body?: object) => api.call(method, path, body, asApplication)
interface Shown {
  readonly evses: readonly { readonly evseControllerId?: string }[]
}

it('LOCATION-A1: an application reads locations with charge points of its share, of their EVSEs those, and changes none', async () => {
  await api.call('PUT', '/2/locations/both', { ...place, evses: [evse('CP1'), evse('CP2'), evse()] })
  await api.call('PUT', '/2/locations/other', { ...place, evses: [evse()] })
  const both = await (await call('GET', '/2/locations/both')).json<Shown>()
  expect(both.evses.map(({ evseControllerId }) => evseControllerId)).toEqual(['CP1'])
  expect((await call('GET', '/2/locations/other')).status).toBe(404)
  expect((await (await call('GET', '/2/locations')).json()).data.map(({ id }) => id)).toEqual(['both'])
  const csv = await (await call('GET', '/2/locations/export?format=csv')).text()
  expect(csv).toContain('CP1')
  expect(csv).not.toMatch(/CP2|other/)
  for (const [method, path] of [
    ['PUT', 'both'],
    ['PATCH', 'both'],
    ['DELETE', 'both'],
    ['POST', 'import?format=csv'],
  ] as const) {
    expect((await call(method, `/2/locations/${path}`, method === 'DELETE' ? undefined : place)).status).toBe(403)
  }
  shared = 'all'
  const all = await (await call('GET', '/2/locations/both')).json<Shown>()
  expect(all.evses).toHaveLength(2)
  scopes = ['sessions:read']
  expect((await call('GET', '/2/locations')).status).toBe(403)
})

it('LOCATION-A1: another account’s charge point is none, and its locations are not seen', async () => {
  const answer = await api.call('PUT', '/2/locations/mine', { ...place, evses: [evse('CP-OTHER')] })
  expect([answer.status, (await answer.json()).code]).toEqual([422, 'unknown_charge_point'])
  const foreign = { authorization: `Bearer ${await api.newCredential('acc2')}` }
  expect((await api.call('GET', '/2/locations/both', undefined, foreign)).status).toBe(404)
  expect((await api.call('GET', '/2/locations/export?format=ocpi', undefined, foreign)).status).toBe(200)
})
