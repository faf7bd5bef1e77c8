import { expect, it } from 'vitest'
import {
  accept,
  counted,
  EMPTY_LEDGER,
  endOfGiven,
  type Given,
  give,
  type Holder,
  type LedgerEntry,
  mayDraw,
  outlast,
} from './ledger.ts'

const NOW = 1_000_000
const fallback: LedgerEntry = { accepted: { revision: 1, amps: 6, afterAmps: 6 }, sent: [] }
const lease = (revision: number, amps: number, more: Partial<Given> = {}): Given => ({
  revision,
  amps,
  afterAmps: 6,
  until: NOW + 600_000,
  ...more,
})
const holder = (place: LedgerEntry, more: Partial<Holder> = {}): Holder => ({
  ledger: { fallback, lease: place },
  maxAmps: 32,
  ...more,
})

it.each<[string, Holder, number]>([
  ['nothing was accepted: its connector', { ledger: EMPTY_LEDGER, maxAmps: 32 }, 32],
  ['a fallback alone', holder({ sent: [] }), 6],
  ['a lease', holder({ accepted: lease(2, 16), sent: [] }), 16],
  ['a cut on its way', holder({ accepted: lease(2, 16), sent: [lease(3, 8)] }), 16],
  ['a raise on its way', holder({ accepted: lease(2, 8), sent: [lease(3, 16)] }), 16],
  ['both lost', holder({ accepted: lease(2, 8), sent: [lease(3, 20), lease(4, 10)] }), 20],
  ['a lease that has ended', holder({ accepted: lease(2, 16, { until: NOW }), sent: [] }), 6],
  ['a cut below the fallback that falls back', holder({ accepted: lease(2, 0), sent: [] }), 6],
  ['never more than its connector', holder({ accepted: lease(2, 63), sent: [] }), 32],
])('GROUP-A1: %s', (_, of, amps) => {
  expect(mayDraw(of, NOW)).toBe(amps)
})

it('GROUP-A1: an answer replaces whatever was sent before it, and nothing that was sent after it', () => {
  const sent = give(give(give(fallback, lease(2, 10)), lease(3, 12)), lease(4, 14))
  const after = accept(sent, 3)
  expect([after.accepted?.amps, after.sent.map(({ revision }) => revision)]).toEqual([12, [4]])
  expect(accept(after, 2)).toBe(after)
})

it('GROUP-A1: of what is never answered the worst is kept', () => {
  let place: LedgerEntry = { sent: [] }
  for (let revision = 1; revision <= 50; revision++) place = give(place, lease(revision, revision === 7 ? 25 : 10))
  expect(place.sent).toHaveLength(8)
  expect(mayDraw(holder(place), NOW)).toBe(25)
  expect(accept(place, 50)).toEqual({ accepted: lease(50, 10), sent: [] })
})

it('GROUP-A7: a station that takes another value counts with its own', () => {
  expect(mayDraw(holder({ sent: [lease(2, 0)] }, { leastAmps: 8 }), NOW)).toBe(8)
})

it.each([
  ['drew more once', { isIgnoring: false, drawnAmps: 20, offeredAmps: 32 }, 20],
  ['drew less by now', { isIgnoring: false, drawnAmps: 3 }, 8],
  ['ignores its limits', { isIgnoring: true, drawnAmps: 20, offeredAmps: 24 }, 24],
  ['ignores its limits, and nothing measures it', { isIgnoring: true }, 32],
])('GROUP-A5: one that %s', (_, overdraw, amps) => {
  expect(mayDraw(holder({ accepted: lease(2, 8), sent: [] }, { overdraw }), NOW)).toBe(amps)
})

const exact = { clockAheadMs: 0, clockAtLeastMs: 0 }

it.each([
  ['it may arrive two minutes late', exact, NOW + 615_000 + 120_000],
  ['its clock may be put right meanwhile', { clockAheadMs: 60_000, clockAtLeastMs: 60_000 }, NOW + 675_000 + 120_000],
  ['or it may be behind by an hour', { clockAheadMs: 0, clockAtLeastMs: -3600_000 }, NOW + 615_000 + 3600_000],
  ['or it showed no time', { clockAheadMs: 0 }, undefined],
])('OCPP21-C1: a lease that is counted from when it arrives: %s', (_, clock, until) => {
  expect(endOfGiven(NOW + 600_000, clock, true)).toBe(until)
})

it('OCPP21-C1, OCPP21-C2: it counts from when it was taken, and from each pull; a clock set back makes it longer', () => {
  const given = lease(2, 16, { until: NOW + 735_000, endsAt: NOW + 600_000, seconds: 600, aheadMs: 0 })
  const taken = counted({ accepted: given, sent: [] }, NOW + 604_000, exact)
  expect(taken.accepted).toMatchObject({ endsAt: NOW + 604_000, until: NOW + 619_000 })
  expect(counted(taken, NOW + 604_000, exact)).toBe(taken)
  const pulled = counted(taken, NOW + 900_000, exact)
  expect(pulled.accepted).toMatchObject({ endsAt: NOW + 900_000, until: NOW + 915_000 })
  expect(counted(pulled, undefined, exact)).toBe(pulled)
  const later = outlast({ fallback, lease: pulled }, { clockAheadMs: -60_000, clockAtLeastMs: -60_000 })
  expect(later.lease.accepted?.until).toBe(NOW + 975_000)
})
