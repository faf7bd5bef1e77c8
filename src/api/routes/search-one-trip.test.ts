import { afterEach, expect, it } from 'vitest'
import { FROM, PATH, rows } from '../../../test/support/api/routes/search.ts'
import { START, startApi, type TestApi, type TestOptions, tokenOf } from '../../../test/support/api/testing.ts'
import type { Reads } from '../../domain/ports/storage.ts'

const V1 = PATH.replace('/2/', '/1/')
const UNKNOWN = PATH.replace('CP1', 'CP-NOBODY')
const FOREIGN = PATH.replace('CP1', 'CP-OTHER')

let api: TestApi
afterEach(() => api.close())

/** Starts an API whose trips to the readers are noted, and makes its credential known. */
async function start(options: TestOptions = {}): Promise<string[]> {
  const trips: string[] = []
  const noted = (reads: Reads): Reads =>
    new Proxy(reads, {
      get(target, name: keyof Reads) {
        const read = target[name] as (...args: readonly unknown[]) => Promise<unknown>
        return (...args: readonly unknown[]) => {
          trips.push(name)
          return read(...args)
        }
      },
    })
  api = await startApi({ ...options, reads: (reads) => noted(options.reads?.(reads) ?? reads) })
  await api.addRows(rows)
  await api.call('POST', PATH, { from: FROM })
  expect(trips).toEqual(['findCredential', 'readLogPage'])
  trips.length = 0
  return trips
}

const revoke = (): Promise<boolean> =>
  api.store.writes.revokeCredential('acc1', api.credential.split('_')[1] ?? '', START)
const said = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await api.call('POST', path, body, headers)
  const { code } = await answer.json()
  return [answer.status, code]
}

it('SEARCH-Q14: pages of both versions, with a total or without, and those behind them', async () => {
  const trips = await start()
  const first = await (await api.call('POST', PATH, { from: FROM, limit: 10, count: true })).json()
  expect([first.data.length, first.meta.total]).toEqual([10, { value: 100, isExact: true }])
  expect(trips.splice(0)).toEqual(['readLogPage'])
  const cursor = first.meta.nextCursor
  const second = await (await api.call('POST', PATH, { from: FROM, limit: 10, cursor })).json()
  expect(second.data).toHaveLength(10)
  expect(trips.splice(0)).toEqual(['readLogPage'])
  const old = await (await api.call('POST', V1, {})).json()
  expect([old.data.length, old.meta.total]).toEqual([50, 100])
  expect(trips.splice(0)).toEqual(['readLogPage'])
  await (await api.call('POST', PATH, { from: FROM, format: 'csv' })).text()
  expect(trips[0]).toBe('readLogPage')
  expect(trips).not.toContain('findCredential')
  expect(trips).not.toContain('findChargePoint')
})

it('SEARCH-Q14: an unknown charge point and another account’s are 404, also with what is wrong besides', async () => {
  const trips = await start()
  expect(await said(UNKNOWN, { from: FROM })).toEqual([404, 'not_found'])
  expect(await said(FOREIGN, { from: FROM })).toEqual([404, 'not_found'])
  expect(await said(FOREIGN.replace('/2/', '/1/'), {})).toEqual([404, 'not_found'])
  expect(await said(FOREIGN, { from: FROM, format: 'csv' })).toEqual([404, 'not_found'])
  expect(trips.splice(0)).toEqual(['readLogPage', 'readLogPage', 'readLogPage', 'readLogPage'])
  const page = await (await api.call('POST', PATH, { from: FROM, limit: 10 })).json()
  const cursor = page.meta.nextCursor
  expect(await said(FOREIGN, { from: FROM, limit: 10, cursor })).toEqual([404, 'not_found'])
  expect(await said(PATH, { from: FROM, limit: 11, cursor })).toEqual([400, 'cursor_mismatch'])
})

it('SEARCH-Q14: where the account’s line is full an unknown charge point is still 404', async () => {
  let isFull = false
  await start({
    reads: (reads) => ({
      ...reads,
      readLogPage: (query) =>
        isFull
          ? Promise.reject(Object.assign(new Error('full'), { code: 'TURN_LINE_FULL' }))
          : reads.readLogPage(query),
    }),
  })
  isFull = true
  expect(await said(UNKNOWN, { from: FROM })).toEqual([404, 'not_found'])
  expect(await said(PATH, { from: FROM })).toEqual([429, 'too_many_searches'])
})

