import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance, suggestion } from './suggest.ts'

it.each([
  ['', '', 0],
  ['PORT', 'PORT', 0],
  ['PROT', 'PORT', 1],
  ['PORT', 'PORTS', 1],
  ['HOST', 'PORT', 2],
  ['', 'abc', 3],
])('%s -> %s takes %d', (a, b, distance) => expect(editDistance(a, b)).toBe(distance))

it('is symmetric and no longer than the longer word', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
    }),
  )
})

it('suggests the nearest word or nothing', () => {
  expect(suggestion('serv', ['serve', 'simulate'])).toBe('serve')
  expect(suggestion('xyzzyxyzzy', ['serve', 'simulate'])).toBeUndefined()
})
