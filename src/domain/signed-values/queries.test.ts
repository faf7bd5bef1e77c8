import { expect, it } from 'vitest'
import { keyAt } from './queries.ts'
import type { MeterKey } from './records.ts'

function key(place: number, at: number, publicKey: string): MeterKey {
  return { accountId: 'A', station: 'CP1', place, at, publicKey }
}

const KEYS = [key(1, 100, 'old'), key(1, 200, 'new'), key(2, 150, 'other')]

it.each([
  [1, 99, 'old'],
  [1, 100, 'old'],
  [1, 199, 'old'],
  [1, 200, 'new'],
  [1, 10_000, 'new'],
  [2, 1, 'other'],
  [3, 150, undefined],
])('SIGNED-K3: of place %i at %i it is %s', (place, at, publicKey) => {
  expect(keyAt(KEYS, { place, at })).toBe(publicKey)
})

it('SIGNED-K3: a station with one meter need not say where it stands', () => {
  expect(keyAt([key(0, 1, 'only')], { place: 2, at: 5 })).toBe('only')
  expect(keyAt([key(1, 1, 'only')], { place: 0, at: 5 })).toBe('only')
  expect(keyAt([key(0, 1, 'main'), key(1, 1, 'one')], { place: 2, at: 5 })).toBe('main')
  expect(keyAt([], { place: 1, at: 5 })).toBeUndefined()
})
