import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOfTest, START, session, startApi, type TestApi, tokenOf } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'

const api = await apiOfTest({
  parts: {
    verifyAccessToken: async (token) => {
      const [, scopes = '', chargePoints = ''] = token.split('.')
      if (!token.startsWith('pwa_')) return undefined
      return tokenOf({
        scopes: scopes.split('+').map((scope) => scope.replace('_', ':')),
        chargePoints: chargePoints === 'all' ? 'all' : chargePoints.split('+'),
      })
    },
  },
})
await api.addSession(
  session('0197f3c2-0000-7000-8000-000000000001', {
    externalReference: 'order 7',
    cost: { micros: 3_210_000, currency: 'EUR' },
    settlementCount: 1,
    startedAt: START,
    stoppedAt: START + 1500,
    state: 'completed',
    version: 4,
  }),
)
await api.addSession(session('0197f3c2-0000-7000-8000-000000000002', { accountId: 'acc2', chargePointId: 'CP-OTHER' }))

const one = '0197f3c2-0000-7000-8000-000000000001'
const foreign = '0197f3c2-0000-7000-8000-000000000002'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

it('API-G2: GET /sessions/{sessionId}: carries a weak ETag and answers 304 while nothing changed', async () => {
  const first = await api.call('GET', `/sessions/${one}`)
  expect(first.headers.get('etag')).toBe('W/"4"')
  for (const tag of ['W/"4"', '"4"', 'W/"1", W/"4"', '*']) {
    const again = await api.call('GET', `/sessions/${one}`, undefined, { 'if-none-match': tag })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, 'W/"4"', ''])
  }
  expect((await api.call('GET', `/sessions/${one}`, undefined, { 'if-none-match': 'W/"3"' })).status).toBe(200)
})

it('API-G2: GET /sessions/{sessionId}: unknown, another account’s and not shared are the same 404', async () => {
  const answers = await Promise.all([
    api.call('GET', '/sessions/nope'),
    api.call('GET', `/sessions/${foreign}`),
    api.call('GET', `/sessions/${one}`, undefined, bearer('pwa_x.sessions_read.CP9')),
    api.call('GET', `/sessions/${foreign}`, undefined, bearer('pwa_x.sessions_read.all')),
  ])
  const bodies = await Promise.all(answers.map(async (answer) => ({ ...(await answer.json()), instance: '' })))
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
  for (const body of bodies) expect(body).toEqual(bodies[0])
})

let paged: TestApi
const id = (n: number) => `0197f3c2-0000-7000-9000-${String(n).padStart(12, '0')}`
/** What began last arrived first. */
const startOf = (n: number) => (n % 5 === 0 ? {} : { startedAt: START - n * 60_000 })
beforeAll(async () => {
  paged = await startApi()
  await paged.store.writes.createChargePoint(
    aChargePoint({ id: 'CP2', accountId: 'acc1', securityProfile: 0, createdAt: START }),
  )
  for (let n = 0; n < 25; n++) {
    const state = n % 5 === 0 ? 'failed' : 'completed'
    await paged.addSession(
      session(id(n), { chargePointId: n % 2 ? 'CP1' : 'CP2', state, createdAt: START + n * 1000, ...startOf(n) }),
    )
  }
})
afterAll(() => paged.close())

const walk = async (query: string): Promise<string[]> => {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const answer = await paged.call('GET', `/2/sessions?${query}${cursor ? `&cursor=${cursor}` : ''}`)
    const page: { data: { id: string }[]; meta: { nextCursor?: string } } = await answer.json()
    expect(answer.status).toBe(200)
    ids.push(...page.data.map((row) => row.id))
    cursor = page.meta.nextCursor
  } while (cursor)
  return ids
}
const newestFirst = (keep: (n: number) => boolean) =>
  Array.from({ length: 25 }, (_, n) => n)
    .filter(keep)
    .reverse()
    .map(id)

it('API-G2: GET /2/sessions: newest first, every session once, whatever the page size', async () => {
  for (const limit of [1, 5, 7, 25, 500]) expect(await walk(`limit=${limit}`)).toEqual(newestFirst(() => true))
})

