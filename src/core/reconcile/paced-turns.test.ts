import fc from 'fast-check'
import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { forAll } from '../../../test/support/property.ts'
import { createPacedTurns } from './paced-turns.ts'

const PACE = { most: 3, perSecond: 100, burst: 3, longestMs: 1000 }

function started(pace = PACE) {
  const clock = manualClock(0)
  const turns = createPacedTurns<string>(clock, pace)
  const begun: string[] = []
  const over = new Map<string, () => void>()
  const ask = (key: string, account = 'account'): void =>
    turns.ask(account, key, (end) => {
      begun.push(key)
      over.set(key, end)
    })
  return { clock, begun, ask, end: (key: string) => over.get(key)?.() }
}

it('INTENT-A14: a few begin at once, the others when one of them is over, whoever waits longest first', () => {
  const { clock, begun, ask, end } = started()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'd']) ask(key)
  expect(begun).toEqual(['a', 'b', 'c'])
  clock.advance(500)
  expect(begun).toEqual(['a', 'b', 'c'])
  end('b')
  end('b')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

it('INTENT-A14: accounts take turns: the fleet of one does not stand before another', () => {
  const { clock, begun, ask, end } = started()
  for (let at = 0; at < 30; at++) ask(`big${at}`)
  ask('small', 'other')
  clock.advance(500)
  end('big0')
  end('big1')
  expect(begun).toEqual(['big0', 'big1', 'big2', 'big3', 'small'])
})

it('INTENT-A14: one alone never waits, however often it comes', () => {
  const { begun, ask, end } = started()
  for (let time = 0; time < 50; time++) {
    ask('a')
    end('a')
  }
  expect(begun).toHaveLength(50)
})

it('INTENT-A14: many begin at their pace, also where each is over at once', () => {
  const { clock, begun, ask, end } = started()
  ask('slow')
  for (let at = 0; at < 40; at++) ask(`${at}`)
  const endAll = (): void => {
    for (const key of begun.slice(1)) end(key)
  }
  endAll()
  expect(begun.length).toBeLessThan(5)
  for (let ms = 0; ms < 100; ms += 10) {
    clock.advance(10)
    endAll()
  }
  expect(begun.length).toBeGreaterThan(8)
  expect(begun.length).toBeLessThan(18)
})

it('INTENT-A14: what is never over holds its place for a second', () => {
  const { clock, begun, ask } = started()
  for (let at = 0; at < 7; at++) ask(`${at}`)
  expect(begun).toHaveLength(3)
  clock.advance(1000)
  expect(begun).toHaveLength(6)
  clock.advance(1000)
  expect(begun).toHaveLength(7)
})

it('INTENT-A14: work that is over while it begins is a loop and no recursion', () => {
  const turns = createPacedTurns<number>(manualClock(0), { ...PACE, most: 1, burst: 1e9, perSecond: 1e9 })
  let count = 0
  let release = (): void => undefined
  turns.ask('a', -1, (over) => {
    release = over
  })
  for (let at = 0; at < 50_000; at++) {
    turns.ask('a', at, (over) => {
      count++
      over()
    })
  }
  release()
  expect(count).toBe(50_000)
})

it('INTENT-A14: whatever is asked and ended, never more than a few are under way, and each that asked begins in the end', () => {
  const step = fc.oneof(
    fc.record({ ask: fc.nat({ max: 9 }) }),
    fc.record({ end: fc.nat({ max: 9 }) }),
    fc.record({ ms: fc.nat({ max: 50 }) }),
  )
  forAll(fc.array(step, { maxLength: 60 }), (steps) => {
    const clock = manualClock(0)
    const turns = createPacedTurns<number>(clock, { ...PACE, longestMs: 1e9 })
    const running = new Map<number, () => void>()
    const desired = new Set<number>()
    for (const each of steps) {
      if ('ms' in each) clock.advance(each.ms)
      else if ('end' in each) {
        running.get(each.end)?.()
        running.delete(each.end)
      } else if (!running.has(each.ask)) {
        desired.add(each.ask)
        turns.ask(`${each.ask % 2}`, each.ask, (over) => {
          desired.delete(each.ask)
          running.set(each.ask, over)
        })
      }
      expect(running.size).toBeLessThanOrEqual(PACE.most)
    }
    for (let round = 0; round < 20; round++) {
      for (const over of running.values()) over()
      running.clear()
      clock.advance(100)
    }
    expect(desired.size).toBe(0)
  })
})
