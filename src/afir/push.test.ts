import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { CERTIFICATES } from '../../test/support/sockets/tls.ts'
import type { AfirPush } from '../domain/locations/records.ts'
import type { Post, PostResult } from '../webhooks/sending/sender.ts'
import type { Ready } from './feed.ts'
import { partOf } from './parts.ts'
import { type Push, startPush } from './push.ts'

const URL = 'https://access-point.example.com/publication'
const START = Date.UTC(2026, 10, 29)
const HOUR = 3600_000
const TAKEN: Partial<PostResult> = { status: 202 }

const open: Push[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
})

type Known = Partial<Record<'afirPushToken' | 'afirPushCertFile' | 'afirPushKeyFile', string>>

/** A feed that changes when the test says so, and an access point that answers as it says. */
function accessPoint(settings: Known = {}) {
  const clock = manualClock(START)
  const feed = { revision: 1, at: START, isEmpty: false }
  const all = {
    feed,
    posts: [] as Post[],
    asked: [] as unknown[],
    said: [] as object[],
    answer: TAKEN,
    isKeeper: true,
    kept: undefined as AfirPush | undefined,
    start(): Push {
      const push = startPush({
        clock,
        random: () => 0.5,
        userAgent: 'Pilotwire/1',
        settings: { webhookScheduleSeconds: [5, 30, 86_400], webhookAllowPrivate: [], afirPushUrl: URL, ...settings },
        isKeeper: async () => all.isKeeper,
        reads: { getRecord: async () => all.kept as never },
        writes: {
          async putRecords(_, [one]) {
            all.kept = one as never
          },
        },
        feed: {
          revision: () => feed.revision,
          async pushed(since): Promise<Ready> {
            all.asked.push(since ?? 'all')
            const part = partOf(since ? 'changes' : 'all')
            return { parts: [part], ...part, ...feed, isWhole: !since }
          },
        },
        sender: {
          async send(post) {
            all.posts.push(post)
            return { durationMs: 1, ...all.answer }
          },
          close: async () => undefined,
        },
        log: {
          info: () => undefined,
          warn: (fields) => all.said.push(fields),
          error: (fields) => all.said.push(fields),
        },
      })
      open.push(push)
      return push
    },
    async pass(ms = 1000): Promise<void> {
      clock.advance(ms)
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
    change(): void {
      feed.revision += 1
      feed.at += 60_000
    },
    async changed(): Promise<void> {
      all.change()
      await all.pass()
    },
  }
  return all
}

const before = (ms: number): number => ms - 15_000

it('AFIR-A2: first all, then what changed since it was confirmed, and nothing where nothing changed', async () => {
  const it = accessPoint()
  it.start()
  await it.pass()
  expect(it.asked).toEqual(['all'])
  expect(it.kept).toEqual({ url: URL, confirmedAt: START, deltas: 0, snapshotAt: START + 1000 })
  await it.pass()
  expect(it.posts).toHaveLength(1)
  await it.changed()
  expect(it.asked.slice(1)).toEqual([{ at: before(START), revision: 1 }])
  expect(it.kept).toEqual({ url: URL, confirmedAt: START + 60_000, deltas: 1, snapshotAt: START + 1000 })
  const [post] = it.posts
  expect(post).toMatchObject({ url: URL, headers: { 'content-type': 'application/json', 'content-length': '3' } })
  const body = post?.body as () => Iterable<Buffer>
  expect(Buffer.concat([...body()]).toString()).toBe('all')
})

it('AFIR-A2: nothing is sent while nothing is published, and what is not shown is no change', async () => {
  const it = accessPoint()
  it.feed.isEmpty = true
  it.start()
  await it.pass()
  expect([it.posts, it.kept]).toEqual([[], undefined])
  it.feed.isEmpty = false
  await it.pass()
  it.feed.isEmpty = true
  await it.changed()
  await it.pass()
  expect(it.asked).toEqual(['all', 'all', { at: before(START), revision: 1 }])
  expect(it.posts).toHaveLength(1)
})

it('AFIR-A2: all again after six hours, and after 3,500 changes', async () => {
  const it = accessPoint()
  it.start()
  await it.pass()
  await it.pass(6 * HOUR - 1000)
  expect(it.asked).toEqual(['all'])
  await it.pass()
  expect(it.asked).toEqual(['all', 'all'])
  it.kept = { ...(it.kept as AfirPush), deltas: 3499 }
  await it.changed()
  await it.changed()
  expect(it.asked.slice(2)).toEqual([{ at: before(START), revision: 1 }, 'all'])
  expect(it.kept).toMatchObject({ deltas: 0 })
})

it('AFIR-A2: what is refused is sent again by the schedule of webhooks, every ten minutes at last', async () => {
  const it = accessPoint()
  const push = it.start()
  it.answer = { status: 403, error: 'status', answer: 'Who are you?' }
  await it.pass()
  expect([it.posts.length, it.kept, push.waitingSince()]).toEqual([1, undefined, START + 1000])
  for (const [waits, sent] of [
    [4000, 1],
    [1000, 2],
    [29_000, 2],
    [1000, 3],
    [599_000, 3],
    [1000, 4],
    [600_000, 5],
  ] as const) {
    await it.pass(waits)
    expect(it.posts).toHaveLength(sent)
  }
  expect(it.said[0]).toEqual({ why: 'it answered HTTP 403. Who are you?', againInSeconds: 5 })
  it.answer = TAKEN
  await it.pass(600_000)
  expect([it.kept?.confirmedAt, push.waitingSince()]).toEqual([START, undefined])
  it.answer = { error: 'tls_failed' }
  await it.changed()
  expect(it.said.at(-1)).toEqual({ why: 'no answer: tls failed', againInSeconds: 5 })
  it.answer = TAKEN
  it.change()
  await it.pass(5000)
  // Of all that came since then.
  expect(it.asked.slice(-2)).toEqual([
    { at: before(START), revision: 1 },
    { at: before(START), revision: 1 },
  ])
})

it('AFIR-A2: a token that the access point repeats was in the log; it is left out', async () => {
  const it = accessPoint({ afirPushToken: 'secret-of-ours' })
  it.start()
  it.answer = { status: 401, error: 'status', answer: 'Bearer secret-of-ours is not known' }
  await it.pass()
  expect(it.said).toEqual([{ why: 'it answered HTTP 401. Bearer … is not known', againInSeconds: 5 }])
})

it('AFIR-A2: a pause that the access point asks for is kept', async () => {
  const it = accessPoint()
  it.start()
  it.answer = { status: 429, error: 'status', retryAfter: '3600' }
  await it.pass()
  await it.pass(HOUR - 1000)
  expect(it.posts).toHaveLength(1)
  await it.pass()
  expect(it.posts).toHaveLength(2)
})

it('AFIR-A2: another start goes on where the access point was', async () => {
  const it = accessPoint()
  const first = it.start()
  await it.pass()
  it.answer = { error: 'interrupted' }
  await it.changed()
  await first.stop()
  it.answer = TAKEN
  it.start()
  await it.pass()
  expect(it.asked.at(-1)).toEqual({ at: before(START), revision: 0 })
  expect(it.kept).toMatchObject({ confirmedAt: START + 60_000, deltas: 1 })
})

it('AFIR-A2: of several servers one sends, and none waits for what another sent', async () => {
  const it = accessPoint()
  const push = it.start()
  it.answer = { status: 500, error: 'status' }
  await it.pass()
  it.isKeeper = false
  await it.pass(60_000)
  expect([it.posts.length, push.waitingSince()]).toEqual([1, undefined])
})

it('AFIR-A2: a renewed certificate is used with the next request; one that cannot be read is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotwire-push-'))
  const [cert, key] = [join(folder, 'own.crt'), join(folder, 'own.key')]
  const it = accessPoint({ afirPushCertFile: cert, afirPushKeyFile: key })
  it.start()
  await it.pass()
  expect([it.posts.length, JSON.stringify(it.said)]).toEqual([0, expect.stringContaining('ENOENT')])
  for (const pair of [CERTIFICATES.first, CERTIFICATES.second]) {
    writeFileSync(cert, pair.cert)
    writeFileSync(key, pair.key)
    it.change()
    await it.pass(30_000)
    expect(it.posts.at(-1)?.certificate).toEqual(pair)
  }
  rmSync(folder, { recursive: true })
})
