/** What every engine of the limits port promises. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LimitPurpose, Limits, OccupiedSlot, Slot } from '../../../src/domain/ports/limits.ts'

export interface LimitsFixture {
  readonly limits: Limits
  /** Lets so much time pass for it. */
  pass(ms: number): Promise<void> | void
  close(): Promise<void> | void
}

const HOUR_MS = 3_600_000
const PURPOSES: readonly LimitPurpose[] = ['account', 'address', 'attempts', 'calls']

/** Refills so slowly that what the test itself takes does not matter. */
const bucket = (key: string, tokens: number, most = 10, perMs = HOUR_MS) => ({ key, most, perMs, tokens })

export function placeOf(taken: Slot | readonly OccupiedSlot[]): Slot {
  if (!('free' in taken)) throw new Error('There was no place.')
  return taken
}

export function describeLimits(engine: string, open: () => Promise<LimitsFixture> | LimitsFixture): void {
  describe(`limits: ${engine}`, () => {
    let fixture: LimitsFixture
    let limits: Limits
    beforeEach(async () => {
      fixture = await open()
      limits = fixture.limits
    })
    afterEach(() => fixture.close())

    const levels = async (purpose: LimitPurpose, ...desired: readonly ReturnType<typeof bucket>[]) => {
      const { taken, levels } = await limits.take(purpose, desired)
      return [taken, levels.map(({ level }) => Math.round(level))]
    }

    it.each(PURPOSES)('API-E2: %s: takes from all of the buckets or from none', async (purpose) => {
      const both = (tokens: number) => levels(purpose, bucket('large', tokens), bucket('small', tokens, 5))
      expect(await both(4)).toEqual([true, [6, 1]])
      expect(await both(4)).toEqual([false, [6, 1]])
      expect(await both(1)).toEqual([true, [5, 0]])
      expect(await levels(purpose, bucket('large', 5))).toEqual([true, [0]])
      expect(await levels(purpose, bucket('large', 1))).toEqual([false, [0]])
    })

    it.each(PURPOSES)('API-E2: %s: a large bucket gives exactly what it holds', async (purpose) => {
      let taken = 0
      for (let n = 0; n < 210; n++) if ((await limits.take(purpose, [bucket('a', 1, 200)])).taken) taken++
      expect(taken).toBe(200)
    })

    it('API-E2: of many at once exactly so many get something', async () => {
      const all = await Promise.all(
        Array.from({ length: 60 }, () => limits.take('account', [bucket('a', 1, 40), bucket('b', 1, 50)])),
      )
      expect(all.filter(({ taken }) => taken)).toHaveLength(40)
      expect(await levels('account', bucket('b', 0, 50))).toEqual([true, [10]])
    })

    it('API-E2: fills again with time, and never beyond its most', async () => {
      expect(await levels('attempts', bucket('a', 10))).toEqual([true, [0]])
      await fixture.pass(HOUR_MS / 2)
      expect(await levels('attempts', bucket('a', 6))).toEqual([false, [5]])
      await fixture.pass(HOUR_MS * 3)
      expect(await levels('attempts', bucket('a', 0))).toEqual([true, [10]])
    })

    it('API-E2: looks without taking, and takes back what was given', async () => {
      expect(await levels('calls', bucket('a', 3))).toEqual([true, [7]])
      expect(await levels('calls', bucket('a', 0))).toEqual([true, [7]])
      expect(await levels('calls', bucket('a', -2))).toEqual([true, [9]])
      expect(await levels('calls', bucket('a', -9))).toEqual([true, [10]])
    })

    it('API-E2: what is counted for one purpose is not counted for another', async () => {
      await limits.take('attempts', [bucket('a', 10)])
      for (const purpose of ['calls', 'account', 'address'] as const) {
        expect((await limits.take(purpose, [bucket('a', 10)])).taken).toBe(true)
      }
    })

    it('API-E2: no bucket ever holds more than its most or less than nothing', async () => {
      const step = fc.record({ pause: fc.nat(2000), tokens: fc.integer({ min: -20, max: 20 }) })
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step), async (steps) => {
          const key = `run ${++run}`
          for (const { pause, tokens } of steps) {
            await fixture.pass(pause)
            const { levels } = await limits.take('calls', [bucket(key, tokens, 10, 1000)])
            expect(levels[0]?.level).toBeGreaterThan(-1e-5)
            expect(levels[0]?.level).toBeLessThanOrEqual(10)
          }
        }),
        { numRuns: 30 },
      )
    })

    it('API-E2: a key may be of any length and hold anything', async () => {
      const key = `sign-in \0 \ud800 ${'x'.repeat(20_000)}`
      expect(await levels('attempts', bucket(key, 4))).toEqual([true, [6]])
      expect(await levels('attempts', bucket(key, 7))).toEqual([false, [6]])
    })

    it('SEARCH-C6: a place is somebody else’s once it is free, and those who find none are told who has them', async () => {
      const first = placeOf(await limits.occupy('export a', 2, '0'))
      placeOf(await limits.occupy('export a', 2, '0'))
      first.tell('0.5')
      const reported = (await limits.occupy('export a', 2, '0')) as readonly OccupiedSlot[]
      expect(reported.map((place) => place.reported).sort()).toEqual(['0', '0.5'])
      expect(reported[0]?.since).toBeLessThanOrEqual(reported[1]?.since ?? 0)
      placeOf(await limits.occupy('export b', 2, '0')).free()
      first.free()
      first.free()
      const again = placeOf(await limits.occupy('export a', 2, '0'))
      expect(await limits.occupy('export a', 2, '0')).toHaveLength(2)
      first.free()
      expect(await limits.occupy('export a', 2, '0')).toHaveLength(2)
      again.free()
    })

    it('HOOK-S5: of many who want one place at once one has it, and the others are told what it was taken for', async () => {
      const reported = 'the first \0 one'
      const all = await Promise.all(Array.from({ length: 20 }, () => limits.occupy('key "k"', 1, reported)))
      expect(all.filter((one) => 'free' in one)).toHaveLength(1)
      for (const one of all) if (!('free' in one)) expect(one.map((place) => place.reported)).toEqual([reported])
    })
  })
}
