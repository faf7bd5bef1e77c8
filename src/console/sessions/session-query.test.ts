import { expect, it } from 'vitest'
import { readQuery } from '../kit/filters.ts'
import { SESSION_FILTERS, sessionFilter } from './session-query.ts'

const asking = { timeZone: 'Europe/Berlin', now: Date.parse('2026-03-29T10:00:00Z') }
const startsOf = (asked: Readonly<Record<string, string>>): unknown[] => {
  const { requested, wrong } = readQuery(SESSION_FILTERS, new URLSearchParams(asked), asking)
  if (wrong.length > 0) return [...wrong]
  const { startedFrom, startedTo } = sessionFilter(requested, 'A', asking)
  return [startedFrom, startedTo].map((at) => at !== undefined && new Date(at).toISOString())
}

it.each([
  // The clocks go forward on that day.
  [{ period: 'today' }, ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']],
  [{ period: 'yesterday' }, ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z']],
  [{ period: 'month' }, ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']],
  [{ period: 'last-month', startedFrom: '2020-01-01' }, ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']],
  [{ startedFrom: '2026-03-29T12:00' }, ['2026-03-29T10:00:00.000Z', false]],
  [{ startedTo: '2026-01-29T12:00:00Z' }, [false, '2026-01-29T12:00:00.000Z']],
  // Shown twice, and never.
  [{ startedFrom: '2026-10-25T02:30' }, ['2026-10-25T00:30:00.000Z', false]],
  [{ startedFrom: '2026-03-29T02:30' }, ['2026-03-29T02:30:00.000Z', false]],
  [{ startedFrom: 'never', startedTo: 'x' }, ['startedFrom', 'startedTo']],
  [{ startedFrom: '2026-03-29', startedTo: '2026-03-29' }, ['startedTo']],
  [{ period: 'constructor' }, ['period']],
])('CONSOLE-C14: %j is read in the zone of whoever looks', (asked, expected) => {
  expect(startsOf(asked)).toEqual(expected)
})
