import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startApi, tokenOf } from '../../../test/support/api/testing.ts'
import { limitsInMemory } from '../../limits/limits.ts'
import type { Principal, TokenPrincipal } from '../access/access.ts'
import { Problem } from '../respond.ts'
import { createRateLimits } from './rate-limit.ts'

const SEARCH = '/2/evse-controllers/CP1/commands/search'
const credential = (accountId: string, credentialId = 'k1'): Principal => ({
  kind: 'credential',
  accountId,
  credentialId,
})
const token = (clientId: string): Principal => tokenOf({ accountId: 'a', clientId })
const limitsOf = (v1: number, v2: number, now = () => 0) => createRateLimits(limitsInMemory(now), { v1, v2 })

it('API-E2: never more than the rate and one full bucket get through, whatever the pattern', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20_000), { maxLength: 300 }), async (pauses) => {
      let now = 0
      const limits = limitsOf(60, 10, () => now)
      let passed = 0
      for (const pause of pauses) {
        now += pause
        try {
          await limits.spend('v2', credential('a'), 1)
          passed++
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
        }
      }
      expect(passed).toBeLessThanOrEqual(10 + now / 6000 + 1e-6)
    }),
  )
})

it('API-E2: one application gets 80 % of its account, so the rest stays usable', async () => {
  const limits = limitsOf(60, 100)
  for (let i = 0; i < 80; i++) await limits.spend('v2', token('greedy'), 1)
  await expect(limits.spend('v2', token('greedy'), 1)).rejects.toThrow(Problem)
  for (let i = 0; i < 15; i++) await limits.spend('v2', token('modest'), 1)
  expect((await limits.spend('v2', credential('a'), 5)).ratelimit).toBe('"search";r=0;t=60')
  await expect(limits.spend('v2', credential('a'), 1)).rejects.toThrow(Problem)
})

it('API-E2: a refused request takes nothing, an expensive one is possible under a small limit, 0 is off', async () => {
  const limits = limitsOf(5, 0)
  expect(await limits.spend('v2', credential('a'), 1000)).toEqual({})
  await limits.spend('v1', credential('a'), 1)
  await expect(limits.spend('v1', credential('a'), 10)).rejects.toThrow(Problem)
  expect((await limits.spend('v1', credential('a'), 4)).ratelimit).toBe('"search";r=0;t=60')
  expect((await limits.spend('v1', credential('b'), 10)).ratelimit).toBe('"search";r=0;t=60')
})

it('API-E2: what a request paid before its cost was known counts, also in the smaller bucket of an application', async () => {
  const limits = limitsOf(0, 12)
  await limits.spend('v2', token('app'), 1)
  expect((await limits.spend('v2', token('app'), 10, 1)).ratelimit).toBe('"search";r=2;t=50, "search-client";r=0;t=60')
  await limits.spend('v2', token('other'), 1)
  await expect(limits.spend('v2', token('other'), 10, 1)).rejects.toThrow(Problem)
  expect((await limits.spend('v2', token('other'), 2)).ratelimit).toBe('"search";r=0;t=60, "search-client";r=7;t=14')
})

it('API-E2: a flood of accounts does not fill the memory nor forget the busy ones', async () => {
  const limits = limitsOf(2, 2)
  await limits.spend('v2', credential('busy'), 1)
  for (let i = 0; i < 9_999; i++) await limits.spend('v2', credential(`a${i}`), 1)
  expect((await limits.spend('v2', credential('busy'), 1)).ratelimit).toMatch(/r=0/)
  for (let i = 0; i < 9_999; i++) await limits.spend('v2', credential(`b${i}`), 1)
  await expect(limits.spend('v2', credential('busy'), 1)).rejects.toThrow(Problem)
})

it('API-E2: two credentials of one account share 300 a minute; another account is unaffected', async () => {
  const api = await startApi({ settings: { rateV2: 300 } })
  const second = { authorization: `Bearer ${await api.newCredential('acc1')}` }
  const foreign = { authorization: `Bearer ${await api.newCredential('acc2')}` }
  const search = (headers: Record<string, string> = {}, path = SEARCH) =>
    api.call('POST', path, { from: '2026-08-01T00:00:00Z', limit: 1 }, headers)
  const first = await search()
  expect(first.headers.get('ratelimit-policy')).toBe('"search";q=300;w=60')
  expect(first.headers.get('ratelimit')).toBe('"search";r=299;t=1')
  for (let i = 1; i < 300; i++) expect((await search(i % 2 ? second : {})).status).toBe(200)
  for (const headers of [{}, second]) {
    const refused = await search(headers)
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toBe('"search";r=0;t=60')
    expect(refused.headers.get('x-ratelimit-limit')).toBeNull()
  }
  expect((await search(foreign, SEARCH.replace('CP1', 'CP-OTHER'))).status).toBe(200)
  expect((await api.call('GET', '/2/evse-controllers')).status).toBe(200)
  api.clock.advance(200)
  expect((await search(second)).status).toBe(200)
  expect((await search(second)).status).toBe(429)
  await api.close()
})

