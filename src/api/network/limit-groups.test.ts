import { afterEach, beforeEach, expect, it } from 'vitest'
import { START, startApi, type TestApi, type TestResponse, tokenOf } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { addLimitGroups } from './limit-groups.ts'

const TOKEN = tokenOf({ scopes: ['chargers:control'], chargePoints: ['CP1'] })
const APP = { authorization: 'Bearer pwa_1' }
const SITE = '/2/limit-groups/site'
const later = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

let api: TestApi
let token = TOKEN
beforeEach(async () => {
  token = TOKEN
  api = await startApi({ parts: { verifyAccessToken: async () => token, extraEndpoints: [addLimitGroups] } })
})
afterEach(() => api.close())

const put = (name: string, body: object) => api.call('PUT', `/2/limit-groups/${name}`, body)
const codeOf = async (answer: TestResponse) => [answer.status, (await answer.json()).code]

it('GROUP-B1: a group is shown with its defaults, listed, replaced and not there once deleted', async () => {
  const first = await put('site', { amps: 100 })
  expect([first.status, first.headers.get('location')]).toEqual([201, SITE])
  const shown = {
    name: 'site',
    amps: 100,
    phases: 3,
    minAmps: 6,
    bufferAmps: 0,
    safeAmps: 50,
    leaseSeconds: 600,
    strategy: 'equal',
    revision: 1,
  }
  expect(await first.json()).toMatchObject(shown)
  expect((await put('site', { watts: 70_000, strategy: 'priority' })).status).toBe(200)
  const list = await (await api.call('GET', '/2/limit-groups')).json()
  expect(list.data).toMatchObject([{ name: 'site', watts: 70_000, safeAmps: 50.7, revision: 2 }])
  // More amps than anybody may ask for.
  expect((await put('site', { watts: 100_000_000, phases: 1 })).status).toBe(200)
  expect(await (await api.call('GET', SITE)).json()).toMatchObject({ safeAmps: 217_391.3 })
  expect((await api.call('DELETE', SITE)).status).toBe(204)
  expect(await codeOf(await api.call('GET', SITE))).toEqual([404, 'not_found'])
})

const as = (method: string, path: string, body?: object) =>
  api.call(method, path, body, { authorization: 'Bearer pwa_1' })
const OWN = { amps: 20, selector: { ids: ['CP1'] } }
const REFUSED = [403, 'insufficient_scope']

it('OIDC-C14: an application beside its account: its own group is its own until the account puts it', async () => {
  expect((await as('PUT', SITE, OWN)).status).toBe(201)
  expect((await as('PUT', `${SITE}/load`, { watts: 1, until: later(60) })).status).toBe(200)
  token = { ...TOKEN, grantId: 'another' }
  expect(await codeOf(await as('DELETE', SITE))).toEqual(REFUSED)
  token = TOKEN
  expect((await put('site', OWN)).status).toBe(200)
  expect(await codeOf(await as('PUT', SITE, OWN))).toEqual(REFUSED)
})

it('GROUP-B3: an application beside its account: a parent that it did not put starved the groups beside it: it is as unknown as one that is not there', async () => {
  await put('building', { amps: 100 })
  await put('row', { amps: 100, selector: { ids: ['CP1'] } })
  token = { ...TOKEN, chargePoints: 'all' }
  for (const parent of ['building', 'row', 'nowhere']) {
    const answer = await (await as('PUT', '/2/limit-groups/own', { amps: 1000, selector: {}, parent })).json()
    expect(answer).toMatchObject({ status: 422, code: 'unknown_parent', errors: [{ pointer: '/parent' }] })
  }
  expect((await as('PUT', '/2/limit-groups/above', { amps: 50 })).status).toBe(201)
  expect((await as('PUT', '/2/limit-groups/below', { amps: 50, parent: 'above' })).status).toBe(201)
})

it('GROUP-B4: an application beside its account: its earlier group kept the account from its own: the account’s has the charge point', async () => {
  expect((await as('PUT', '/2/limit-groups/own', OWN)).status).toBe(201)
  expect((await put('site', { amps: 100, selector: {} })).status).toBe(201)
  const status = async (name: string) => (await api.call('GET', `/2/limit-groups/${name}/status`)).json()
  expect((await status('site')).data).toMatchObject([{ evseControllerId: 'CP1', group: 'site' }])
  expect((await status('own')).data).toEqual([])
  // Its refusal names no group that it cannot see.
  const again = await (await as('PUT', '/2/limit-groups/own-2', OWN)).json()
  expect(again).toMatchObject({ status: 409, code: 'in_another_group' })
  expect(JSON.stringify(again)).not.toContain('site')
})

it('GROUP-B1: an application used up all groups that the account may have', async () => {
  const ofApp = (name: string) =>
    api.call('PUT', `/2/limit-groups/${name}`, { amps: 20, selector: { ids: ['CP1'], labels: { at: name } } }, APP)
  const row = (n: number) => ({
    accountId: 'acc1',
    name: `g${n}`,
    desired: { amps: 20, selector: { ids: [] } },
    grantId: 'x',
  })
  const dates = { revision: 1, createdAt: START, updatedAt: START }
  const rows = Array.from({ length: 99 }, (_, n) => ({ ...row(n), ...dates }))
  await api.store.writes.putRecords('limit_groups', rows)
  expect((await ofApp('a')).status).toBe(201)
  expect(await codeOf(await ofApp('b'))).toEqual([409, 'too_many_limit_groups'])
  expect((await ofApp('a')).status).toBe(200)
  expect((await put('own', { amps: 20 })).status).toBe(201)
})

