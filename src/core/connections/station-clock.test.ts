import { expect, it } from 'vitest'
import { coresOfTests, START } from '../../../test/support/core/testing.ts'
import { ClockWatch } from './station-clock.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** A message sent when our clock said `sentAt`, by a clock that is `ahead`, that arrived after `delay`. */
function message(sentAt: number, ahead: number, delay = 50) {
  return { occurredAt: sentAt + ahead, receivedAt: sentAt + delay, original: 'said' }
}

const STATUS = { isFresh: true, openedAt: 0 }
const SAMPLE = { isFresh: false, openedAt: 0 }

it.each([
  ['right', 0],
  ['five hours ahead', 5 * HOUR],
  ['five hours behind: local time called UTC', -5 * HOUR],
])('ENERGY-W3: %s', (_, ahead) => {
  const watch = new ClockWatch()
  for (let minute = 0; minute < 3; minute++) watch.observe(message(minute * 60_000, ahead), STATUS)
  expect(Math.abs(watch.skewMs - ahead)).toBeLessThan(10 * SECOND)
})

it('ENERGY-W3: messages that waited say nothing, however many come at once', () => {
  const watch = new ClockWatch()
  for (const age of [3 * HOUR, 2 * HOUR, HOUR, 600 * SECOND, 600 * SECOND, 600 * SECOND]) {
    watch.observe(message(-age, 0, age), STATUS)
  }
  expect(watch.skewMs).toBe(0)
})

it('ENERGY-W3: a clock that is set while a car charges, when no status comes, was not noticed', () => {
  const watch = new ClockWatch()
  for (const [minute, ahead] of [0, 0, -HOUR, -HOUR].entries()) watch.observe(message(minute * 60_000, ahead), SAMPLE)
  expect(Math.abs(watch.skewMs + HOUR)).toBeLessThan(SECOND)
  watch.observe(message(240_000, HOUR), SAMPLE)
  expect(Math.abs(watch.skewMs - HOUR)).toBeLessThan(SECOND)
})

it.each([
  ['a meter that is behind', -HOUR],
  ['a meter that is ahead', HOUR],
])('ENERGY-W3: %s has a clock of its own, which says nothing of a station in step', (_, ahead) => {
  const watch = new ClockWatch()
  watch.observe(message(-60_000, 0), { isFresh: true, openedAt: 1 })
  for (let minute = 0; minute < 5; minute++) {
    watch.observe(message(minute * 60_000, ahead), { isFresh: false, openedAt: 1 })
  }
  expect(watch.skewMs).toBe(0)
})

it.each([
  ['seven minutes behind', -420 * SECOND],
  ['an hour ahead', HOUR],
])('ENERGY-W3: without times in statuses, %s, MeterValues never taught it', (_, ahead) => {
  const watch = new ClockWatch()
  for (let minute = 0; minute < 2; minute++) watch.observe(message(minute * 60_000, ahead), SAMPLE)
  expect(Math.abs(watch.skewMs - ahead)).toBeLessThan(SECOND)
})

it.each([
  ['first status that came when it booted', [[0, true]]],
  [
    'MeterValues of half a minute',
    [
      [0, false],
      [30, false],
    ],
  ],
] as const)('ENERGY-W3, GROUP-A8: until it is known it may be as far behind as its %s', (_, messages) => {
  const watch = new ClockWatch()
  expect(watch.atLeastMs).toBeUndefined()
  for (const [second, isFresh] of messages) {
    watch.observe(message(second * SECOND, -420 * SECOND), { isFresh, openedAt: 0 })
  }
  expect([watch.skewMs, watch.atLeastMs]).toEqual([0, -420_050])
})

it('ENERGY-W3, GROUP-A8: what a queue shows is over with the first message that was not in it', () => {
  const watch = new ClockWatch()
  watch.observe(message(0, 0), STATUS)
  for (const age of [3 * HOUR, HOUR]) watch.observe(message(-age, 0, age), SAMPLE)
  expect(watch.atLeastMs).toBe(-HOUR)
  watch.observe(message(0, 0), SAMPLE)
  expect([watch.skewMs, watch.atLeastMs]).toEqual([0, 0])
})

it('ENERGY-W3, GROUP-A8: a clock that began at 1970 again may be as far behind as that', () => {
  const watch = new ClockWatch()
  watch.observe(message(START, 0), STATUS)
  watch.observe({ occurredAt: START, receivedAt: START, original: '1970-01-01T00:05:00Z', repaired: true }, SAMPLE)
  expect([watch.skewMs, watch.atLeastMs]).toEqual([0, 300_000 - START])
})

it.each([
  ['no time of its own', { occurredAt: HOUR, receivedAt: 0 }],
  ['an impossible one', { occurredAt: HOUR, receivedAt: 0, original: '1970', repaired: true as const }],
])('ENERGY-W3: %s teaches nothing', (_, at) => {
  expect(new ClockWatch().observe(at, STATUS)).toBe(false)
})

const core = coresOfTests()

it.each(['ocpp1.6', 'ocpp2.0.1'] as const)('ENERGY-W3: %s: a wrong clock is reported, once', async (protocol) => {
  const house = await core()
  const station = protocol === 'ocpp1.6' ? await house.boot16('CP-1') : await house.boot201('CP-1')
  const status =
    protocol === 'ocpp1.6'
      ? { connectorId: 1, errorCode: 'NoError', status: 'Available' }
      : { evseId: 1, connectorId: 1, connectorStatus: 'Available' }
  const say = (ahead: number) =>
    station.call('StatusNotification', { ...status, timestamp: new Date(house.clock.now() + ahead).toISOString() })
  const skew = async () => (await house.core.connectivity(['CP-1']))[0]?.clockSkewMs
  await say(0)
  expect(await skew()).toBe(0)
  for (let n = 0; n < 3; n++) await say(2 * HOUR)
  expect(await skew()).toBe(2 * HOUR)
  expect(house.logged.filter(({ message }) => message.includes('clock'))).toHaveLength(1)
  await house.close()
  const after = await core({ path: house.path })
  await after.connect('CP-1', protocol)
  expect((await after.core.connectivity(['CP-1']))[0]?.clockSkewMs).toBe(2 * HOUR)
})
