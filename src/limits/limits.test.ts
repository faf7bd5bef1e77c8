import { expect, it } from 'vitest'
import { describeLimits } from '../../test/support/storage-contract/limits.ts'
import { limitsInMemory } from './limits.ts'

describeLimits('in the memory of one process', () => {
  let now = 0
  return {
    limits: limitsInMemory(() => now),
    pass: (ms) => {
      now += ms
    },
    close: () => undefined,
  }
})

it('SEARCH-C6: a place says since when it is taken', async () => {
  const limits = limitsInMemory(() => 7)
  await limits.occupy('export a', 1, '0')
  expect(await limits.occupy('export a', 1, '0')).toEqual([{ since: 7, reported: '0' }])
})
