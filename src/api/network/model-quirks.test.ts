import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { addModelQuirks } from './model-quirks.ts'

const PATH = '/2/model-quirks'

// DEVICE-A6: models that are asked for their keys in tens
let api: TestApi
beforeAll(async () => {
  api = await startApi({ parts: { extraEndpoints: [addModelQuirks] } })
})
afterAll(() => api.close())

it('are shown to their account page by page, and taken back', async () => {
  const quirk = { accountId: 'acc1', vendor: 'Acme/ö', model: 'One', firmwareVersion: '1', provedBy: 'CP1', at: 0 }
  const plain = { ...quirk, vendor: '', model: '', firmwareVersion: '' }
  await api.store.writes.putRecords('model_quirks', [quirk, plain, { ...quirk, accountId: 'other' }])
  type Page = { data: { id: string; vendor?: string }[]; meta: { nextCursor?: string } }
  const first = await api.get<Page>(`${PATH}?limit=1`)
  expect(first.data).toEqual([
    { id: expect.any(String), quirk: 'dropsOnGetConfiguration', evseControllerId: 'CP1', at: expect.any(String) },
  ])
  const second = await api.get<Page>(`${PATH}?limit=1&cursor=${first.meta.nextCursor}`)
  expect(second.data).toMatchObject([{ vendor: 'Acme/ö', model: 'One', firmwareVersion: '1' }])
  const address = `${PATH}/${second.data[0]?.id}`
  expect((await api.call('DELETE', address)).status).toBe(204)
  expect((await api.call('DELETE', address)).status).toBe(404)
  expect((await api.call('DELETE', `${PATH}/nonsense`)).status).toBe(404)
  expect((await api.get<Page>(PATH)).data).toHaveLength(1)
})
