import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { periodically } from './periodic.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs that end when the test says so. */
function work() {
  const open: PromiseWithResolvers[] = []
  return {
    open,
    begin: () =>
      new Promise<number | undefined>((resolve, reject) => {
        open.push({ resolve, reject })
      }),
  }
}
interface PromiseWithResolvers {
  readonly resolve: (nextMs?: number) => void
  readonly reject: (error: unknown) => void
}

it('runs after the first pause, one run at a time, the next a pause after its end', async () => {
  const clock = manualClock(0)
  const { open, begin } = work()
  periodically({ clock, work: begin, everyMs: 10, firstMs: 3, failed: () => undefined })
  clock.advance(2)
  expect(open).toHaveLength(0)
  clock.advance(1)
  expect(open).toHaveLength(1)
  clock.advance(100)
  expect(open).toHaveLength(1)
  open[0]?.resolve()
  await settled()
  clock.advance(9)
  expect(open).toHaveLength(1)
  clock.advance(1)
  expect(open).toHaveLength(2)
})

it('a run may say when the next one is due', async () => {
  const clock = manualClock(0)
  const { open, begin } = work()
  periodically({ clock, work: begin, everyMs: 1000, firstMs: 0, failed: () => undefined })
  clock.advance(0)
  open[0]?.resolve(5)
  await settled()
  clock.advance(5)
  expect(open).toHaveLength(2)
})

it('goes on after a failure, whatever was thrown', async () => {
  const clock = manualClock(0)
  const { open, begin } = work()
  const failures: string[] = []
  periodically({ clock, work: begin, everyMs: 10, failed: ({ message }) => failures.push(message) })
  clock.advance(10)
  open[0]?.reject('no disk')
  await settled()
  clock.advance(10)
  open[1]?.reject(new Error('no space'))
  await settled()
  expect(failures).toEqual(['no disk', 'no space'])
})

it('a stop waits for the run that is under way, which leaves no timer and no complaint behind', async () => {
  const clock = manualClock(0)
  const { open, begin } = work()
  const failures: string[] = []
  const periodic = periodically({ clock, work: begin, everyMs: 10, failed: ({ message }) => failures.push(message) })
  clock.advance(10)
  let isOver = false
  const stopped = periodic.stop().then(() => {
    isOver = true
  })
  await settled()
  expect({ isOver, isStopped: periodic.isStopped() }).toEqual({ isOver: false, isStopped: true })
  open[0]?.reject(new Error('The thread has ended.'))
  await stopped
  clock.advance(1000)
  await settled()
  expect({ runs: open.length, failures }).toEqual({ runs: 1, failures: [] })
})
