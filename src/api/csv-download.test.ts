import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { command, START, startApi, type TestApi, type TestOptions } from '../../test/support/api/testing.ts'
import { addCsvLine, csvHeader } from '../domain/message-log/csv.ts'
import { logIdAt } from '../domain/message-log/log-id.ts'
import { Utf8Text } from '../domain/message-log/utf8-text.ts'
import type { Reads } from '../domain/ports/storage.ts'
import type { Command } from '../domain/ports/storage-records.ts'

const PATH = '/2/evse-controllers/CP1/commands/search'
const BODY = { from: '2026-08-01T00:00:00Z', format: 'csv' }
const ROWS = 1700
const rows = Array.from({ length: ROWS }, (_, n) => command(logIdAt(START) + n, { messageId: `m${n}` }))

let api: TestApi
afterEach(() => api.close())

const start = async (stored: readonly Command[], options?: TestOptions): Promise<void> => {
  api = await startApi(options)
  await api.addRows(stored)
}
const exported = (stored: readonly Command[]) => {
  const text = new Utf8Text()
  for (const row of [...stored].reverse()) addCsvLine(text, row, api.store.salt)
  return csvHeader() + Buffer.from(text.take()).toString()
}

/** Waits for a condition that another part of the process brings about. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets something happen before each query of an export. */
const before = (happen: (query: Parameters<Reads['exportCommands']>[0]) => unknown) => ({
  reads: (reads: Reads): Reads => ({
    ...reads,
    exportCommands: async (query, format) => {
      await happen(query)
      return reads.exportCommands(query, format)
    },
  }),
})

/** Reads of the database, counted, and broken from a given query on. */
function watched(failFrom = Number.POSITIVE_INFINITY) {
  const watch = {
    queries: 0,
    ...before(() => {
      if (++watch.queries >= failFrom) throw new Error('the disk is gone')
    }),
  }
  return watch
}

/** Sends the export request by hand and leaves the answer to the caller. */
async function rawExport(): Promise<Socket> {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const body = JSON.stringify(BODY)
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.credential}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

it('SEARCH-C1: every matching row, newest first, with the headers of a download', async () => {
  await start(rows)
  const answer = await api.call('POST', PATH, { ...BODY, limit: 1, count: true })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="commands-CP1-2026-08-01T00_00_00Z.csv"')
  expect(await answer.text()).toBe(exported(rows))
})

it('SEARCH-C1: an empty export has its header line; a filter and a window hold', async () => {
  await start(rows.slice(0, 3))
  const text = async (body: object) => (await api.call('POST', PATH, { ...BODY, ...body })).text()
  expect(await text({ method: ['Nothing'] })).toBe(csvHeader())
  expect(await text({ from: '2099-01-01T00:00:00Z' })).toBe(csvHeader())
  expect(await text({ to: '2026-08-01T12:00:00Z' })).toBe(csvHeader())
  expect(await text({ status: 'success' })).toBe(exported(rows.slice(0, 3)))
})

it('SEARCH-C4: the rows are read in keyset chunks, each below the one before', async () => {
  const belowIds: (number | undefined)[] = []
  await start(
    rows,
    before(({ belowId }) => belowIds.push(belowId)),
  )
  await (await api.call('POST', PATH, BODY)).text()
  expect(belowIds).toEqual([undefined, rows[700]?.id])
})

it('SEARCH-C5: the bytes of a broken export hold no terminating chunk and no error text', async () => {
  await start(rows, watched(2))
  const socket = await rawExport()
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined)
  await once(socket, 'close')
  const text = Buffer.concat(received).toString()
  expect(text).toContain('HTTP/1.1 200')
  expect(text).not.toMatch(/\r\n0\r\n/)
  expect(text).not.toContain('disk is gone')
  expect(api.logged).toMatchObject([{ level: 'error', message: 'an export broke off' }])
})

it('SEARCH-C5: a failure before the first row is an ordinary problem', async () => {
  await start(rows, watched(1))
  const answer = await api.call('POST', PATH, BODY)
  expect([answer.status, (await answer.json()).code]).toEqual([500, 'internal_error'])
  await Promise.all([1, 2].map(async () => (await api.call('POST', PATH, BODY)).text()))
  expect((await api.call('POST', PATH, BODY)).status).toBe(500)
})

it('SEARCH-C5: a client that does not read stops the queries, and one that leaves ends the export', async () => {
  // Chunks of such rows end at 4 MiB: both exports would take 24 queries if nothing held them back.
  const wide = Array.from({ length: 6_000 }, (_, n) =>
    command(logIdAt(START) + n, { request: JSON.stringify({ data: 'x'.repeat(8000) }) }),
  )
  const watch = watched()
  await start(wide, watch)
  const [one, two] = [await rawExport(), await rawExport()]
  await Promise.all([one, two].map((socket) => once(socket, 'readable')))
  let seen = -1
  // Both exports are stuck once a whole round trip through the database brings no further query.
  while (seen !== watch.queries) {
    seen = watch.queries
    for (let i = 0; i < 50; i++) await api.reads.ping().then(() => new Promise((resolve) => setImmediate(resolve)))
  }
  expect(seen).toBeLessThan(14)
  const third = await api.call('POST', PATH, BODY)
  expect([third.status, (await third.json()).code]).toEqual([429, 'too_many_exports'])
  for (const socket of [one, two]) socket.destroy()
  const isFree = async () => {
    const answer = await api.call('POST', PATH, BODY)
    if (answer.status === 200) await answer.body?.cancel()
    return answer.status === 200
  }
  while (!(await isFree())) await new Promise((resolve) => setImmediate(resolve))
  expect(watch.queries).toBeLessThan(seen + 8)
})

it('SEARCH-C6, API-E2: at most two exports of one account at once, the third costs no more than its request; each that ends makes room', async () => {
  let release = (): void => undefined
  let waiting = 0
  const held = before(() => {
    waiting++
    return new Promise<void>((resolve) => {
      const earlier = release
      release = () => {
        earlier()
        resolve()
      }
    })
  })
  await start(rows, { settings: { rateV2: 100 }, ...held })
  const text = async () => (await api.call('POST', PATH, { ...BODY, to: '2026-08-01T12:00:00.001Z' })).text()
  const running = [text(), text()]
  await until(() => waiting === 2)
  const third = await api.call('POST', PATH, BODY)
  expect([third.status, (await third.json()).code]).toEqual([429, 'too_many_exports'])
  expect(third.headers.get('retry-after')).toBe('10')
  expect(third.headers.get('ratelimit')).toContain('r=79;')
  let done = 0
  for (const one of running) void one.then(() => done++)
  await until(() => {
    release()
    return done === 2
  })
  const again = text()
  let finished = false
  void again.then(() => {
    finished = true
  })
  await until(() => {
    release()
    return finished
  })
  expect(await again).toBe(exported(rows))
})

it('SEARCH-C6: an export ends although rows keep coming', async () => {
  let id = rows.at(-1)?.id ?? 0
  const late = () => Array.from({ length: 600 }, () => command(++id, { messageId: 'late' }))
  await start(
    rows,
    before(() => api.addRows(late())),
  )
  expect(await (await api.call('POST', PATH, BODY)).text()).toBe(exported(rows))
})

it('API-E2: an export costs ten requests', async () => {
  await start([], { settings: { rateV2: 25 } })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    const answer = await api.call('POST', PATH, BODY)
    statuses.push(answer.status)
    await answer.text()
  }
  expect(statuses).toEqual([200, 200, 429])
})
