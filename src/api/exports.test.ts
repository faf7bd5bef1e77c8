import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { limitsInMemory } from '../limits/limits.ts'
import { createExports } from './endpoint.ts'
import type { Problem } from './respond.ts'

function place() {
  const clock = manualClock(0)
  const exports = createExports(limitsInMemory(clock.now), clock.now)
  const refused = async (tokensIn = 0): Promise<string | undefined> => {
    try {
      const begun = await exports.begin('a', async () => tokensIn)
      begun.end()
      return undefined
    } catch (error) {
      return (error as Problem).headers['retry-after']
    }
  }
  return { clock, begin: () => exports.begin('a', async () => 0), refused }
}

it('SEARCH-Q13: a refused export is told when the sooner of the two that run will have ended, as far as they have come', async () => {
  const { clock, begin, refused } = place()
  const [slow, quick] = await Promise.all([begin(), begin()])
  expect(await refused()).toBe('10')
  clock.advance(60_000)
  slow.progress(0.25)
  quick.progress(0.5)
  expect(await refused()).toBe('60')
  clock.advance(30_000)
  quick.progress(0.9)
  expect(await refused()).toBe('10')
  slow.progress(1e-9)
  quick.progress(1e-9)
  expect(await refused()).toBe('3600')
})

it('SEARCH-Q13: whoever comes back needs tokens too', async () => {
  const { clock, begin, refused } = place()
  for (const one of await Promise.all([begin(), begin()])) one.progress(0.5)
  clock.advance(2000)
  expect([await refused(1), await refused(30)]).toEqual(['2', '30'])
})

it('SEARCH-C6: an export that ended makes room, once however often it ends', async () => {
  const { begin, refused } = place()
  const first = await begin()
  await begin()
  first.end()
  first.end()
  await begin()
  expect(await refused()).toBe('10')
})
