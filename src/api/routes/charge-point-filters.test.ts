import { expect, it } from 'vitest'
import { apiOfTest, START } from '../../../test/support/api/testing.ts'
import type { TokenPrincipal } from '../access/access.ts'

const PATH = '/2/evse-controllers'
let token: TokenPrincipal | undefined

const api = await apiOfTest({ parts: { verifyAccessToken: async () => token } })
const { writes } = api.store
const base = { accountId: 'acc1', securityProfile: 0, registrationStatus: 'Accepted', createdAt: START } as const
await writes.createChargePoint({ ...base, id: 'F1', name: 'Hof 100%', labels: { site: 'North', bay: '1' } })
await writes.createChargePoint({ ...base, id: 'F2', name: 'a_b', securityProfile: 1, labels: { site: 'North' } })
await writes.createChargePoint({ ...base, id: 'F3', labels: { site: 'a:b' } })
await api.store.core.commit([
  { chargePointId: 'F1', status: { vendor: 'Acme', model: 'M1', firmwareVersion: '1.0', lastSeenAt: 2 } },
  { chargePointId: 'F1', connectors: [{ connectorId: 1, status: 'Faulted', info: 'hot', updatedAt: START }] },
  { chargePointId: 'F2', status: { vendor: 'Acme', serialNumber: 'SER-9', lastSeenAt: 1 } },
  { chargePointId: 'F2', connectors: [{ connectorId: 1, status: 'Charging', updatedAt: START }] },
])
api.recording.online.add('F1')

interface List {
  readonly data: readonly { readonly id: string; readonly connectors: readonly object[]; readonly labels?: object }[]
  readonly meta: { readonly nextCursor?: string }
}
const list = async (query: string, headers = {}): Promise<List> =>
  (await (await api.call('GET', `${PATH}?${query}`, undefined, headers)).json()) as List
const ids = async (query: string, headers = {}) =>
  (await list(query, headers)).data.map(({ id }) => id).filter((id) => id.startsWith('F'))

it.each<[string, readonly string[]]>([
  ['online=true', ['F1']],
  ['online=false', ['F2', 'F3']],
  ['status=Faulted', ['F1']],
  ['status=Faulted&status=Charging', ['F1', 'F2']],
  ['status=Available', []],
  ['vendor=Acme', ['F1', 'F2']],
  ['vendor=Acme&model=M1', ['F1']],
  ['firmwareVersion=1.0', ['F1']],
  ['label=site:North', ['F1', 'F2']],
  ['label=site:North&label=bay:1', ['F1']],
  ['label=site:a%3Ab', ['F3']],
  ['site=North&online=false', ['F2']],
  ['securityProfile=1', ['F2']],
  ['q=ser-9', ['F2']],
  ['q=%25', ['F1']],
  ['q=_', ['F2']],
  ['q=f', ['F1', 'F2', 'F3']],
  ['sort=lastSeenAt&order=desc&q=f', ['F1', 'F2', 'F3']],
  ['q=f&sort=id&order=desc', ['F3', 'F2', 'F1']],
])('CONSOLE-A4: charge points are filtered, all filters hold: %s', async (query, expected) => {
  expect(await ids(query)).toEqual(expected)
})

it('CONSOLE-A4: charge points are filtered, all filters hold: pages go on where they stopped, whatever they are sorted by', async () => {
  for (const query of ['q=f&sort=name&limit=1', 'q=f&sort=lastSeenAt&order=desc&limit=1']) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list(`${query}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.meta.nextCursor
    } while (cursor !== undefined)
    expect(seen.toSorted()).toEqual(['F1', 'F2', 'F3'])
  }
  const { meta } = await list('q=f&limit=1')
  const other = await api.call('GET', `${PATH}?q=g&limit=1&cursor=${encodeURIComponent(meta.nextCursor ?? '')}`)
  expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([400, 'cursor_mismatch'])
})

it('CONSOLE-A4: charge points are filtered, all filters hold: a grant finds only what it shares', async () => {
  const scopes = ['chargers:read']
  const grant = { kind: 'token', accountId: 'acc1', userId: 'u', clientId: 'c', grantId: 'g', scopes } as const
  token = { ...grant, chargePoints: ['F2', 'gone'] }
  const headers = { authorization: 'Bearer pwa_1' }
  expect(await ids('q=f', headers)).toEqual(['F2'])
  expect(await ids('online=true', headers)).toEqual([])
  expect(await ids('online=false', headers)).toEqual(['F2'])
})

const patch = async (labels: unknown) => {
  const answer = await api.call('PATCH', `${PATH}/F3`, { labels })
  return { status: answer.status, body: (await answer.json()) as { labels?: object; errors?: readonly object[] } }
}

it('CONSOLE-A5: labels: are merged, null removes one, and none are absent', async () => {
  expect((await patch({ floor: '2', site: null })).body.labels).toEqual({ floor: '2' })
  expect((await patch({ 'a.b-c_1': '' })).body.labels).toEqual({ floor: '2', 'a.b-c_1': '' })
  expect((await patch({ floor: null, 'a.b-c_1': null, never: null })).body).not.toHaveProperty('labels')
})

it.each([
  [{ Site: 'x' }, '/labels/Site'],
  [{ '': 'x' }, '/labels/'],
  [{ ['k'.repeat(64)]: 'x' }, `/labels/${'k'.repeat(64)}`],
  [{ site: 'x'.repeat(256) }, '/labels/site'],
  [{ site: 7 }, '/labels/site'],
  [{ site: 'a\nb' }, '/labels/site'],
  [['site'], '/labels'],
  [Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 'v'])), '/labels'],
])('CONSOLE-A5: labels: what is no label is refused and named: %j', async (labels, pointer) => {
  const { status, body } = await patch(labels)
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer })]])
  expect(await api.get(`${PATH}/F3`)).not.toHaveProperty('labels')
})

it('CONSOLE-A5: labels: a connector shows what it always did, and none of what only pages tell', async () => {
  const [first] = (await list('q=f1')).data
  expect(first?.connectors).toEqual([{ connectorId: 1, status: 'Faulted', updatedAt: new Date(START).toISOString() }])
})
