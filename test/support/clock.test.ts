import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/server/system.ts'

const DAY = 86_400_000

afterEach(() => void vi.useRealTimers())

it('a limit until next year had its charge point looked at a thousand times a second: Node runs at once what is to wait 25 days', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const done: string[] = []
  systemClock.after(365 * DAY, () => done.push('next year'))
  const cancel = systemClock.after(60 * DAY, () => done.push('taken back'))
  systemClock.after(30 * DAY, () => done.push('next month'))
  vi.advanceTimersByTime(30 * DAY - 1)
  expect(done).toEqual([])
  vi.advanceTimersByTime(1)
  expect(done).toEqual(['next month'])
  cancel()
  vi.advanceTimersByTime(335 * DAY)
  expect(done).toEqual(['next month', 'next year'])
})
