/** SEARCH-Q13: whoever sends a faulty request learns everything that is wrong with it from one answer. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../test/support/api/testing.ts'

const SEARCH = '/2/evse-controllers/CP1/commands/search'
const SEARCH_V1 = '/1/evse-controllers/CP1/commands/search'
const LATE = '2026-08-02T00:00:00Z'
const EARLY = '2026-08-01T00:00:00Z'

const CASES: readonly (readonly [what: string, method: string, path: string, body: unknown, pointers: readonly string[]])[] = [
  ['search: a missing bound, a limit, an unknown member and filters', 'POST', SEARCH,
    { limit: 0, sort: 1, connectorId: { $gt: 'x' }, status: 'lost' },
    ['/connectorId/$gt', '/from', '/limit', '/sort', '/status']],
  ['search: both bounds, a cursor of nobody, a count', 'POST', SEARCH,
    { from: '2026-08-01', to: 'soon', cursor: 'x', count: 'yes' },
    ['/count', '/cursor', '/from', '/to']],
  ['search: the end alone', 'POST', SEARCH, { from: 7, to: 'soon' }, ['/from', '/to']],
  ['search: an empty window, a list of methods and the format', 'POST', SEARCH,
    { from: LATE, to: EARLY, method: [1], format: 'xml' },
    ['/format', '/method/0', '/to']],
  ['search: a cursor with csv and a filter', 'POST', SEARCH,
    { from: EARLY, format: 'csv', cursor: 'x', transactionId: {} },
    ['/cursor', '/transactionId']],
  ['v1: what only v2 can do, a filter, a date and a type', 'POST', SEARCH_V1,
    { sort: 1, status: 'lost', skip: 20_000, limit: 'x', connectorId: -1, createdAt: { $gt: 'now', $ne: EARLY } },
    ['/connectorId', '/createdAt/$gt', '/createdAt/$ne', '/limit', '/skip', '/sort', '/status']],
  ['v1: dates that exclude each other and an unknown member', 'POST', SEARCH_V1,
    { createdAt: { $gt: EARLY }, from: EARLY, more: 1 },
    ['/createdAt', '/more']],
  ['sessions: a window, a limit, a cursor, an unknown parameter', 'GET',
    `/2/sessions?from=${LATE}&to=${EARLY}&limit=0&cursor=x&more=1`, undefined,
    ['?cursor', '?limit', '?more', '?to']],
  ['sessions: a time and a parameter given twice', 'GET', '/2/sessions?from=soon&state=charging&state=pending', undefined,
    ['?from', '?state']],
  ['methods: a window and an unknown parameter', 'GET',
    `${SEARCH.replace('search', 'methods')}?from=2026-08-02T00:00:00+02:00&to=${EARLY}&more=1`, undefined,
    ['?more', '?to']],
  ['a command: parameters and body', 'POST', '/2/evse-controllers/CP1/commands?wait=x', { method: '', ttl: 0 },
    ['/method', '/request', '/ttl', '?wait']],
  ['a charge point: its identity, its password and a type', 'POST', '/2/evse-controllers',
    { id: '..', password: 'short', name: 7 },
    ['/id', '/name', '/password']],
  ['a webhook: its address and its events', 'POST', '/2/webhooks', { url: 'ftp://example.com', events: ['all'] },
    ['/events/0', '/url']],
  ['a replay: its window and its state', 'POST', '/2/webhooks/wh_1/replay', { from: LATE, to: EARLY, state: 'lost' },
    ['/state', '/to']],
] // biome-ignore format: rows

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

it.each(CASES)('SEARCH-Q13: %s', async (_, method, path, body, pointers) => {
  const answer = await api.call(method, path, body)
  const { errors, detail } = await answer.json()
  expect(answer.status, detail).toBe(400)
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual(pointers)
})

it('SEARCH-Q13, SEARCH-V4: what only v2 can do still points there when more is wrong', async () => {
  const answer = await api.call('POST', SEARCH_V1, { sort: 1, limit: 0 })
  expect(await answer.json()).toMatchObject({ code: 'v1_unsupported', migrateTo: expect.stringContaining('/2/') })
  const other = await api.call('POST', SEARCH_V1, { limit: 0 })
  expect(await other.json()).not.toHaveProperty('migrateTo')
})
