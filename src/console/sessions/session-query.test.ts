import { expect, it } from 'vitest'
import { readSessionQuery } from './session-query.ts'

const asking = { accountId: 'A', timeZone: 'Europe/Berlin', now: Date.parse('2026-03-29T10:00:00Z') }
const startsOf = (asked: Parameters<typeof readSessionQuery>[0]): unknown[] => {
  const read = readSessionQuery(asked, asking)
  if (!read.ok) return read.faults.map(({ pointer }) => pointer)
  const { startedFrom, startedTo } = read.value.filter
  return [startedFrom, startedTo].map((at) => at !== undefined && new Date(at).toISOString())
}

it.each([
  // The clocks go forward on that day.
  [{ period: 'today' }, ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']],
  [{ period: 'yesterday' }, ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z']],
  [{ period: 'month' }, ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']],
  [{ period: 'last-month', startedFrom: 'ignored' }, ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']],
  [{ startedFrom: '2026-03-29T12:00' }, ['2026-03-29T10:00:00.000Z', false]],
  [{ startedTo: '2026-01-29T12:00:00Z' }, [false, '2026-01-29T12:00:00.000Z']],
  // Shown twice, and never.
  [{ startedFrom: '2026-10-25T02:30' }, ['2026-10-25T00:30:00.000Z', false]],
  [{ startedFrom: '2026-03-29T02:30' }, ['2026-03-29T02:30:00.000Z', false]],
  [{ startedFrom: '', startedTo: 'x' }, ['?startedFrom', '?startedTo']],
  [{ period: 'constructor' }, ['?period']],
])('CONSOLE-C14: %j is read in the zone of whoever looks', (asked, expected) => {
  expect(startsOf(asked)).toEqual(expected)
})
