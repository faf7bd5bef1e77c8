import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../test/support/property.ts'
import { mix64 } from './log-id.ts'

const MASK = (1n << 64n) - 1n

/** The same in big integers, as its inventors write it down. */
function reference(value: bigint): bigint {
  let z = (value + 0x9e3779b97f4a7c15n) & MASK
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK
  return z ^ (z >> 31n)
}

it('is splitmix64 for every id and salt', () => {
  forRuns(2000)(fc.maxSafeNat(), fc.bigInt({ min: 0n, max: MASK }), (value, salt) => {
    const [high, low] = mix64(value, salt)
    expect((BigInt(high) << 32n) | BigInt(low)).toBe(reference(BigInt(value) ^ salt))
  })
})

it.each([
  [0, 0n],
  [1, MASK],
  [Number.MAX_SAFE_INTEGER, MASK],
  [0xffff_ffff, 0xffff_ffff_0000_0000n],
  [0x1_0000_0000, 1n],
])('at its edges: %d and %d', (value, salt) => {
  const [high, low] = mix64(value, salt)
  expect((BigInt(high) << 32n) | BigInt(low)).toBe(reference(BigInt(value) ^ salt))
})
