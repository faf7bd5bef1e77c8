import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { watchClock } from './deliverer.ts'

const START = Date.UTC(2026, 7, 1, 12)
const HOUR = 3_600_000

it.each([
  ['goes on', 0, 0],
  ['is put back an hour', -HOUR, HOUR],
  ['is put back a second', -1000, 1000],
  ['is put back a moment', -20, 0],
  ['is put forward an hour', HOUR, 0],
])('HOOK-F7: a clock that %s', (_, change, expected) => {
  const clock = manualClock(START)
  const putBackMs = watchClock(clock)
  clock.advance(60_000)
  clock.set(clock.now() + change)
  clock.advance(1000)
  expect(putBackMs()).toBe(expected)
  expect(putBackMs()).toBe(0)
})

it('HOOK-F7: many small steps back are noticed together', () => {
  const clock = manualClock(START)
  const putBackMs = watchClock(clock)
  let noticed = 0
  for (let step = 0; step < 30; step++) {
    clock.set(clock.now() - 20)
    noticed += putBackMs()
  }
  expect(noticed).toBe(600)
})

it('HOOK-F7: a clock that was put forward first is put back from there', () => {
  const clock = manualClock(START)
  const putBackMs = watchClock(clock)
  clock.set(START + HOUR)
  expect(putBackMs()).toBe(0)
  clock.set(START)
  expect(putBackMs()).toBe(HOUR)
})
