import fc from 'fast-check'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { createUpgradeLimit, retryAfterSeconds } from './ocpp-endpoint.ts'

const settled = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => true), Promise.resolve(false)])) as boolean

it('OCPP-CN5: more than the limit wait in line, more than the line come back later', async () => {
  const limit = createUpgradeLimit({ clock: manualClock(0), concurrent: 2, waiting: 1 })
  const first = await limit.enter()
  expect(await limit.enter()).toBeDefined()
  const waiting = limit.enter()
  expect(await settled(waiting)).toBe(false)
  expect(await limit.enter()).toBeUndefined()
  first?.()
  expect(await waiting).toBeDefined()
})

it('OCPP-CN5: nobody waits longer than a station would', async () => {
  const clock = manualClock(0)
  const limit = createUpgradeLimit({ clock, concurrent: 1, longestWaitMs: 5000 })
  await limit.enter()
  const waiting = limit.enter()
  clock.advance(5000)
  expect(await waiting).toBeUndefined()
})

it('OCPP-CN5: nobody is let in while something else is behind', async () => {
  let overloaded = true
  const limit = createUpgradeLimit({ clock: manualClock(0), overloaded: () => overloaded })
  expect(await limit.enter()).toBeUndefined()
  overloaded = false
  expect(await limit.enter()).toBeDefined()
})

it('OCPP-CN5: never more than the limit at once, and everybody in line gets a turn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 30 }), async (concurrent, count) => {
      const limit = createUpgradeLimit({ clock: manualClock(0), concurrent, waiting: count })
      let inside = 0
      let most = 0
      let served = 0
      await Promise.all(
        Array.from({ length: count }, async () => {
          const leave = await limit.enter()
          most = Math.max(most, ++inside)
          await Promise.resolve()
          inside--
          served++
          leave?.()
          leave?.()
        }),
      )
      expect(served).toBe(count)
      expect(most).toBeLessThanOrEqual(concurrent)
    }),
  )
})

it('OCPP-CN5: retryAfterSeconds: spreads over 5 to 60 seconds', () => {
  expect(retryAfterSeconds(() => 0)).toBe(5)
  expect(retryAfterSeconds(() => 0.999999)).toBe(60)
})
