import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Answer, type Received, type Receiver, startReceiver } from '../../test/support/webhooks/receiver.ts'
import { newUuid } from '../domain/message-log/log-id.ts'
import { checkReceiver, conformanceCases, isAsExpected, type JudgedCase } from './conformance.ts'
import { sign } from './sending/signature.ts'

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
const NOW = Date.UTC(2026, 7, 1, 12)

let hook: Receiver
beforeEach(async () => {
  hook = await startReceiver()
})
afterEach(() => hook.close())

const parts = () => ({
  url: hook.url,
  secret: SECRET,
  userAgent: 'Pilotwire/test',
  now: () => NOW,
  newId: () => newUuid(NOW, randomBytes),
})

async function failuresOf(respond: Answer): Promise<readonly string[]> {
  hook.respond = respond
  const judged: JudgedCase[] = []
  const { passed } = await checkReceiver(parts(), (one) => judged.push(one))
  const failures = judged.filter((one) => !one.passed).map(({ name }) => name)
  expect([judged.length, passed]).toEqual([8, failures.length === 0])
  return failures
}

/**
 * The samples of docs/webhooks.md are tested where they stand; this receiver does as they do, less what is left out.
 */
function receiver(without: 'age' | 'list' | 'signature' | 'duplicates' | 'nothing'): Answer {
  const seen = new Set<string>()
  return (response, { headers, body }: Received) => {
    const timestamp = Number(headers['webhook-timestamp'])
    const given = headers['webhook-signature'] ?? ''
    const signatures = without === 'list' ? [given] : given.split(',')
    const genuine = without === 'signature' || signatures.includes(sign(SECRET, timestamp, body))
    const fresh = without === 'age' || Math.abs(NOW / 1000 - timestamp) <= 300
    const { id } = JSON.parse(body) as { id: string }
    const known = without === 'duplicates' && seen.has(id)
    seen.add(id)
    response.writeHead(!genuine || !fresh ? 401 : known ? 409 : 204).end()
  }
}

it.each([
  ['nothing', []],
  ['age', ['a signature of ten minutes ago']],
  ['list', ['two signatures, the first one fits', 'two signatures, the last one fits']],
  ['signature', ['a signature with another secret', 'a body that was changed']],
  ['duplicates', ['the same event again']],
] as const)('HOOK-B3: a receiver that misses %s fails %j', async (without, expected) => {
  expect(await failuresOf(receiver(without))).toEqual(expected)
})

it('HOOK-B3: a receiver that looks at the first of several signatures only', async () => {
  const only: Answer = (response, { headers, body }) => {
    const [first = ''] = (headers['webhook-signature'] ?? '').split(',')
    const timestamp = Number(headers['webhook-timestamp'])
    const good = first === sign(SECRET, timestamp, body) && Math.abs(NOW / 1000 - timestamp) <= 300
    response.writeHead(good ? 200 : 400).end()
  }
  expect(await failuresOf(only)).toEqual(['two signatures, the last one fits'])
})

it('HOOK-B3: one that is away, refuses all, breaks or leads elsewhere fails what it cannot have judged', async () => {
  expect(await failuresOf((response) => response.destroy())).toHaveLength(8)
  expect(await failuresOf((response) => response.writeHead(401).end())).toHaveLength(5)
  expect(await failuresOf((response) => response.writeHead(500).end())).toHaveLength(8)
  expect(await failuresOf((response) => response.writeHead(302, { location: hook.url }).end())).toHaveLength(8)
})

it('HOOK-B3, HOOK-S4: every event is marked as a test, its session too; only the repeated one has a known id', async () => {
  await failuresOf(receiver('nothing'))
  const events = hook.received.map(({ body }) => JSON.parse(body) as { id: string; data: { id: string } })
  expect(hook.received.every(({ headers }) => headers['webhook-test'] === 'true')).toBe(true)
  expect(new Set(events.map(({ data }) => data.id)).size).toBe(1)
  expect(events[0]?.data.id).toMatch(/^test_/)
  expect(new Set(events.map(({ id }) => id)).size).toBe(7)
  expect(events[1]).toEqual(events[0])
})

it.each([
  ['accept', 200, true],
  ['accept', 299, true],
  ['accept', 300, false],
  ['accept', 199, false],
  ['refuse', 400, true],
  ['refuse', 499, true],
  ['refuse', 204, false],
  ['refuse', 500, false],
  ['refuse', undefined, false],
  ['accept', undefined, false],
] as const)('HOOK-B3: %s, answered %s -> %s', (expected, status, passed) => {
  expect(isAsExpected(expected, status === undefined ? {} : { status })).toBe(passed)
})

it('HOOK-B3: the old event is older and the others are later, one after the other', () => {
  const times = conformanceCases(parts()).map(({ event }) =>
    Date.parse((JSON.parse(event.body) as { time: string }).time),
  )
  expect(times[2]).toBeLessThan(times[0] ?? 0)
  const later = times.filter((_, index) => index > 2)
  expect(later).toEqual([...later].sort((a, b) => a - b))
})
