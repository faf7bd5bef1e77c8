import { expect, test } from 'vitest'
import { believedRefusals, withRefusals } from './records.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const NOW = 10 * DAY

// CHARGING-S5: what a model is believed to refuse
test.each<[string, readonly (readonly [station: string, at: number])[], boolean]>([
  ['one station once: chance', [['A', NOW]], false],
  [
    'one station twice at once: one mishap',
    [
      ['A', NOW - 1000],
      ['A', NOW],
    ],
    false,
  ],
  [
    'one station again later',
    [
      ['A', NOW - MINUTE],
      ['A', NOW],
    ],
    true,
  ],
  [
    'two stations',
    [
      ['A', NOW],
      ['B', NOW],
    ],
    true,
  ],
  [
    'two stations, a day ago: it is tried again',
    [
      ['A', NOW - DAY],
      ['B', NOW - DAY],
    ],
    false,
  ],
  [
    'one a day ago and one now',
    [
      ['A', NOW - DAY],
      ['B', NOW],
    ],
    false,
  ],
  [
    'many at one station, then another',
    [
      ['A', NOW],
      ['A', NOW],
      ['A', NOW],
      ['A', NOW],
      ['B', NOW],
    ],
    true,
  ],
])('%s', (_, seen, isBelieved) => {
  let refused = {}
  for (const [station, at] of seen) refused = withRefusals(refused, ['TxProfile/A'], station, at)
  expect(believedRefusals(refused, NOW)).toEqual(isBelieved ? ['TxProfile/A'] : [])
})
