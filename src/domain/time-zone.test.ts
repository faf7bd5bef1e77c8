import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { isShownTwice, isTimeZone, offsetText, periodOf, startOfDay, wallClock } from './time-zone.ts'

const iso = (at: number): string => new Date(at).toISOString()

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
  // And from one o'clock back to midnight, which there are two of then.
  ['2026-11-01T12:00:00.000Z', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('CONSOLE-A3: today begins at midnight of the zone: %s in %s', (now, timeZone, expected) => {
  expect(iso(startOfDay(Date.parse(now), timeZone))).toBe(expected)
})

it.each([
  ['2026-10-25T00:00:00.000Z', 'Europe/London', 'UTC+1'],
  ['2026-10-25T01:59:59.999Z', 'Europe/London', 'UTC+0'],
  ['2026-11-01T08:30:00.000Z', 'America/Los_Angeles', 'UTC-7'],
  ['2026-11-01T09:30:00.000Z', 'America/Los_Angeles', 'UTC-8'],
  // Half an hour only.
  ['2026-04-04T14:45:00.000Z', 'Australia/Lord_Howe', 'UTC+11'],
  ['2026-04-04T15:15:00.000Z', 'Australia/Lord_Howe', 'UTC+10:30'],
])('CONSOLE-F2: times that the clocks show twice: %s in %s is one of two', (at, timeZone, offset) => {
  expect([isShownTwice(Date.parse(at), timeZone), offsetText(Date.parse(at), timeZone)]).toEqual([true, offset])
})

it.each([
  ['2026-10-24T23:59:59.999Z', 'Europe/London'],
  ['2026-10-25T02:00:00.000Z', 'Europe/London'],
  ['2026-03-29T01:30:00.000Z', 'Europe/London'],
  ['2026-10-25T00:30:00.000Z', 'UTC'],
  ['2026-04-04T14:15:00.000Z', 'Australia/Lord_Howe'],
])('CONSOLE-F2: times that the clocks show twice: %s in %s is the only one', (at, timeZone) => {
  expect(isShownTwice(Date.parse(at), timeZone)).toBe(false)
})

it.each([
  ['week', '2026-11-23T12:00:00Z', 'UTC', '2026-11-23', '2026-11-30'],
  ['week', '2026-11-22T12:00:00Z', 'UTC', '2026-11-16', '2026-11-23'],
  ['week', '2027-01-01T12:00:00Z', 'UTC', '2026-12-28', '2027-01-04'],
  ['month', '2026-12-31T23:59:59Z', 'UTC', '2026-12-01', '2027-01-01'],
  ['month', '2028-02-29T12:00:00Z', 'UTC', '2028-02-01', '2028-03-01'],
] as const)('CONSOLE-A3: days, weeks and months: the %s of %s in %s', (per, at, timeZone, from, below) => {
  const period = periodOf(per, Date.parse(at), timeZone)
  expect([iso(period.from), iso(period.below)]).toEqual([`${from}T00:00:00.000Z`, `${below}T00:00:00.000Z`])
})

it('CONSOLE-A3: days, weeks and months: every moment lies in its period, and the next period begins where it ends', () => {
  const at = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) })
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'Asia/Beirut',
    'America/Havana',
    'Pacific/Apia',
    'Asia/Kathmandu',
  )
  forAll(at, zone, fc.constantFrom('day', 'week', 'month'), (moment, timeZone, per) => {
    const { from, below } = periodOf(per, moment, timeZone)
    expect(from <= moment && moment < below).toBe(true)
    expect(periodOf(per, below, timeZone).from).toBe(below)
    expect(periodOf(per, from - 1, timeZone).below).toBe(from)
  })
})

it('ALERT-R5: a zone is known by its name, whatever a newer runtime takes as well', () => {
  const zones = ['Europe/Berlin', 'UTC', 'Mars/Base', '+01:00', '', `A${'a'.repeat(1000)}`]
  expect(zones.map(isTimeZone)).toEqual([true, true, false, false, false, false])
  expect(iso(wallClock(Date.parse('2026-11-23T12:00:00Z'), 'Europe/Berlin'))).toBe('2026-11-23T13:00:00.000Z')
})