it.each([3, 10, 60])('API-E2: at %i a minute an export is possible once Retry-After is over', async (rateV2) => {
  const api = await startApi({ settings: { rateV1: 0, rateV2 } })
  const search = async (body: object) => {
    const answer = await api.call('POST', SEARCH, { from: '2026-08-01T00:00:00Z', ...body })
    return [answer.status, Number(answer.headers.get('retry-after'))] as const
  }
  for (let sent = 0; sent < Math.max(1, rateV2 - 8); sent++) expect(await search({})).toEqual([200, 0])
  const [status, seconds] = await search({ format: 'csv' })
  expect(status).toBe(429)
  api.clock.advance(seconds * 1000)
  expect(await search({ format: 'csv' })).toEqual([200, 0])
  api.clock.advance(60_000)
  expect(await search({ format: 'csv' })).toEqual([200, 0])
  await api.close()
})

it('SEARCH-Q13: after the seconds of Retry-After the same request passes, whatever was spent when', async () => {
  const spending = fc.array(fc.record({ pause: fc.nat(1500), cost: fc.integer({ min: 1, max: 10 }) }), {
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), spending, async (perMinute, spent) => {
      let now = 0
      const limits = createRateLimits(
        limitsInMemory(() => now),
        { v1: 0, v2: perMinute },
      )
      for (const { pause, cost } of spent) {
        now += pause
        const seconds = await limits.secondsUntil('v2', token('app'), cost)
        now += seconds * 1000
        await expect(limits.spend('v2', token('app'), cost)).resolves.toBeDefined()
      }
    }),
  )
})

it('API-E2: v1 has a bucket of its own; refused and faulty searches carry the headers too', async () => {
  const api = await startApi({ settings: { rateV1: 2, rateV2: 100 } })
  const v1 = (body: unknown) => api.call('POST', SEARCH.replace('/2/', '/1/'), body)
  expect((await v1({})).headers.get('ratelimit')).toBe('"search";r=1;t=30')
  const faulty = await v1({ sort: 1 })
  expect([faulty.status, faulty.headers.get('ratelimit')]).toEqual([400, '"search";r=0;t=60'])
  const refused = await v1({})
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('sunset')]).toEqual([
    429,
    '30',
    'Wed, 31 Mar 2027 00:00:00 GMT',
  ])
  expect((await api.call('POST', SEARCH, { from: '2026-08-01T00:00:00Z' })).status).toBe(200)
  await api.close()
})

const LIST = '/2/evse-controllers'

it('API-E2: one application cannot use up what the account has, and pays for what it may not do', async () => {
  const verifyAccessToken = async () => token('app') as TokenPrincipal
  const api = await startApi({ settings: { rateApi: 10 }, parts: { verifyAccessToken } })
  const asToken = { authorization: 'Bearer pwa_x' }
  for (let i = 0; i < 8; i++) expect((await api.call('POST', LIST, { id: 'X' }, asToken)).status).toBe(403)
  const refused = await api.call('POST', LIST, { id: 'X' }, asToken)
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
    429,
    '"api";q=10;w=60, "api-client";q=8;w=60',
  ])
  expect((await api.call('GET', LIST)).status).toBe(200)
  await api.close()
})

it('API-E2: who shows no valid credential is counted by address or IPv6 /64, and shuts nobody else out', async () => {
  let address = '2001:db8:1:2::1'
  const api = await startApi({ settings: { rateApi: 3 }, parts: { clientOrigin: () => ({ address }) } })
  // The test's own look at /openapi.json was the first of this minute.
  api.clock.advance(60_000)
  const ask = async (path: string, authorization?: string) =>
    (await fetch(api.url + path, { headers: authorization === undefined ? {} : { authorization } })).status
  expect([await ask(LIST), await ask(LIST, 'Bearer pwk_wrong'), await ask('/docs')]).toEqual([401, 401, 200])
  address = '2001:db8:1:2:ffff::9'
  for (const path of [LIST, '/docs', '/openapi.json', SEARCH.replace('/search', '/methods')]) {
    expect([path, await ask(path)]).toEqual([path, 429])
  }
  expect(await ask(LIST, 'Bearer pwk_wrong')).toBe(429)
  expect(await ask(LIST, `Bearer ${api.credential}`)).toBe(200)
  for (const path of ['/healthz', '/readyz', '/metrics']) expect([path, await ask(path)]).toEqual([path, 200])
  address = '2001:db8:1:3::1'
  expect(await ask(LIST)).toBe(401)
  await api.close()
})

it('API-E2: a flood from many addresses does not fill the buckets of the accounts again', async () => {
  const limits = createRateLimits(
    limitsInMemory(() => 0),
    { v1: 0, v2: 0, api: 2 },
  )
  await limits.spend('api', credential('busy'), 2)
  for (let i = 0; i < 20_000; i++) await limits.spendAnonymous(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  await expect(limits.spend('api', credential('busy'), 1)).rejects.toThrow(Problem)
})
