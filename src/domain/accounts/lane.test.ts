import { expect, it } from 'vitest'
import { createLane, LaneFull } from './password.ts'

it('OIDC-L5: at most two at a time, the rest waits in order, more than the queue holds is turned away', async () => {
  const lane = createLane(2, 3)
  const releases: (() => void)[] = []
  const order: number[] = []
  let running = 0
  let most = 0
  const job = (number: number): Promise<number> =>
    lane(async () => {
      order.push(number)
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => releases.push(resolve))
      running--
      return number
    })
  const jobs = [1, 2, 3, 4, 5].map(job)
  await expect(job(6)).rejects.toThrow(LaneFull)
  while (order.length < 5 || releases.length > 0) {
    releases.shift()?.()
    await Promise.resolve()
  }
  expect(await Promise.all(jobs)).toEqual([1, 2, 3, 4, 5])
  expect(order).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
})

it('OIDC-L5: a failing job frees its place', async () => {
  const lane = createLane(1, 0)
  await expect(lane(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lane(() => Promise.resolve(1))).toBe(1)
})
