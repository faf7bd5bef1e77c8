import { expect, it } from 'vitest'
import { grouped } from './grouped.ts'
import { parsedJson } from './parsed-json.ts'

it('items are grouped by what they have in common, in their order', () => {
  const groups = grouped([3, 1, 2, 5, 4], (one) => one % 2)
  expect([...groups]).toEqual([
    [1, [3, 1, 5]],
    [0, [2, 4]],
  ])
  expect(grouped([], String).size).toBe(0)
})

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['"😀"', '😀'],
  ['', undefined],
  ['{"a":', undefined],
  ['undefined', undefined],
])('what %j says as JSON', (text, expected) => {
  expect(parsedJson(text)).toEqual(expected)
})
