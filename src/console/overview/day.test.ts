import { describe, expect, it } from 'vitest'
import { startOfDay } from './day.ts'

describe('CONSOLE-A3: today begins at midnight of the zone', () => {
  it.each([
    ['2026-08-01T12:34:56.789Z', 'UTC', '2026-08-01T00:00:00.000Z'],
    ['2026-08-01T00:00:00.000Z', 'UTC', '2026-08-01T00:00:00.000Z'],
    ['2026-08-01T22:30:00.000Z', 'Europe/Berlin', '2026-08-01T22:00:00.000Z'],
    ['2026-08-01T21:30:00.000Z', 'Europe/Berlin', '2026-07-31T22:00:00.000Z'],
    ['2026-03-29T10:00:00.000Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25T10:00:00.000Z', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-08-01T03:00:00.000Z', 'America/Los_Angeles', '2026-07-31T07:00:00.000Z'],
    ['2026-08-01T03:00:00.000Z', 'Asia/Kathmandu', '2026-07-31T18:15:00.000Z'],
    // Clocks go from midnight to one o'clock.
    ['2026-03-29T10:00:00.000Z', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ])('%s in %s', (now, timeZone, expected) => {
    expect(new Date(startOfDay(Date.parse(now), timeZone)).toISOString()).toBe(expected)
  })
})
