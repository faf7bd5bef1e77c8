import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { createAlarms } from './deliverer.ts'

const ringing = (horizonMs = 60_000) => {
  const clock = manualClock(0)
  const rings: number[] = []
  const alarms = createAlarms(clock, horizonMs, () => rings.push(clock.now()))
  return { clock, rings, alarms }
}

it('HOOK-R4: rings at most 10 ms late, never early, once for retries of one moment', () => {
  const { clock, rings, alarms } = ringing()
  for (const dueAt of [1041, 1045, 1050, 2000]) alarms.set(dueAt)
  clock.advance(5000)
  expect(rings).toEqual([1050, 2000])
})

it('HOOK-R4: what is due already rings at once, what is far away is left to polling', () => {
  const { clock, rings, alarms } = ringing(1000)
  clock.advance(500)
  alarms.set(100)
  alarms.set(1501)
  clock.advance(5000)
  expect(rings).toEqual([500])
})

it('HOOK-F4: nothing rings after the end', () => {
  const { clock, rings, alarms } = ringing()
  alarms.set(100)
  alarms.cancelAll()
  clock.advance(5000)
  expect(rings).toEqual([])
})
