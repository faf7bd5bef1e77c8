import { expect, it } from 'vitest'
import { changeOf, daysAt, energyBetween, powerAt, powerOfDay, QUARTER_MS } from './day.tsx'

const iso = (at: number): string => new Date(at).toISOString().slice(0, 16)

// CONSOLE-A24: today beside the same weekday
it.each([
  ['UTC', '2026-11-22T20:59', '2026-11-22T00:00', '2026-11-23T00:00', '2026-11-15T00:00', '2026-11-15T20:59'],
  ['Europe/Berlin', '2026-11-22T20:59', '2026-11-21T23:00', '2026-11-22T23:00', '2026-11-14T23:00', '2026-11-15T20:59'],
  // Clocks were put back on the 25th: last week's day began an hour earlier in UTC.
  ['Europe/Berlin', '2026-10-28T12:00', '2026-10-27T23:00', '2026-10-28T23:00', '2026-10-20T22:00', '2026-10-21T11:00'],
  // They are put forward on the 29th, at two.
  ['Europe/Berlin', '2026-03-29T12:00', '2026-03-28T23:00', '2026-03-29T22:00', '2026-03-21T23:00', '2026-03-22T12:00'],
])('in %s at %s', (zone, now, ...days) => {
  const { today, tomorrow, then, sameMoment } = daysAt(Date.parse(`${now}Z`), zone)
  expect([today, tomorrow, then, sameMoment].map(iso)).toEqual(days)
})

it.each([
  ['whole quarters', 0, 2 * QUARTER_MS, 3],
  ['half of the second', 0, 1.5 * QUARTER_MS, 2],
  ['from the second on', QUARTER_MS, 9 * QUARTER_MS, 6],
  ['nothing before it began', 0, 0, 0],
])('energy: %s', (_, from, to, kwh) => {
  const slots = [1, 2, 4].map((kwhOfSlot, at) => ({ from: at * QUARTER_MS, milliWh: kwhOfSlot * 1e6 }))
  expect(energyBetween(slots, from, to)).toBeCloseTo(kwh)
})

it('power is the mean of a quarter of an hour, and never below nothing', () => {
  const slots = [
    { from: 0, milliWh: 2.5e6 },
    { from: 2 * QUARTER_MS, milliWh: -1e6 },
  ]
  expect([0, QUARTER_MS - 1, QUARTER_MS, 2 * QUARTER_MS].map((at) => powerAt(slots, at))).toEqual([10, 10, 0, 0])
  expect(powerOfDay(slots, 0, 2.9 * QUARTER_MS)).toEqual([
    { at: QUARTER_MS / 2, value: 10 },
    { at: 1.5 * QUARTER_MS, value: 0 },
  ])
  expect(powerOfDay(slots, 0, -1)).toEqual([])
})

it.each([
  [91.5, 100, -8.5],
  [0, 5, -100],
  [5, 0, undefined],
  [0, 0, undefined],
])('%d after %d has changed by %s', (now, then, percent) => {
  expect(changeOf(now, then)).toEqual(percent)
})
