/** API-E2 from outside: the limit of requests holds for every part of the API, whichever room answers. */
import { expect, it } from 'vitest'
import { houseOfFile } from './house.ts'

const house = await houseOfFile({ PILOTWIRE_RATE_API: '4' })

it('API-E2: grants and charge points are counted together, and strangers by their address', async () => {
  const statusOf = async (path: string) => (await house.request('GET', path)).status
  for (const path of ['/2/grants', '/2/evse-controllers', '/2/grants', '/2/sessions']) {
    expect([path, await statusOf(path)]).toEqual([path, 200])
  }
  const refused = await house.request('GET', '/2/grants')
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const unaccepted = async (path: string) => (await fetch(house.url + path)).status
  const seen = []
  for (const path of ['/2/grants', '/sessions/x', '/docs', '/openapi.json', '/2/grants'])
    seen.push(await unaccepted(path))
  expect(seen).toEqual([401, 401, 200, 200, 429])
  expect(await unaccepted('/readyz')).toBe(200)
})
