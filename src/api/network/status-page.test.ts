import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { addConfigurations } from './configuration.ts'
import { addMonitors } from './named-of-fleet.ts'

type Page = { counts: object; data: { evseControllerId: string; state: string }[]; meta: { nextCursor?: string } }

// CONFIG-A11: how far a configuration and a set of monitors have come
let api: TestApi
beforeAll(async () => {
  api = await startApi({ parts: { extraEndpoints: [addConfigurations, addMonitors] } })
  for (const id of ['S1', 'S2', 'S3', 'S4']) {
    const registration = { securityProfile: 0, registrationStatus: 'Accepted', createdAt: 0 } as const
    await api.store.writes.createChargePoint({ id, accountId: 'acc1', ...registration })
  }
})
afterAll(() => api.close())

it.each(['configurations', 'monitors'])('%s: page by page, by state, and all of them counted', async (what) => {
  const monitors = [{ component: { name: 'E' }, variable: { name: 'P' }, type: 'Delta', value: 1, severity: 5 }]
  const wish = what === 'monitors' ? { monitors } : { keys16: [{ key: 'A', value: '1' }] }
  const selector = { ids: ['S1', 'S2', 'S3', 'S4'], not: { ids: ['S2'] } }
  expect((await api.call('PUT', `/2/${what}/w`, { selector, ...wish })).status).toBe(201)
  const path = `/2/${what}/w/status`
  const first = await api.get<Page>(`${path}?state=pending&limit=2`)
  expect(first.counts).toEqual({ pending: 3 })
  expect(first.data.map(({ evseControllerId }) => evseControllerId)).toEqual(['S1', 'S3'])
  const second = await api.get<Page>(`${path}?state=pending&limit=2&cursor=${first.meta.nextCursor}`)
  expect(second).toMatchObject({ data: [{ evseControllerId: 'S4' }], meta: {} })
  expect(await api.get<Page>(`${path}?state=conflict`)).toEqual({ counts: { pending: 3 }, data: [], meta: {} })
  expect((await api.call('GET', `${path}?state=wrong`)).status).toBe(400)
})
