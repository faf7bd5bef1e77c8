import { once } from 'node:events'
import { expect, it } from 'vitest'
import { FROM, messages, PATH, type Page, ROWS, rows, searchHouse } from '../../../test/support/api/routes/search.ts'
import { command, START, startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { logIdAt, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { LogReads, Reads, Turn } from '../../domain/ports/storage.ts'

const house = searchHouse()
const { search, page, problem } = house
const walk = async (body: object): Promise<string[]> => {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { data, meta }: Page = await page({ ...body, ...(cursor && { cursor }) })
    ids.push(...data.map((one) => one.messageId))
    cursor = meta.nextCursor
  } while (cursor)
  return ids
}
/** A log whose searches do not run to their end. */
const refusing = (code: string) => (reads: Reads) => ({
  ...reads,
  readLogPage: () => Promise.reject(Object.assign(new Error('not to its end'), { code })),
})

it('API-B2, API-B4: answers data and meta; rows have the attributes of the description, payloads as they crossed the wire', async () => {
  const request = '{"big":9007199254740993, "x":1.0}'
  await house.api.addRows([command(logIdAt(START - 60_000), { request })])
  const answer = await search({ from: '2026-08-01T11:59:00Z', to: '2026-08-01T11:59:01Z' })
  const text = await answer.text()
  expect(text).toContain(`"request":${request}`)
  expect(JSON.parse(text).data[0]).toMatchObject({
    id: logIdToUuid(logIdAt(START - 60_000), house.api.store.salt),
    evseControllerId: 'CP1',
    createdAt: '2026-08-01T11:59:00.000Z',
    status: 'success',
    direction: 'in',
  })
  expect(JSON.parse(text).meta).toEqual({})
})

it.each([
  ['ids', [], '/ids', 'fetch single rows'],
  ['sort', '-createdAt', '/sort', 'newest first'],
  ['skip', 0, '/skip', 'cursor'],
  ['createdAt', {}, '/createdAt', 'from'],
  ['colour', 1, '/colour', 'does not exist'],
  ['a/b', 1, '/a~1b', 'does not exist'],
  ['constructor', 1, '/constructor', 'does not exist'],
])('SEARCH-Q1: the unknown member %s is refused by name, with a hint', async (name, value, pointer, hint) => {
  const answer = await search({ from: FROM, [name]: value })
  const { code, errors } = await answer.json()
  expect([answer.status, code, errors[0].pointer]).toEqual([400, 'unknown_field', pointer])
  expect(errors[0].message).toContain(hint)
})

it('SEARCH-Q1: __proto__ is an unknown member like any other', async () => {
  expect(await problem(`{"from":"${FROM}","__proto__":{"limit":1}}`)).toMatchObject({
    status: 400,
    code: 'unknown_field',
  })
  expect(await problem(`{"from":"${FROM}","connectorId":{"__proto__":1}}`)).toMatchObject({
    status: 400,
    pointer: '/connectorId/__proto__',
  })
})

it('SEARCH-Q1: unknown and foreign charge points are 404, odd identities are found', async () => {
  expect((await problem({ from: FROM }, PATH.replace('CP1', 'NOPE'))).status).toBe(404)
  expect((await problem({ from: FROM }, PATH.replace('CP1', 'CP-OTHER'))).status).toBe(404)
  expect((await problem({ from: FROM }, PATH.replace('CP1', 'cp1'))).status).toBe(404)
  const id = 'RDAM 1/2 100% ü'
  await house.api.store.writes.createChargePoint(aChargePoint({ id, accountId: 'acc1' }))
  await house.api.addRows([command(logIdAt(START) + 9, { chargePointId: id })])
  const found = await search({ from: FROM }, PATH.replace('CP1', encodeURIComponent(id)))
  expect((await found.json()).data[0]?.evseControllerId).toBe(id)
})

it('SEARCH-C8: a row says what the schema objects to, as a list, in a search, by itself and as CSV', async () => {
  const window = { from: '2026-08-01T12:00:00Z', to: '2026-08-01T12:00:00.020Z' }
  const [plain, faulty] = (await (await search(window)).json()).data as readonly Record<string, unknown>[]
  expect(plain).not.toHaveProperty('schemaErrors')
  const schemaErrors = ['/a is required', '/b must be of type string']
  expect(faulty).toMatchObject({ messageId: 'm0', schemaErrors })
  const one = await house.api.call('GET', PATH.replace('search', String(faulty?.id)))
  expect(await one.json()).toMatchObject({ schemaErrors })
  const lines = (await (await search({ ...window, format: 'csv' })).text()).split('\r\n')
  expect(lines[0]).toMatch(/,response,schemaErrors$/)
  expect(lines[1]).toMatch(/,$/)
  expect(lines[2]).toMatch(/,"\[""\/a is required"",""\/b must be of type string""\]"$/)
})

it.each([0, -1, 501, 1.5, '10', null, true])('SEARCH-Q4: limit %j is 400, never clamped', async (limit) => {
  expect(await problem({ from: FROM, limit })).toMatchObject({ status: 400, pointer: '/limit' })
})

it('SEARCH-Q4: the default page has 100 rows', async () => {
  expect((await page({ from: FROM })).data).toHaveLength(100)
  expect((await page({ from: FROM, limit: 500 })).data.length).toBeGreaterThan(100)
})

it('SEARCH-Q5: nextCursor is there while rows remain, and absent on the last page, also for an exact multiple', async () => {
  const window = { from: '2026-08-01T12:00:00Z' }
  for (const limit of [1, 7, 25, 50, 99, 100]) {
    expect(await walk({ ...window, limit })).toEqual(messages(() => true))
  }
  const last = await page({ ...window, limit: ROWS })
  expect(last.meta.nextCursor).toBeUndefined()
})

it('SEARCH-Q9: the total is there only when asked for, with the filter applied', async () => {
  const window = { from: '2026-08-01T12:00:00Z', limit: 5 }
  expect((await page(window)).meta).not.toHaveProperty('total')
  expect((await page({ ...window, count: false })).meta).not.toHaveProperty('total')
  expect((await page({ ...window, count: true })).meta.total).toEqual({ value: ROWS, isExact: true })
  const filtered = await page({ ...window, count: true, connectorId: 1, status: 'error' })
  const expected = messages((one) => one.connectorId === 1 && one.status === 'error').length
  expect(filtered.meta.total).toEqual({ value: expected, isExact: true })
})

it('SEARCH-Q9: beyond the scan limit the total is a lower bound and says so', async () => {
  const server = await startApi({
    reads: (reads) => ({
      ...reads,
      readLogPage: (query) =>
        reads.readLogPage(
          query.count ? { ...query, count: { scanLimit: Math.min(query.count.scanLimit ?? 10, 10) } } : query,
        ),
    }),
  })
  await server.addRows(rows)
  const answer = await server.call('POST', PATH, { from: FROM, count: true, limit: 1, connectorId: 1 })
  const { total } = ((await answer.json()) as Page).meta
  expect(total?.isExact).toBe(false)
  expect(total?.value).toBeLessThanOrEqual(messages((one) => one.connectorId === 1).length)
  await server.close()
})

it.each([
  ['SEARCH-Q10: a search that takes too long', 'TURN_TIMEOUT', 503, 'search_timeout'],
  ['SEARCH-Q12: one more where too many of the account wait', 'TURN_LINE_FULL', 429, 'too_many_searches'],
] as const)('%s: %s is %i %s with Retry-After', async (_, reason, status, code) => {
  const server = await startApi({ reads: refusing(reason) })
  await server.addRows(rows.slice(0, 1))
  const answer = await server.call('POST', PATH, { from: FROM })
  expect([answer.status, (await answer.json()).code]).toEqual([status, code])
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  await server.close()
})

it('SEARCH-Q12: each query waits in the lane of its kind, in the line of its account', async () => {
  const turns: Turn[] = []
  const searchLog = (turn: Turn): LogReads => {
    turns.push(turn)
    return server.reads
  }
  const server: TestApi = await startApi({ parts: { searchLog } })
  await server.addRows(rows.slice(0, 1))
  const lanesOf = async (method: string, path: string, body?: object): Promise<readonly string[]> => {
    turns.length = 0
    await (await server.call(method, path, body)).text()
    return turns.map(({ accountId, lane }) => `${accountId} ${lane}`)
  }
  expect(await lanesOf('POST', PATH, { from: FROM, count: true })).toEqual(['acc1 search'])
  expect(await lanesOf('POST', PATH.replace('/2/', '/1/'), {})).toEqual(['acc1 search'])
  expect(await lanesOf('POST', PATH, { from: FROM, format: 'csv' })).toEqual(['acc1 export', 'acc1 export'])
  const methods = `${PATH.replace('search', 'methods')}?from=${FROM}`
  expect(await lanesOf('GET', methods)).toEqual(['acc1 search'])
  await server.close()
})

it('SEARCH-Q12: a client that goes away takes its search out of the line', async () => {
  let arrived = (_: Turn): void => undefined
  const waiting = new Promise<Turn>((resolve) => {
    arrived = resolve
  })
  const searchLog = (turn: Turn) => {
    arrived(turn)
    return { readLogPage: () => new Promise(() => undefined) } as unknown as LogReads
  }
  const server = await startApi({ parts: { searchLog } })
  await server.addRows(rows.slice(0, 1))
  const leaving = new AbortController()
  const asked = fetch(server.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: FROM }),
    signal: leaving.signal,
  }).catch(() => 'gone')
  const { signal } = await waiting
  expect(signal?.aborted).toBe(false)
  leaving.abort()
  if (!signal?.aborted) await once(signal as AbortSignal, 'abort')
  expect(await asked).toBe('gone')
  await server.close()
})

it('SEARCH-Q11: a search is answered from one bounded range of the log’s index, whatever the filter', async () => {
  const read: { limit: number; window?: object }[] = []
  const server = await startApi({
    reads: (reads) => ({
      ...reads,
      readLogPage: async (query) => {
        const page = await reads.readLogPage(query)
        read.push({ limit: query.limit, ...('window' in page && { window: page.window }) })
        return page
      },
    }),
  })
  await server.addRows(rows)
  await server.call('POST', PATH, {
    from: '2026-08-01T12:00:00.100Z',
    to: '2026-08-01T12:00:00.200Z',
    status: 'error',
  })
  const window = { fromId: logIdAt(START + 100), toId: logIdAt(START + 200) }
  expect(read).toEqual([{ window, limit: 101 }])
  await server.close()
})
