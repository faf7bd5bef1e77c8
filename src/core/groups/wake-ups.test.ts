import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { createWakeUps } from './wake-ups.ts'

it('wakes each charge point once, when its time has come', () => {
  const clock = manualClock(1_000_000)
  const woken: string[] = []
  const wakeUps = createWakeUps(clock, (id) => woken.push(id))
  wakeUps.set('A', clock.now() + 5000)
  wakeUps.set('B', clock.now() + 2000)
  clock.advance(2000)
  expect(woken).toEqual(['B'])
  clock.advance(10_000)
  expect(woken).toEqual(['B', 'A'])
})

it('a newer time replaces the older one, undefined removes it', () => {
  const clock = manualClock(0)
  const woken: string[] = []
  const wakeUps = createWakeUps(clock, (id) => woken.push(id))
  wakeUps.set('A', 1000)
  wakeUps.set('A', 60_000)
  wakeUps.set('B', 1000)
  wakeUps.set('B', undefined)
  clock.advance(30_000)
  expect(woken).toEqual([])
  wakeUps.stop()
  clock.advance(60_000)
  expect(woken).toEqual([])
})
