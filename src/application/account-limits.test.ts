import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../test/support/api/testing.ts'
import { addStationModels } from '../api/charging/profiles.ts'
import { addConfigurations } from '../api/network/configuration.ts'
import { addMonitors } from '../api/network/named-of-fleet.ts'
import type { Campaign } from '../domain/firmware/records.ts'
import type { RecordKind, RecordOfKind } from '../domain/records/records.ts'
import { noRoomFor } from './context.ts'
import { draftCampaign } from './firmware/campaigns.ts'

const TIMES = { revision: 1, createdAt: 0, updatedAt: 0 }
const WISH = { accountId: 'acc1', selector: { ids: ['NOBODY'] }, ...TIMES }

// CONFIG-A13: an account has
let api: TestApi
beforeAll(async () => {
  api = await startApi({ parts: { extraEndpoints: [addConfigurations, addMonitors, addStationModels] } })
})
afterAll(() => api.close())
const fill = <Kind extends RecordKind>(kind: Kind, count: number, of: (at: number) => RecordOfKind<Kind>) =>
  api.store.writes.putRecords(
    kind,
    Array.from({ length: count }, (_, at) => of(at)),
  )
const codeOf = async (path: string, body: object): Promise<unknown> => {
  const answer = await api.call('PUT', path, body)
  return answer.status === 409 ? (await answer.json<{ code: string; detail: string }>()).code : answer.status
}

it('so many configurations, and one that is there may be changed', async () => {
  const body = { selector: { ids: ['NOBODY'] }, keys16: [{ key: 'A', value: '1' }] }
  const common = { ...WISH, priority: 0, variables: [], keys16: [{ key: 'A', value: '0' }] }
  await fill('configurations', 99, (at) => ({ ...common, name: `c${at}`, rebootPolicy: 'never' as const }))
  expect(await codeOf('/2/configurations/last', body)).toBe(201)
  expect(await codeOf('/2/configurations/more', body)).toBe('too_many_configurations')
  expect(await codeOf('/2/configurations/c7', body)).toBe(200)
})

it('so many sets of monitors', async () => {
  const monitor = { component: { name: 'E' }, variable: { name: 'P' }, type: 'Delta', value: 1, severity: 5 }
  const body = { selector: { ids: ['NOBODY'] }, monitors: [monitor] }
  await fill('monitor_sets', 100, (at) => ({ ...WISH, name: `m${at}`, monitors: [] }))
  expect(await codeOf('/2/monitors/more', body)).toBe('too_many_monitor_sets')
  expect(await codeOf('/2/monitors/m7', body)).toBe(200)
})

it('so many station models', async () => {
  const model = { accountId: 'acc1', vendor: 'V', abilities: {}, createdAt: 0, updatedAt: 0 }
  await fill('model_abilities', 499, (at) => ({ ...model, model: `m${at}` }))
  expect(await codeOf('/2/station-models/V/last', {})).toBe(201)
  expect(await codeOf('/2/station-models/V/more', {})).toBe('too_many_model_abilities')
  expect(await codeOf('/2/station-models/V/m7', {})).toBe(200)
})

it('so many images', async () => {
  const image = { accountId: 'acc1', version: '1', fileName: 'f', bytes: 1, sha256: '', createdAt: 0 }
  await fill('firmware_images', 199, (at) => ({ ...image, id: `fw_${at}` }))
  expect(await noRoomFor('firmware_images', api.store.reads, 'acc1')).toBeUndefined()
  await fill('firmware_images', 1, () => ({ ...image, id: 'fw_last' }))
  expect(await noRoomFor('firmware_images', api.store.reads, 'acc1')).toMatchObject({
    status: 409,
    code: 'too_many_firmware_images',
  })
  expect(await noRoomFor('firmware_images', api.store.reads, 'other')).toBeUndefined()
})

it('so many campaigns that are not over', async () => {
  const place = { reads: api.store.reads, random: Buffer.alloc, now: () => 0 }
  const draft = () => draftCampaign(place, 'acc1', { selector: {}, location: 'https://a.example/b', version: '2' })
  const campaign = await draft()
  if ('refused' in campaign) throw new Error(campaign.detail)
  const ended = (at: number): Campaign => ({ ...campaign, id: `done_${at}`, state: 'done' })
  await fill('firmware_campaigns', 30, ended)
  await fill('firmware_campaigns', 20, (at) => ({ ...campaign, id: `cmp_${at}`, state: 'stopped' as const }))
  expect(await draft()).toMatchObject({ status: 409, code: 'too_many_firmware_campaigns' })
  await fill('firmware_campaigns', 1, () => ({ ...campaign, id: 'cmp_7', state: 'cancelled' as const }))
  expect(await draft()).toMatchObject({ state: 'draft' })
})
