import { expect, it } from 'vitest'
import { apiOfTest, command, START, startApi, tokenOf } from '../../../test/support/api/testing.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'

const PATH = '/1/evse-controllers/CP1/commands/search'
const DAY_MS = 24 * 3600_000
const rows = Array.from({ length: 120 }, (_, n) =>
  command(logIdAt(START - n * DAY_MS), {
    messageId: `day-${n}`,
    connectorId: n % 3,
    transactionId: String(n),
    ...(n === 119 && { schemaErrors: '/a is required' }),
  }),
)

const api = await apiOfTest({ parts: { verifyAccessToken: async () => ({ ...token }) } })
await api.addRows([...rows].reverse())

const token = tokenOf({ scopes: ['chargers:read'] })

interface Page {
  readonly data: readonly { readonly id: string; readonly messageId: string }[]
  readonly meta: { readonly total: number }
}

const search = (body: unknown, headers?: Record<string, string>) => api.call('POST', PATH, body, headers)
const page = async (body: object): Promise<Page> => {
  const answer = await search(body)
  expect(answer.status, await answer.clone().text()).toBe(200)
  return answer.json()
}

it('SEARCH-V1: without a date it covers the last 90 days, total always, newest first, no cursor', async () => {
  const { data, meta } = await page({})
  expect(meta).toEqual({ total: 91 })
  expect(data).toHaveLength(50)
  expect(data[0]?.messageId).toBe('day-0')
})

it('SEARCH-V2: skip and limit page through all rows', async () => {
  const all: string[] = []
  for (let skip = 0; skip < 100; skip += 30) {
    all.push(...(await page({ skip, limit: 30, from: '2026-01-01T00:00:00Z' })).data.map((row) => row.messageId))
  }
  expect(all).toEqual(rows.slice(0, 120).map((row) => row.messageId))
  expect((await page({ skip: 10_000 })).data).toEqual([])
})

it.each([
  [{ limit: 0 }, '/limit'],
  [{ limit: 501 }, '/limit'],
  [{ skip: -1 }, '/skip'],
  [{ skip: 10_001 }, '/skip'],
])('SEARCH-V2: %j is 400', async (body, pointer) => {
  const answer = await search(body)
  const { errors, migrateTo } = await answer.json()
  expect([answer.status, errors[0].pointer]).toEqual([400, pointer])
  if ('skip' in body && body.skip > 0) expect(migrateTo).toBe('POST /2/evse-controllers/{id}/commands/search')
})

it('SEARCH-V4: other unknown members are unknown_field', async () => {
  for (const member of ['cursor', 'count', 'schemaErrors', 'colour', '__proto__']) {
    const answer = await search(`{"${member}":1}`)
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'unknown_field'])
  }
})

it('SEARCH-V6: every answer says deprecated, until when, and what follows', async () => {
  const answers = await Promise.all([
    search({}),
    search({ sort: 1 }),
    search({}, { authorization: '' }),
    search('{'),
    api.call('GET', PATH),
    api.call('POST', PATH.replace('CP1', 'NOPE'), {}),
  ])
  expect(answers.map((answer) => answer.status)).toEqual([200, 400, 401, 400, 405, 404])
  for (const { headers, url } of answers) {
    expect(headers.get('deprecation')).toBe('@1785456000')
    expect(headers.get('sunset')).toBe('Wed, 31 Mar 2027 00:00:00 GMT')
    const successor = `http://localhost:8080${new URL(url).pathname.replace('/1/', '/2/')}`
    expect(headers.get('link')).toBe(
      `<${successor}>; rel="successor-version", <http://localhost:8080/docs#search-v1>; rel="deprecation"`,
    )
  }
})

it('SEARCH-V6: the deprecation link leads to a place in the documentation', async () => {
  expect(await (await fetch(`${api.url}/docs`)).text()).toContain('id="search-v1"')
})

it('SEARCH-V7: works until the last millisecond, then 410 before authentication and without a query', async () => {
  let queries = 0
  const server = await startApi({
    reads: (reads) =>
      new Proxy(reads, {
        get(target, name) {
          queries++
          return Reflect.get(target, name)
        },
      }),
  })
  server.clock.set(Date.UTC(2027, 2, 31) - 1)
  expect((await server.call('POST', PATH, {})).status).toBe(200)
  server.clock.set(Date.UTC(2027, 2, 31))
  queries = 0
  const withoutToken: readonly Readonly<Record<string, string>>[] = [{}, { authorization: '' }]
  for (const headers of withoutToken) {
    const answer = await server.call('POST', PATH, {}, headers)
    const { code, migrateTo } = await answer.json()
    expect([answer.status, code, migrateTo]).toEqual([410, 'gone', 'POST /2/evse-controllers/{id}/commands/search'])
    expect(answer.headers.get('sunset')).toBe('Wed, 31 Mar 2027 00:00:00 GMT')
  }
  expect(queries).toBe(0)
  await server.close()
})

it('SEARCH-V7: a metric names the credentials that still use v1', async () => {
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const id = api.credential.split('_')[1]
  expect(metrics).toMatch(new RegExp(`pilotwire_v1_requests_total\\{credential="${id}"\\} [1-9]`))
  expect(metrics).not.toContain(api.credential)
})