it('API-G2: GET /2/sessions: filters by charge point, state and time of creation', async () => {
  expect(await walk('evseControllerId=CP1&limit=3')).toEqual(newestFirst((n) => n % 2 === 1))
  expect(await walk('state=failed&limit=2')).toEqual(newestFirst((n) => n % 5 === 0))
  expect(await walk('from=2026-08-01T12:00:05Z&to=2026-08-01T12:00:08Z')).toEqual(newestFirst((n) => n >= 5 && n < 8))
  // A plus that was not encoded arrives as a blank.
  expect(await walk('from=2026-08-01T14:00:05+02:00&to=2026-08-01T14:00:08%2B02:00')).toEqual(
    newestFirst((n) => n >= 5 && n < 8),
  )
  expect(await walk('evseControllerId=NOPE')).toEqual([])
})

it('CONSOLE-C14: GET /2/sessions: filters by the start of the charge, in that order, page by page, with their totals', async () => {
  const query = 'startedFrom=2026-08-01T11:50:00Z&startedTo=2026-08-01T11:58:00Z'
  const expected = [3, 4, 6, 7, 8, 9].map(id)
  for (const limit of [1, 4, 500]) expect(await walk(`${query}&limit=${limit}`)).toEqual(expected)
  const { meta } = await paged.get(`/2/sessions?${query}&totals=true&limit=1`)
  expect(meta).toMatchObject({ totals: { sessions: 6 } })
  expect(await walk(`${query}&state=failed`)).toEqual([])
  const refused = await paged.call('GET', '/2/sessions?startedFrom=2026-08-02T00:00:00Z&startedTo=2026-08-01T00:00:00Z')
  expect([refused.status, (await refused.json()).errors[0].pointer]).toEqual([400, '?startedTo'])
})

it('CONSOLE-C5: GET /2/sessions: filters by labels of the charge point, all of a repeated one, page by page', async () => {
  for (const [chargePoint, labels] of [
    ['CP1', { site: 'North', floor: '1' }],
    ['CP2', { site: 'North' }],
  ]) {
    const labelled = await paged.call('PATCH', `/2/evse-controllers/${chargePoint}`, { labels })
    expect(labelled.status).toBe(200)
  }
  expect(await walk('label=site:North&limit=10')).toEqual(newestFirst(() => true))
  expect(await walk('label=site:North&label=floor:1&limit=5')).toEqual(newestFirst((n) => n % 2 === 1))
  expect(await walk('label=floor:1&evseControllerId=CP2')).toEqual([])
  expect(await walk('label=floor:1&state=failed')).toEqual(newestFirst((n) => n % 2 === 1 && n % 5 === 0))
  expect(await walk('label=floor:2')).toEqual([])
  const some = await paged.get('/2/sessions?label=floor:1&totals=true&limit=1')
  expect(some.meta).toMatchObject({ totals: { sessions: 12 } })
  const none = await paged.get('/2/sessions?label=floor:2&totals=true')
  expect(none.meta).toMatchObject({ totals: { sessions: 0 } })
})

it('API-G2: GET /2/sessions: the cursor belongs to its query parameters', async () => {
  const { meta } = await paged.get('/2/sessions?limit=5')
  const other = await paged.call('GET', `/2/sessions?limit=6&cursor=${meta.nextCursor}`)
  expect([other.status, (await other.json()).code]).toEqual([400, 'cursor_mismatch'])
  const forged = await paged.call('GET', '/2/sessions?limit=5&cursor=AAAA')
  expect([forged.status, (await forged.json()).code]).toEqual([400, 'invalid_cursor'])
})

it.each([
  'limit=0',
  'limit=501',
  'limit=x',
  'limit=1&limit=2',
  'label=North',
  'label=',
  'state=open',
  'from=2026-08-01',
  'skip=1',
  'limit=',
])('API-G2: GET /2/sessions: ?%s is 400 and names the parameter', async (query) => {
  const refused = await paged.call('GET', `/2/sessions?${query}`)
  expect(refused.status).toBe(400)
  expect((await refused.json()).errors[0].pointer).toBe(`?${query.split('=')[0]}`)
})

it('API-G2: GET /2/sessions: a grant sees the sessions of its charge points only', async () => {
  const shared = await api.call('GET', '/2/sessions', undefined, bearer('pwa_x.sessions_read.CP1'))
  expect((await shared.json()).data).toHaveLength(1)
  const none = await api.call('GET', '/2/sessions?evseControllerId=CP1', undefined, bearer('pwa_x.sessions_read.CP9'))
  expect((await none.json()).data).toEqual([])
})

