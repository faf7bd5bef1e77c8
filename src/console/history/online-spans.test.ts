import { expect, it } from 'vitest'
import { onlineSpans, shareOf } from './online-spans.ts'

const on = (at: number) => ({ kind: 'connected' as const, at })
const off = (at: number) => ({ kind: 'disconnected' as const, at })

// CONSOLE-F8: when a charge point was online
it.each([
  ['all the time', [], true, [[0, 100]]],
  ['never', [], false, []],
  ['since then', [on(40)], true, [[40, 100]]],
  ['until then', [off(40)], false, [[0, 40]]],
  [
    'with a gap',
    [off(40), on(60)],
    true,
    [
      [0, 40],
      [60, 100],
    ],
  ],
  // The new connection is told before the end of the old one, or twice.
  ['a connection that replaces another', [on(40), on(50), off(60)], false, [[40, 60]]],
  ['no time at all', [on(40), off(40)], false, []],
  ['what is not about that time', [off(-5), on(101)], true, [[0, 100]]],
  ['what is no connection', [{ kind: 'booted' as const, at: 3 }], false, []],
])('%s', (_, entries, isOnline, spans) => {
  expect(onlineSpans(entries, { from: 0, to: 100, isOnline })).toEqual(spans)
})

it('as a share of the time', () => {
  expect([
    shareOf(
      [
        [0, 25],
        [50, 75],
      ],
      0,
      100,
    ),
    shareOf([], 0, 100),
    shareOf([], 5, 5),
  ]).toEqual([50, 0, undefined])
})
