import { expect, it } from 'vitest'
import { desiredPart } from './store.ts'

// FIRMWARE-F2: the part that is asked for
it.each([
  [undefined, 'whole'],
  ['bytes=0-', { first: 0, last: 99 }],
  ['bytes=10-19', { first: 10, last: 19 }],
  ['bytes = 10 - 19', { first: 10, last: 19 }],
  ['Bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=99-', { first: 99, last: 99 }],
  ['bytes=100-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=20-10', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['lines=1-2', 'whole'],
  ['bytes=99999999999999999999-', 'whole'],
  ['nonsense', 'whole'],
] as const)('%s', (range, part) => {
  expect(desiredPart({ range, ifRange: undefined }, 100, '"e"')).toEqual(part)
})

it.each([
  ['"e"', { first: 10, last: 99 }],
  ['"other"', 'whole'],
  ['W/"e"', 'whole'],
  ['Sat, 21 Nov 2026 12:00:00 GMT', 'whole'],
] as const)('If-Range %s', (ifRange, part) => {
  expect(desiredPart({ range: 'bytes=10-', ifRange }, 100, '"e"')).toEqual(part)
})

it('of an empty file there is none', () => {
  expect(desiredPart({ range: 'bytes=0-', ifRange: undefined }, 0, '"e"')).toBe('none')
})
