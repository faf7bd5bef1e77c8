import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApi, type TestApi, tokenOf } from '../../../test/support/api/testing.ts'
import { anIntent, aVariable } from '../../../test/support/records.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { addConfigurations } from './configuration.ts'
import { addDeviceModel } from './device-model.ts'
import { addIntents } from './intents.ts'

interface Page {
  readonly data: readonly { readonly evseControllerId: string; readonly key: string; readonly value?: string }[]
  readonly meta: { readonly nextCursor?: string }
}

const NOW = Date.UTC(2026, 7, 1)
const TOKEN = tokenOf()
const intent = (key: string, change: Partial<Intent> = {}): Intent =>
  anIntent(key, { accountId: 'acc1', kind: 'configurationKey', nextAttemptAt: NOW, updatedAt: NOW, ...change })
const variable = (key: string, change: Partial<StoredVariable> = {}): StoredVariable =>
  aVariable(key, { accountId: 'acc1', ...change })

let api: TestApi
let token = TOKEN
const asToken = { authorization: 'Bearer pwa_x' }
beforeEach(async () => {
  token = TOKEN
  api = await startApi({
    parts: {
      verifyAccessToken: async () => token,
      extraEndpoints: [addIntents, addDeviceModel, addConfigurations],
    },
  })
})
afterEach(() => api.close())

const keep = async (records: readonly object[]): Promise<void> => {
  const [result] = await api.store.core.commit([{ chargePointId: 'CP1', records: records as never }])
  if (result && !result.ok) throw result.error
}
const keysOf = ({ data }: Page): readonly string[] => data.map(({ key }) => key)

it('INTENT-A2: lists by state and kind, page by page, and shows no other account’s', async () => {
  await keep([
    ...['A', 'B', 'C'].map((key) => ({ kind: 'intents', put: intent(key) })),
    { kind: 'intents', put: intent('D', { state: 'verified' }) },
    { kind: 'intents', put: intent('E.F', { kind: 'variable' }) },
    { kind: 'intents', put: intent('X', { chargePointId: 'CP-OTHER', accountId: 'acc2' }) },
  ])
  for (const path of ['/2/intents', '/2/evse-controllers/CP1/intents']) {
    expect(keysOf(await api.get<Page>(path))).toEqual(['A', 'B', 'C', 'D', 'E.F'])
    expect(keysOf(await api.get<Page>(`${path}?state=verified`))).toEqual(['D'])
    expect(keysOf(await api.get<Page>(`${path}?kind=variable`))).toEqual(['E.F'])
    expect(keysOf(await api.get<Page>(`${path}?kind=variable&state=verified`))).toEqual([])
    const first = await api.get<Page>(`${path}?state=pending&limit=2`)
    expect(keysOf(first)).toEqual(['A', 'B'])
    const rest = await api.get<Page>(`${path}?state=pending&limit=2&cursor=${first.meta.nextCursor}`)
    expect([keysOf(rest), rest.meta]).toEqual([['C', 'E.F'], {}])
  }
  expect((await api.call('GET', '/2/intents?state=done')).status).toBe(400)
  expect((await api.call('GET', '/2/evse-controllers/CP-OTHER/intents')).status).toBe(404)
})

it.each(['Pending', 'Rejected'] as const)('OIDC-C3: an application saw one that is %s', async (registrationStatus) => {
  await api.store.writes.createChargePoint(aChargePoint({ id: 'STRANGER', accountId: 'acc1', registrationStatus }))
  await keep([
    { kind: 'intents', put: intent('A') },
    { kind: 'intents', put: intent('A', { chargePointId: 'STRANGER' }) },
    { kind: 'variables', put: variable('Clock.Now') },
    { kind: 'variables', put: variable('Clock.Now', { chargePointId: 'STRANGER' }) },
  ])
  token = { ...TOKEN, scopes: ['chargers:read', 'chargers:configure'] }
  const answer = { method: 'PUT', body: { selector: {}, keys16: [{ key: 'HeartbeatInterval', value: '1' }] } }
  expect((await api.call(answer.method, '/2/configurations/all', answer.body, asToken)).status).toBe(201)
  for (const path of ['/2/evse-controllers', '/2/intents', '/2/variables', '/2/configurations/all/status']) {
    const shown = await (await api.call('GET', path, undefined, asToken)).text()
    expect([shown.includes('CP1'), shown.includes('STRANGER')], path).toEqual([true, false])
    expect(await (await api.call('GET', path)).text(), path).toContain('STRANGER')
  }
  const own = '/2/evse-controllers/STRANGER'
  expect((await api.call('GET', own, undefined, asToken)).status).toBe(404)
  const search = { from: '2020-01-01T00:00:00Z' }
  expect((await api.call('POST', `${own}/commands/search`, search, asToken)).status).toBe(404)
  await api.store.writes.updateChargePoint('acc1', 'STRANGER', { registrationStatus: 'Accepted' })
  expect((await api.call('GET', own, undefined, asToken)).status).toBe(200)
})

it('DEVICE-A1: variables are found by component, variable, EVSE and value, in any case', async () => {
  const place = { component: { name: 'Connector', evseId: 2 }, variable: { name: 'Power' }, attribute: 'Actual' }
  await keep([
    { kind: 'variables', put: variable('Clock.Now') },
    { kind: 'variables', put: variable('Clock.Zone', { value: '7', gone: true }) },
    { kind: 'variables', put: variable('Connector.Power', { name: place }) },
    { kind: 'variables', put: variable('Clock.Now', { chargePointId: 'CP-OTHER', accountId: 'acc2' }) },
  ])
  for (const path of ['/2/variables', '/2/evse-controllers/CP1/variables']) {
    const found = async (query: string) => (await api.get<Page>(`${path}${query}`)).data.length
    expect(await found('')).toBe(3)
    expect(await found('?component=CLOCK')).toBe(2)
    expect(await found('?variable=now')).toBe(1)
    expect(await found('?component=clock&variable=Now')).toBe(1)
    expect(await found('?evseId=2')).toBe(1)
    expect(await found('?value=7')).toBe(1)
    const first = await api.get<Page>(`${path}?limit=2`)
    expect((await api.get<Page>(`${path}?limit=2&cursor=${first.meta.nextCursor}`)).data).toHaveLength(1)
  }
  expect((await api.get<Page>('/2/variables?value=7')).data[0]).toMatchObject({ gone: true, mutability: 'ReadWrite' })
})

it.each([
  [
    {
      keys16: [
        { key: 'A', value: '1' },
        { key: 'CentralSystemURL', value: 'wss://evil.example' },
      ],
    },
    '/keys16/1/key',
  ],
  [
    { variables: [{ component: { name: 'NetworkConfiguration' }, variable: { name: 'Slot' }, value: '1' }] },
    '/variables/0/variable/name',
  ],
])('OIDC-C11: no application moves a charge point to another server: %j', async (settings, pointer) => {
  token = { ...TOKEN, scopes: ['chargers:configure'], chargePoints: 'all' }
  const body = { selector: {}, ...settings }
  const refused = await api.call('PUT', '/2/configurations/moved', body, asToken)
  expect(refused.status).toBe(403)
  expect((await refused.json()).errors).toMatchObject([{ pointer, code: 'insufficient_scope' }])
  expect((await api.call('GET', '/2/configurations/moved')).status).toBe(404)
  expect((await api.call('PUT', '/2/configurations/moved', body)).status).toBe(201)
  expect((await api.call('DELETE', '/2/configurations/moved')).status).toBe(204)
})