it('CONSOLE-C5: GET /2/sessions: a label leads no grant to charge points that it does not share', async () => {
  await api.store.writes.updateChargePoint('acc1', 'CP1', { labels: { site: 'North' } })
  const listed = async (chargePoint: string): Promise<readonly object[]> => {
    const token = bearer(`pwa_x.sessions_read.${chargePoint}`)
    const answer = await api.call('GET', '/2/sessions?label=site:North', undefined, token)
    return (await answer.json()).data
  }
  expect(await listed('CP1')).toHaveLength(1)
  expect(await listed('all')).toHaveLength(1)
  expect(await listed('CP9')).toEqual([])
})

let rich: TestApi
const richId = (n: number) => `0197f3c2-0000-7000-a000-${String(n).padStart(12, '0')}`
beforeAll(async () => {
  rich = await startApi()
  const facts = { idToken: 'Card-1', externalReference: 'order 7', transactionId: '9', connectorId: 2 }
  const times = { startedAt: START, stoppedAt: START + 60_000 }
  const paid = { cost: { micros: 3_214_999, currency: 'EUR' } }
  await rich.addSession(session(richId(1), { ...facts, ...times, ...paid, state: 'completed', endReason: 'normal' }))
  await rich.addSession(session(richId(2), { state: 'failed', endReason: 'rejected', createdAt: START + 1000 }))
  await rich.addSession(session(richId(3), { idToken: 'CARD-1', startedAt: START, createdAt: START + 2000 }))
  rich.clock.advance(30_000)
})
afterAll(() => rich.close())

it('CONSOLE-C1: details, filters and totals: details only where they are asked for, beside the same session', async () => {
  const bare = await rich.get<object>(`/2/sessions/${richId(1)}`)
  expect(await rich.get(`/sessions/${richId(1)}`)).toEqual(bare)
  const details = {
    connectorId: 2,
    idToken: 'Card-1',
    transactionId: '9',
    endReason: 'normal',
    createdAt: '2026-08-01T12:00:00.000Z',
    durationSeconds: 60,
  }
  const answer = await rich.call('GET', `/2/sessions/${richId(1)}?include=details`)
  expect([await answer.json(), answer.headers.get('etag')]).toEqual([{ ...bare, details }, null])
  const { data } = await rich.get<{ data: readonly { details: object }[] }>('/2/sessions?include=details')
  expect(data.map((row) => row.details)).toEqual([
    { idToken: 'CARD-1', createdAt: '2026-08-01T12:00:02.000Z', durationSeconds: 30 },
    { endReason: 'rejected', createdAt: '2026-08-01T12:00:01.000Z' },
    details,
  ])
  const plain = await rich.get('/2/sessions')
  expect(plain.data.some((row) => 'details' in row)).toBe(false)
})

it.each([
  ['idToken=cArD-1', [3, 1]],
  ['externalReference=order%207', [1]],
  ['idToken=CARD-1&state=completed', [1]],
  ['idToken=OTHER', []],
])('CONSOLE-C5: details, filters and totals: ?%s', async (query, expected) => {
  expect((await rich.get(`/2/sessions?${query}`)).data.map((row) => row.id)).toEqual(expected.map(richId))
})

it('CONSOLE-C4: details, filters and totals: totals are of all that the filter leaves, whatever the page shows', async () => {
  const { data, meta } = await rich.get('/2/sessions?totals=true&limit=1')
  expect(data).toHaveLength(1)
  expect(meta).toEqual({
    nextCursor: expect.any(String),
    totals: { sessions: 3, energyKwh: 3.705, cost: [{ currency: 'EUR', amount: 3.21 }], durationSeconds: 90 },
  })
  const none = await rich.get('/2/sessions?totals=true&idToken=OTHER')
  expect(none.meta).toEqual({ totals: { sessions: 0, energyKwh: 0, cost: [], durationSeconds: 0 } })
  expect((await rich.get('/2/sessions?totals=false')).meta).toEqual({})
})

it('API-A9: starting and stopping: a remote start is answered 202 with the pending session', async () => {
  const answer = await api.call('POST', '/2/sessions', {
    evseControllerId: 'CP1',
    connectorId: 2,
    idToken: 'CARD',
    externalReference: 'order 8',
    ttl: 30,
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([202, '/2/sessions/s-new'])
  expect((await answer.json()).state).toBe('pending')
  expect(api.recording.starts.at(-1)).toEqual({
    accountId: 'acc1',
    chargePointId: 'CP1',
    connectorId: 2,
    idToken: 'CARD',
    externalReference: 'order 8',
    ttlMs: 30_000,
  })
})
