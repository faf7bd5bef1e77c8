import { expect, it } from 'vitest'
import { MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { aSession } from '../../../../test/support/storage-contract/records.ts'
import type { Session } from '../../ports/sessions.ts'
import { sessionRecord } from '../records.ts'
import { finallyReached, foreseenAt, stoppedAtLimit, tighter } from './limits.ts'

const session = (facts: Partial<Session>): Session =>
  sessionRecord(
    aSession({
      id: 's',
      accountId: 'a',
      chargePointId: 'c',
      energyMilliWh: 10_000_000,
      createdAt: ZERO,
      startedAt: ZERO,
      ...facts,
    }),
  )
const cost = { micros: 6_000_000, currency: 'EUR' }

it.each([
  [undefined, undefined, undefined],
  [{ energyMilliWh: 5 }, undefined, { energyMilliWh: 5 }],
  [{ energyMilliWh: 5 }, { energyMilliWh: 3, costMicros: 2 }, { energyMilliWh: 3, costMicros: 2 }],
  [
    { durationMs: 1, costMicros: 1 },
    { durationMs: 2, budgetOf: 'c' },
    { durationMs: 1, costMicros: 1, budgetOf: 'c' },
  ],
])('SESSION-L2: of %j and %j the smaller holds', (order, card, expected) => {
  expect(tighter(order, card)).toEqual(expected)
  expect(tighter(card, order)).toEqual(expected)
})

it.each([
  ['no limits', {}, undefined],
  ['below all', { limits: { energyMilliWh: 10_000_001, costMicros: 6_000_001 }, cost }, undefined],
  ['energy', { limits: { energyMilliWh: 10_000_000 } }, { kind: 'energy', limit: 10_000_000, reached: 10_000_000 }],
  ['cost', { limits: { costMicros: 5_000_000 }, cost }, { kind: 'cost', limit: 5_000_000, reached: 6_000_000 }],
  ['duration', { limits: { durationMs: 60_000 } }, { kind: 'duration', limit: 60_000, reached: 120_000 }],
  ['a cost that nobody knows', { limits: { costMicros: 1 } }, undefined],
  ['one that was stopped already', { limits: { energyMilliWh: 1 }, stopRequestedAt: 1 }, undefined],
  ['one that is over', { limits: { energyMilliWh: 1 }, state: 'completed' }, undefined],
] as const)('SESSION-L1: which limit a charge has reached: %s', (_, facts, expected) => {
  const before = session(facts)
  const after = stoppedAtLimit(before, ZERO + 2 * MINUTE)
  expect(after.limitReached).toEqual(expected)
  if (!expected) expect(after).toBe(before)
  else expect(after.stopRequestedAt).toBe(ZERO + 2 * MINUTE)
})

it.each([
  ['duration', { limits: { durationMs: 5 * MINUTE } }, 5 * MINUTE],
  ['energy', { limits: { energyMilliWh: 20_000_000 } }, undefined],
  [
    'minutes whose price has tax, by the net limit (TARIFF-A5)',
    {
      limits: { costMicros: 6_500_000 },
      tariff: {
        ...TARIFF,
        perKwhMicros: 595_000,
        perMinuteMicros: 11_900,
        perSessionMicros: 1_190_000,
        taxIncluded: 'yes',
        taxPercent: 19,
      },
      cost,
    },
    50 * MINUTE,
  ],
  // One to begin, five for the energy, a cent a minute: fifty cents are left.
  ['minutes that cost', { limits: { costMicros: 6_500_000 }, tariff: TARIFF, cost }, 50 * MINUTE],
  ['the earlier of both', { limits: { costMicros: 6_500_000, durationMs: MINUTE }, tariff: TARIFF, cost }, MINUTE],
  ['minutes for nothing', { limits: { costMicros: 7e6 }, tariff: { ...TARIFF, perMinuteMicros: 0 }, cost }, undefined],
  ['not begun', { limits: { durationMs: 1 }, startedAt: undefined }, undefined],
] as const)('SESSION-L3: when time alone reaches the limit: %s', (_, facts, after) => {
  const at = foreseenAt(session(facts))
  expect(at).toBe(after === undefined ? undefined : ZERO + after)
  if (at === undefined) return
  expect(stoppedAtLimit(session(facts), at - 1000).limitReached).toBeUndefined()
  expect(stoppedAtLimit(session(facts), at).limitReached).toBeDefined()
})

it('SESSION-L4: what it came to in the end is told; of a budget what it was when it was used up', () => {
  const limitReached = { kind: 'energy', limit: 9_000_000, reached: 9_500_000 } as const
  expect(finallyReached(session({ limitReached })).limitReached?.reached).toBe(10_000_000)
  expect(finallyReached(session({ limitReached: { ...limitReached, per: 'day' } })).limitReached?.reached).toBe(
    9_500_000,
  )
})
