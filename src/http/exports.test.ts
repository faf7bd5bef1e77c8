import { describe, expect, it } from 'vitest'
import { manualClock } from '../clock.ts'
import { createExports } from './exports.ts'
import type { Problem } from './problem.ts'

function place() {
  const clock = manualClock(0)
  const exports = createExports(clock.now)
  const refused = (tokensIn = 0): string | undefined => {
    try {
      exports.begin('a', () => tokensIn).end()
      return undefined
    } catch (error) {
      return (error as Problem).headers['retry-after']
    }
  }
  return { clock, begin: () => exports.begin('a', () => 0), refused }
}

describe('places for exports', () => {
  it('SEARCH-Q13: a refused export is told when the sooner of the two that run will have ended, as far as they have come', () => {
    const { clock, begin, refused } = place()
    const [slow, quick] = [begin(), begin()]
    expect(refused()).toBe('10')
    clock.advance(60_000)
    slow.progress(0.25)
    quick.progress(0.5)
    expect(refused()).toBe('60')
    clock.advance(30_000)
    quick.progress(0.9)
    expect(refused()).toBe('10')
    slow.progress(1e-9)
    quick.progress(1e-9)
    expect(refused()).toBe('3600')
  })

  it('SEARCH-Q13: whoever comes back needs tokens too', () => {
    const { clock, begin, refused } = place()
    for (const one of [begin(), begin()]) one.progress(0.5)
    clock.advance(2000)
    expect([refused(1), refused(30)]).toEqual(['2', '30'])
  })

  it('SEARCH-C6: an export that ended makes room, once however often it ends', () => {
    const { begin, refused } = place()
    const first = begin()
    begin()
    first.end()
    first.end()
    begin()
    expect(refused()).toBe('10')
  })
})
