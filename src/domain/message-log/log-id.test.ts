import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import {
  LOG_EPOCH_MS,
  logIdAt,
  logIdTime,
  logIdToUuid,
  NODE_SLOTS,
  nextLogId,
  uuidToLogId,
  uuidToV1Id,
} from './log-id.ts'

const anyId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 1 })
const anySalt = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })

it('SEARCH-Q6: ids rise strictly and time never steps back, whatever the clock does', () => {
  forAll(fc.array(fc.integer({ min: LOG_EPOCH_MS, max: LOG_EPOCH_MS + 10 }), { maxLength: 200 }), (clock) => {
    let last = 0
    for (const now of clock) {
      const id = nextLogId(last, now)
      expect(id).toBeGreaterThan(last)
      expect(logIdTime(id)).toBeGreaterThanOrEqual(logIdTime(last))
      last = id
    }
  })
})

it('SEARCH-Q6: 10,000 ids in one millisecond roll over into the next ones', () => {
  const now = Date.UTC(2026, 10, 21)
  let last = 0
  for (let count = 0; count < 10_000; count++) last = nextLogId(last, now)
  expect(logIdTime(last)).toBe(now + 2)
})

it('STORE-I1: nodes that never meet give different ids, each rising, over the ids that one writer alone gave before', () => {
  const now = Date.UTC(2026, 10, 21)
  const turns = fc.array(fc.record({ node: fc.integer({ min: 0, max: 3 }), clock: fc.integer({ min: -2, max: 2 }) }), {
    maxLength: 300,
  })
  forAll(turns, fc.integer({ min: 0, max: 4095 }), anySalt, (each, alone, salt) => {
    // What a database holds whose one writer had the whole counter.
    const before = logIdAt(now) + alone
    const slots = [0, 1, 31, NODE_SLOTS - 1]
    const newest = slots.map(() => before)
    const given = new Set([before])
    const names = new Set([logIdToUuid(before, salt)])
    for (const { node, clock } of each) {
      const last = newest[node] ?? 0
      const id = nextLogId(last, now + clock, slots[node])
      expect(id).toBeGreaterThan(last)
      expect(id % NODE_SLOTS).toBe(slots[node])
      expect(logIdTime(id)).toBeGreaterThanOrEqual(now + clock)
      newest[node] = id
      given.add(id)
      const uuid = logIdToUuid(id, salt)
      expect(uuidToLogId(uuid, salt)).toBe(id)
      names.add(uuid)
      names.add(uuidToV1Id(uuid))
    }
    expect(given.size).toBe(each.length + 1)
    expect(names.size).toBe(2 * each.length + 1)
  })
})

it('STORE-I1: 64 ids of one node fill a millisecond, the next one is in the millisecond behind it', () => {
  const now = Date.UTC(2026, 10, 21)
  let last = 0
  for (let count = 0; count < 64; count++) last = nextLogId(last, now, 5)
  expect(logIdTime(last)).toBe(now)
  expect(logIdTime(nextLogId(last, now, 5))).toBe(now + 1)
})

it('SEARCH-Q6: createdAt is the millisecond of the id', () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0, 123)
  expect(logIdTime(logIdAt(now))).toBe(now)
  expect(Number.isSafeInteger(logIdAt(Date.UTC(2089, 0, 1)))).toBe(true)
  expect(logIdAt(Date.UTC(9999, 11, 31))).toBe(Number.MAX_SAFE_INTEGER)
})

it('the UUID is a version 7 UUID and leads back to its id', () => {
  forAll(anyId, anySalt, (id, salt) => {
    const uuid = logIdToUuid(id, salt)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(uuidToLogId(uuid, salt)).toBe(id)
    expect(uuidToLogId(uuid.toUpperCase(), salt)).toBe(id)
  })
})

it('UUIDs sort like their ids', () => {
  forAll(anyId, anyId, anySalt, (a, b, salt) => {
    const order = Math.sign(a - b)
    const [left, right] = [logIdToUuid(a, salt), logIdToUuid(b, salt)]
    expect(left < right ? -1 : left > right ? 1 : 0).toBe(order)
  })
})

it('a UUID of another database, or anything else, is no id', () => {
  expect(uuidToLogId(logIdToUuid(12345, 1n), 2n)).toBeUndefined()
  for (const text of ['', 'x', '0197f3c2-5a10-4abc-8def-0123456789ab', '00000000-0000-7000-8000-000000000000']) {
    expect(uuidToLogId(text, 1n)).toBeUndefined()
  }
})

it('SEARCH-V3: the v1 id is cut out of the UUID', () => {
  expect(uuidToV1Id('0197f3c2-5a10-7abc-8def-0123456789ab')).toBe('0197f3c25a10abc3456789ab')
})
