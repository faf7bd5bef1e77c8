import { expect, it } from 'vitest'
import { BOOT, coresOfTests, START } from '../../../test/support/core/testing.ts'
import type { CoreSettings } from '../core-settings.ts'
import type { Station } from '../memory/station.ts'
import { RenewalTimes } from './renewal-times.ts'
import { renewal } from './signing.ts'

const DAY = 24 * 3600_000
const shown = (days: number) => ({ commonName: 'SN1', notAfter: START + days * DAY })

const core = coresOfTests()

it.each([
  ['ocpp1.6', ['ExtendedTriggerMessage', { requestedMessage: 'SignChargePointCertificate' }]],
  ['ocpp2.0.1', ['TriggerMessage', { requestedMessage: 'SignChargingStationCertificate' }]],
] as const)('CERT-C20: %s: 30 days before it a new request is asked for, once a day', async (protocol, trigger) => {
  const { house, station } = await core.connect('CP1', protocol, undefined, shown(32))
  await station.call('BootNotification', BOOT[protocol])
  const triggers = () => station.frames.filter((frame) => frame[0] === 2).map((frame) => frame.slice(2))
  const pass = async (ms: number): Promise<void> => {
    house.clock.advance(ms)
    await house.settled()
  }
  house.clock.advance(60_000)
  await station.call('Heartbeat', {})
  expect(triggers()).toEqual([])
  house.clock.advance(2 * DAY)
  const asked = await station.frame((frame) => frame[0] === 2)
  expect(asked.slice(2)).toEqual(trigger)
  station.answer(asked, { status: 'Accepted' })
  await pass(1000)
  expect(triggers()).toHaveLength(1)
})

it.each([
  ['was not asked: half a minute after its login', 5, [], 30_000],
  ['ends in two months: looked at daily', 60, [], DAY],
  ['ends in thirty days and six hours: once those are over', 30.25, [], DAY / 4],
  ['was asked an hour ago: a day after that', 5, ['asked'], DAY - 3600_000],
  ['was asked, and logs in again: the same', 5, ['asked', 'opened'], DAY - 3600_000],
  ['is over, and its station has booted: at once', -1, ['booted'], 0],
  ['is over, was asked an hour ago, and its station boots: at once', -1, ['asked', 'booted'], 0],
] as const)('CERT-C15, CERT-C20: a certificate that %s', (_, days, events, inMs) => {
  const times = new RenewalTimes()
  times.opened(START)
  const now = START + (events.some((event) => event === 'asked') ? 3600_000 : 0)
  for (const event of events) {
    if (event === 'asked') times.asked(START)
    else if (event === 'opened') times.opened(now)
    else times.bootedExpired(now)
  }
  const notAfter = now + days * DAY
  const station = { shown: { notAfter }, connection: 1, version: {}, renewal: times } as unknown as Station
  const settings = {} as CoreSettings
  if (inMs === 0) expect(renewal.due(station, now, settings)).toHaveLength(1)
  else {
    expect(renewal.due(station, now, settings)).toEqual([])
    expect(renewal.dueAgainAt?.(station, now, settings)).toBe(now + inMs)
  }
  expect(renewal.dueAgainAt?.({ ...station, connection: undefined } as Station, now, settings)).toBeUndefined()
})
