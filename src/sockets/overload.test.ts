import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import type { CoreStatistics } from '../domain/ports/core.ts'
import { watchOverload } from './overload.ts'

function watched(limits: { maxQueued: number; maxLagMs: number }) {
  const clock = manualClock(0)
  const questions: { answer: (queued: number) => void; fail: () => void }[] = []
  const watch = watchOverload(
    () =>
      new Promise((resolve, reject) => {
        questions.push({
          answer: (queued) => resolve({ queued } as CoreStatistics),
          fail: () => reject(new Error('The core thread ended.')),
        })
      }),
    { clock, ...limits },
  )
  return { clock, questions, watch }
}

/** Lets the answer of a question be read. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('OCPP-CN5: is behind while more messages wait than the limit', async () => {
  const { clock, questions, watch } = watched({ maxQueued: 100, maxLagMs: 0 })
  expect(watch.isBehind()).toBe(false)
  for (const [queued, behind] of [
    [100, false],
    [101, true],
    [5000, true],
    [0, false],
  ] as const) {
    clock.advance(500)
    questions.shift()?.answer(queued)
    await turn()
    expect(watch.isBehind()).toBe(behind)
  }
})

it('OCPP-CN5: is behind while the core leaves a question unanswered longer than the limit, and until a quick answer', async () => {
  const { clock, questions, watch } = watched({ maxQueued: 0, maxLagMs: 1000 })
  clock.advance(500)
  clock.advance(1000)
  expect(watch.isBehind()).toBe(false)
  clock.advance(1)
  expect(watch.isBehind()).toBe(true)
  questions.shift()?.answer(1_000_000)
  await turn()
  expect(watch.isBehind()).toBe(true)
  clock.advance(500)
  questions.shift()?.answer(1_000_000)
  await turn()
  expect(watch.isBehind()).toBe(false)
})

it('OCPP-CN5: a core that is gone is no overload, and it is asked again', async () => {
  const { clock, questions, watch } = watched({ maxQueued: 1, maxLagMs: 1 })
  clock.advance(500)
  questions.shift()?.fail()
  await turn()
  expect(watch.isBehind()).toBe(false)
  clock.advance(500)
  expect(questions).toHaveLength(1)
})

it('OCPP-CN5: without limits, and once stopped, nothing is asked', () => {
  const unlimited = watched({ maxQueued: 0, maxLagMs: 0 })
  unlimited.clock.advance(5000)
  expect(unlimited.questions).toEqual([])
  const limited = watched({ maxQueued: 1, maxLagMs: 1 })
  limited.watch.stop()
  limited.clock.advance(5000)
  expect(limited.questions).toEqual([])
})
