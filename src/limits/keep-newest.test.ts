import { expect, it } from 'vitest'
import { keepNewest } from './keep-newest.ts'

it('forgets what was put there longest ago, and only beyond the limit', () => {
  const kept = new Map<string, number>()
  for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) keepNewest(kept, key, index, 3)
  expect([...kept]).toEqual([
    ['b', 1],
    ['a', 2],
    ['c', 3],
  ])
  keepNewest(kept, 'd', 4, 3)
  expect([...kept.keys()]).toEqual(['a', 'c', 'd'])
})
