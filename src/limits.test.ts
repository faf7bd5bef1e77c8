import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitsInMemory } from './limits.ts'

const bucket = (key: string, tokens: number, most = 10) => ({ key, most, perMs: 1000, tokens })

describe('limits in memory', () => {
  it('API-E2: takes from all of the buckets or from none', async () => {
    const limits = limitsInMemory(() => 0)
    expect((await limits.take('account', [bucket('large', 4), bucket('small', 4, 5)])).taken).toBe(true)
    const refused = await limits.take('account', [bucket('large', 4), bucket('small', 4, 5)])
    expect([refused.taken, refused.levels.map(({ level }) => level)]).toEqual([false, [6, 1]])
  })

  it('API-E2: what is counted for one purpose is not counted for another', async () => {
    const limits = limitsInMemory(() => 0)
    await limits.take('attempts', [bucket('a', 10)])
    expect((await limits.take('calls', [bucket('a', 10)])).taken).toBe(true)
  })

  it('API-E2: no bucket ever holds more than its most or less than nothing', async () => {
    const step = fc.record({ pause: fc.nat(2000), tokens: fc.integer({ min: -20, max: 20 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        let now = 0
        const limits = limitsInMemory(() => now)
        for (const { pause, tokens } of steps) {
          now += pause
          const { levels } = await limits.take('calls', [bucket('a', tokens)])
          expect(levels[0]?.level).toBeGreaterThan(-1e-5)
          expect(levels[0]?.level).toBeLessThanOrEqual(10)
        }
      }),
    )
  })

  it('SEARCH-C6: a place is somebody else’s once it is free, and those who find none are told who has them', async () => {
    const limits = limitsInMemory(() => 7)
    const [first, second] = [await limits.occupy('export a', 2, '0'), await limits.occupy('export a', 2, '0')]
    if (!('free' in first) || !('free' in second)) throw new Error('There was no place.')
    first.tell('0.5')
    expect(await limits.occupy('export a', 2, '0')).toEqual([
      { since: 7, told: '0.5' },
      { since: 7, told: '0' },
    ])
    expect('free' in (await limits.occupy('export b', 2, '0'))).toBe(true)
    first.free()
    first.free()
    expect('free' in (await limits.occupy('export a', 2, '0'))).toBe(true)
    expect(await limits.occupy('export a', 2, '0')).toHaveLength(2)
  })
})
