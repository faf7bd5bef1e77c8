import { expect, it } from 'vitest'
import { WAVE, waveEnds, waveOf } from './firmware/plan.ts'
import { isWithin } from './hours.ts'

const BERLIN = { timeZone: 'Europe/Berlin' }

it.each([
  // In November Berlin is an hour ahead; the 21st is a Saturday.
  ['02:00', '05:00', undefined, '2026-11-21T01:00:00Z', true],
  ['02:00', '05:00', undefined, '2026-11-21T00:59:59Z', false],
  ['02:00', '05:00', undefined, '2026-11-21T04:00:00Z', false],
  ['02:00', '05:00', undefined, '2026-07-21T00:30:00Z', true],
  ['22:00', '05:00', undefined, '2026-11-21T21:30:00Z', true],
  ['22:00', '05:00', undefined, '2026-11-21T03:30:00Z', true],
  ['22:00', '05:00', undefined, '2026-11-21T12:00:00Z', false],
  ['00:00', '00:00', undefined, '2026-11-21T12:00:00Z', true],
  ['02:00', '05:00', ['sat'], '2026-11-21T01:30:00Z', true],
  ['02:00', '05:00', ['sun'], '2026-11-21T01:30:00Z', false],
  // Behind midnight it still is the night of Friday.
  ['22:00', '05:00', ['fri'], '2026-11-21T01:30:00Z', true],
  ['22:00', '05:00', ['sat'], '2026-11-21T01:30:00Z', false],
])('FIRMWARE-U2: hours of the day: %s to %s on %j at %s', (start, end, days, at, is) => {
  expect(isWithin({ ...BERLIN, start, end, days }, Date.parse(at))).toBe(is)
})

it.each([
  [['1', '5%', '100%'], 100, [1, 5, 100]],
  [['1', '5%', '100%'], 3, [1, 1, 3]],
  [['1', '5%', '100%'], 0, [0, 0, 0]],
  [['10', '2'], 5, [5, 5]],
  [['0.5%', '100%'], 1000, [5, 1000]],
])('FIRMWARE-C2: waves: %j of %i', (waves, total, ends) => {
  expect(waveEnds(waves, total)).toEqual(ends)
})

it('FIRMWARE-C2: waves: each charge point is in the first wave that reaches it, or in none', () => {
  expect([0, 1, 4, 5].map((place) => waveOf([1, 1, 5], place))).toEqual([1, 3, 3, 0])
})

it.each([
  ['1', true],
  ['5%', true],
  ['2.5%', true],
  ['100%', true],
  ['0', false],
  ['0%', false],
  ['101%', false],
  ['-1', false],
  ['', false],
  ['all', false],
])('FIRMWARE-C2: waves: %j', (wave, is) => expect(WAVE.test(wave)).toBe(is))
