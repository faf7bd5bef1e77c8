import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { canonicalJson, createCursors } from './cursor.ts'

const now = Date.UTC(2026, 7, 1)
const DAY_MS = 24 * 3600_000
const key = randomBytes(32)
const cursors = createCursors(key)
const query = { account: 'a', chargePoint: 'CP1', body: { from: '2026-08-01T00:00:00Z', limit: 100 } }

it('SEARCH-Q7: a cursor gives back its position, for the same query and after a restart', () => {
  const text = cursors.seal([17, 4], query, now)
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(createCursors(key).open(text, query, now + DAY_MS)).toEqual({ ok: true, position: [17, 4] })
})

it('SEARCH-Q7: member order and white space of the body do not matter', () => {
  const text = cursors.seal([1], JSON.parse('{"b":{"y":1,"x":[2]},"a":1}'), now)
  expect(cursors.open(text, JSON.parse('{ "a": 1, "b": {"x": [2], "y": 1} }'), now)).toMatchObject({ ok: true })
})

it.each([
  ['account', { ...query, account: 'b' }],
  ['charge point', { ...query, chargePoint: 'CP2' }],
  ['limit', { ...query, body: { ...query.body, limit: 99 } }],
  ['to', { ...query, body: { ...query.body, to: '2026-08-02T00:00:00Z' } }],
])('SEARCH-Q7: another %s is cursor_mismatch', (_, other) => {
  expect(cursors.open(cursors.seal([1], query, now), other, now)).toEqual({ ok: false, code: 'cursor_mismatch' })
})

it('SEARCH-Q7: older than seven days is cursor_expired', () => {
  const text = cursors.seal([1], query, now)
  expect(cursors.open(text, query, now + 7 * DAY_MS)).toMatchObject({ ok: true })
  expect(cursors.open(text, query, now + 7 * DAY_MS + 1)).toEqual({ ok: false, code: 'cursor_expired' })
})

it('SEARCH-Q7: every forged, cut or foreign cursor is invalid_cursor', () => {
  const text = cursors.seal([1], query, now)
  const invalid = { ok: false, code: 'invalid_cursor' }
  expect(createCursors(randomBytes(32)).open(text, query, now)).toEqual(invalid)
  for (let length = 0; length < text.length; length++) {
    expect(cursors.open(text.slice(0, length), query, now)).toEqual(invalid)
  }
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  forAll(fc.nat(text.length - 1), fc.constantFrom(...alphabet), (at, letter) => {
    fc.pre(text[at] !== letter)
    expect(cursors.open(text.slice(0, at) + letter + text.slice(at + 1), query, now)).toEqual(invalid)
  })
  forAll(fc.string(), (garbage) => {
    expect(cursors.open(garbage, query, now)).toEqual(invalid)
  })
  expect(cursors.open('A'.repeat(1_000_000), query, now)).toEqual(invalid)
  expect(cursors.open(`${text}=`, query, now)).toEqual(invalid)
})

it('SEARCH-Q7: any position of any query comes back', () => {
  const scalar = fc.oneof(fc.integer({ min: 0 }), fc.string({ maxLength: 36 }))
  forAll(fc.array(scalar, { maxLength: 4 }), fc.jsonValue(), (position, any) => {
    expect(cursors.open(cursors.seal(position, any, now), any, now)).toEqual({ ok: true, position })
  })
})

it('SEARCH-Q7: canonical JSON is valid JSON of the same value', () => {
  forAll(fc.jsonValue(), (value) => {
    const plain: unknown = JSON.parse(JSON.stringify(value))
    expect(JSON.parse(canonicalJson(plain))).toEqual(plain)
  })
})