it.each([
  ['GROUP-B2: fallbacks that do not fit', { amps: 16, fallbackAmps: 20 }, [422, 'fallback_too_large']],
  ['GROUP-B2: a floor that does not fit', { amps: 5, minWatts: 4200 }, [422, 'floor_too_large']],
  ['GROUP-B2: more when nothing is known than when all is', { amps: 16, safeAmps: 17 }, [422, 'safe_too_large']],
  ['GROUP-B2: a least current above the limit', { amps: 10, minAmps: 16 }, [422, 'minimum_too_large']],
  ['GROUP-B2: one above the limit in watts', { watts: 6900, minAmps: 11 }, [422, 'minimum_too_large']],
  ['GROUP-B2: one above what the buffer leaves', { amps: 32, bufferAmps: 20, minAmps: 13 }, [422, 'minimum_too_large']],
  ['GROUP-B2: the usual one, in a limit that no car can use', { amps: 5, minAmps: 6 }, [201]],
  ['GROUP-B2: a buffer above the limit', { amps: 16, bufferAmps: 17 }, [422, 'buffer_too_large']],
  ['GROUP-B3: a parent that is not there', { amps: 16, parent: 'nowhere' }, [422, 'unknown_parent']],
  ['GROUP-B3: a group that feeds itself', { amps: 16, parent: 'site' }, [422, 'circle']],
  ['no limit', {}, [400, 'invalid_value']],
  ['two limits', { amps: 16, watts: 1 }, [400, 'invalid_value']],
  ['a limit below nothing', { amps: -1 }, [400, 'invalid_value']],
  ['a lease that is too short', { amps: 16, leaseSeconds: 59 }, [400, 'invalid_value']],
  ['two phases', { amps: 16, phases: 2 }, [400, 'invalid_value']],
  ['a member that is none', { amps: 16, limit: 5 }, [400, 'unknown_member']],
])('%s', async (_, body, refused) => {
  const answer = await put('site', { selector: { ids: ['CP1'] }, ...body })
  expect([answer.status]).toEqual([refused[0]])
  if (refused[0] === 422) expect(await codeOf(answer)).toEqual(refused)
})

it('GROUP-B2: a least current that fits a group and none above it paused every charge', async () => {
  await put('site', { amps: 10 })
  const row = await put('row', { amps: 63, minAmps: 16, parent: 'site' })
  expect(await codeOf(row)).toEqual([422, 'minimum_too_large'])
  expect((await put('row', { amps: 63, minAmps: 10, parent: 'site' })).status).toBe(201)
  // What protects the connection is never refused for what its charges would like.
  expect((await put('site', { amps: 8 })).status).toBe(200)
})

it('GROUP-B2: fallbacks of single-phase EVSEs fit where they are on different phases', async () => {
  const { core, writes } = api.store
  await writes.createChargePoint(aChargePoint({ id: 'CP2', accountId: 'acc1', securityProfile: 0, createdAt: START }))
  const wire = (chargePointId: string, phaseRotation: string) => {
    const put = { chargePointId, connectors: [{ connectorId: 1, phases: 1, phaseRotation }], updatedAt: START }
    return core.commit([{ chargePointId, records: [{ kind: 'wirings', put }] }])
  }
  await wire('CP1', 'RST')
  await wire('CP2', 'S')
  const group = { amps: 32, fallbackAmps: 20, selector: {} }
  expect((await put('site', group)).status).toBe(201)
  await wire('CP2', 'R')
  expect(await codeOf(await put('site', group))).toEqual([422, 'fallback_too_large'])
})

it('GROUP-B3: a longer circle is refused, and a group that feeds another stays', async () => {
  await put('site', { amps: 100 })
  await put('row', { amps: 50, parent: 'site' })
  expect(await codeOf(await put('site', { amps: 100, parent: 'row' }))).toEqual([422, 'circle'])
  expect(await codeOf(await api.call('DELETE', SITE))).toEqual([409, 'group_in_use'])
})

it('GROUP-B4: a charge point of another group is refused', async () => {
  await put('site', { amps: 100, selector: { ids: ['CP1'] } })
  expect(await codeOf(await put('other', { amps: 100, selector: {} }))).toEqual([409, 'in_another_group'])
  expect((await put('site', { amps: 80, selector: {} })).status).toBe(200)
})

it.each([
  ['load', { amps: [1, 2, 3], until: later(60), excludesCharging: true }, 200],
  ['load', { watts: -3000, until: later(60) }, 200],
  ['load', { amps: [1, 2], until: later(60) }, 422],
  ['load', { amps: [1, 2, 3], until: later(0) }, 422],
  ['load', { amps: [1, 2, 3] }, 400],
  ['load', { amps: [1, 2, Number.NaN], until: later(60) }, 400],
  ['external-limit', { amps: 20, until: later(60), source: 'grid', failSafe: { watts: 4200 } }, 200],
  ['external-limit', { amps: 20, until: later(-60), source: 'grid' }, 422],
  ['external-limit', { amps: 20, until: later(60), source: '' }, 400],
  ['external-limit', { until: later(60), source: 'grid' }, 400],
  ['external-limit', { amps: 2, until: 'tomorrow', source: 'grid' }, 400],
])('GROUP-B5: %s %j: %i', async (path, body, status) => {
  await put('site', { amps: 100 })
  const answer = await api.call('PUT', `${SITE}/${path}`, body)
  expect(answer.status).toBe(status)
  if (status === 200) expect(await answer.json()).toMatchObject({ ...body, at: later(0) })
  expect((await api.call('DELETE', `${SITE}/external-limit`)).status).toBe(204)
})
