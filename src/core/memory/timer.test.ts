import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { Timer } from './station.ts'

it('a timer does one thing: the newest, the earlier of two, or nothing', () => {
  const clock = manualClock(0)
  const timer = new Timer()
  const done: string[] = []
  const doing = (what: string) => () => done.push(`${what} at ${clock.now()}`)
  timer.set(clock, 10, doing('first'))
  timer.set(clock, 20, doing('in its place'))
  timer.setEarlier(clock, 30, doing('later'))
  clock.advance(40)
  timer.setEarlier(clock, 60, doing('after it was done'))
  timer.setEarlier(clock, 50, doing('earlier'))
  clock.advance(40)
  timer.set(clock, 90, doing('taken back'))
  timer.cancel()
  clock.advance(40)
  timer.set(clock, 100, doing('overdue'))
  clock.advance(0)
  expect(done).toEqual(['in its place at 20', 'earlier at 50', 'overdue at 120'])
})