it('SEARCH-Q14: a credential that was revoked meanwhile is 401 before anything else', async () => {
  await start({ settings: { rateV2: 5, rateV1: 5 } })
  await revoke()
  const cursor = 'x'
  for (const [path, body] of [
    [PATH, { from: FROM }],
    [V1, {}],
    [UNKNOWN, { from: FROM }],
    [PATH, { from: FROM, format: 'csv' }],
    [PATH, { from: 'yesterday', cursor }],
    [PATH, '{"from'],
  ] as const) {
    const answer = await api.call('POST', path, body)
    expect([answer.status, (await answer.json()).code]).toEqual([401, 'invalid_token'])
    expect(answer.headers.get('www-authenticate')).toContain('is revoked')
    expect(answer.headers.get('ratelimit')).toBeNull()
  }
})

it('SEARCH-Q14: nor is its account’s rate told to who was revoked', async () => {
  await start({ settings: { rateV2: 1 } })
  expect((await said(PATH, { from: FROM }))[0]).toBe(429)
  await revoke()
  expect(await said(PATH, { from: FROM })).toEqual([401, 'invalid_token'])
})

it('SEARCH-Q14: who was revoked does not use up the rate of the account', async () => {
  await start({ settings: { rateV2: 5 } })
  await revoke()
  for (let n = 0; n < 10; n++) expect((await said(PATH, { from: FROM }))[0]).toBe(401)
  const authorization = `Bearer ${await api.newCredential('acc1')}`
  expect((await said(PATH, { from: FROM }, { authorization }))[0]).toBe(200)
})

it('SEARCH-Q14: a remembered credential expires at its time, and another text with its id is not it', async () => {
  await start()
  const soon = await api.newCredential('acc1', START + 1000)
  const authorization = `Bearer ${soon}`
  expect((await said(PATH, { from: FROM }, { authorization }))[0]).toBe(200)
  api.clock.advance(1000)
  expect(await said(PATH, { from: FROM }, { authorization })).toEqual([401, 'invalid_token'])
  const forged = `${api.credential.slice(0, 21)}${soon.slice(21)}`
  expect(await said(PATH, { from: FROM }, { authorization: `Bearer ${forged}` })).toEqual([401, 'invalid_token'])
})

it('SEARCH-Q14, ADMIN-B1: a remembered credential searches with its scopes only, and its end acts at once', async () => {
  const trips = await start()
  const reader = { authorization: `Bearer ${await api.newCredential('acc1', START + 1000, ['chargers:read'])}` }
  const other = await api.newCredential('acc1', undefined, ['sessions:read', 'chargers:control'])
  const controller = { authorization: `Bearer ${other}` }
  for (const path of [PATH, V1]) {
    const body = path === V1 ? {} : { from: FROM }
    expect((await said(path, body, reader))[0]).toBe(200)
    for (const time of ['looked up', 'again']) {
      expect(await said(path, body, controller), time).toEqual([403, 'insufficient_scope'])
    }
  }
  expect(trips.splice(0).filter((trip) => trip === 'readLogPage')).toHaveLength(2)
  expect((await said(PATH, { from: FROM }, reader))[0]).toBe(200)
  expect(trips).toEqual(['readLogPage'])
  await api.store.writes.revokeCredential('acc1', other.split('_')[1] ?? '', START)
  expect(await said(PATH, { from: FROM }, controller)).toEqual([401, 'invalid_token'])
  api.clock.advance(1000)
  expect(await said(PATH, { from: FROM }, reader)).toEqual([401, 'invalid_token'])
})

it('SEARCH-Q14: a grant that does not share the charge point is 404 without a trip', async () => {
  const token = tokenOf({ scopes: ['chargers:read'], chargePoints: ['CP2'] })
  const trips = await start({ parts: { verifyAccessToken: async () => token } })
  const authorization = 'Bearer pwa_any'
  expect(await said(PATH, { from: FROM }, { authorization })).toEqual([404, 'not_found'])
  expect(trips).toEqual([])
})
