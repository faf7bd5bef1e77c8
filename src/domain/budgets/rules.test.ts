import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { aSession } from '../../../test/support/storage-contract/records.ts'
import type { Session } from '../ports/sessions.ts'
import { sessionRecord } from '../sessions/records.ts'
import { periodOf } from '../time-zone.ts'
import { addedToSums, budgetPeriod, usedOf, usedUp } from './rules.ts'

const at = (text: string): number => Date.parse(text)
const sum = (energyMilliWh: number, costMicros = 0, currency = 'EUR') => ({ energyMilliWh, costMicros, currency })

it.each([
  ['day', '2026-11-23T12:00:00Z', 'UTC', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z'],
  ['day', '2026-11-23T23:30:00Z', 'Europe/Berlin', '2026-11-23T23:00:00Z', '2026-11-24T23:00:00Z'],
  // Clocks go back at three: the day has 25 hours.
  ['day', '2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  // And forward: 23.
  ['day', '2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['day', '2026-11-23T01:00:00Z', 'America/Los_Angeles', '2026-11-22T08:00:00Z', '2026-11-23T08:00:00Z'],
  ['month', '2026-11-30T23:30:00Z', 'UTC', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
  ['month', '2026-11-30T23:30:00Z', 'Europe/Berlin', '2026-11-30T23:00:00Z', '2026-12-31T23:00:00Z'],
  ['month', '2026-10-31T12:00:00Z', 'Europe/Berlin', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
  ['month', '2027-02-10T12:00:00Z', 'Asia/Kathmandu', '2027-01-31T18:15:00Z', '2027-02-28T18:15:00Z'],
] as const)('TOKEN-Z6: days and months: the %s of %s in %s', (per, now, zone, from, below) => {
  expect(budgetPeriod(per, at(now), zone)).toEqual({ from: at(from), below: at(below) })
})

it('TOKEN-Z6: days and months: of a total every charge ever', () => {
  const { from, below } = budgetPeriod('total', at('2026-11-23T12:00:00Z'), 'UTC')
  expect([from, below > at('9999-01-01T00:00:00Z')]).toEqual([0, true])
})

it.each([
  ['nothing used', { energyMilliWh: 1, per: 'day' }, [], undefined],
  ['just below', { energyMilliWh: 100, per: 'day' }, [sum(99)], undefined],
  ['all, in two currencies', { energyMilliWh: 100, per: 'day' }, [sum(60, 1), sum(40, 2, 'SEK')], ['energy', 100, 100]],
  ['more than all', { costMicros: 5, per: 'total' }, [sum(0, 8)], ['cost', 5, 8]],
  ['two currencies', { costMicros: 5, per: 'total' }, [sum(0, 4), sum(0, 4, 'SEK')], undefined],
  ['no tariff', { costMicros: 5, per: 'month' }, [sum(1_000)], undefined],
] as const)('TOKEN-Z6: a budget is used up by the sum: %s', (_, budget, sums, reported) => {
  const reached = usedUp(budget, usedOf(sums))
  expect(reached && [reached.kind, reached.limit, reached.reached]).toEqual(reported)
  if (reached) expect(reached.per).toBe(budget.per)
})

const ZONE = 'Europe/Berlin'
const version = fc.record({
  charge: fc.nat(5),
  card: fc.constantFrom<string | undefined>('x', 'y', undefined),
  energyMilliWh: fc.nat(1000),
  costMicros: fc.option(fc.nat(1000), { nil: undefined }),
  currency: fc.constantFrom('EUR', 'SEK'),
})
// Around the clocks' change, a month's end, and days apart.
const BEGAN = [25, 25.9, 26, 31.95, 32, 60].map((day) => at('2026-10-01T00:00:00Z') + day * 86_400_000)
const session = ({
  charge,
  card,
  energyMilliWh,
  costMicros,
  currency,
}: typeof version extends fc.Arbitrary<infer V> ? V : never): Session =>
  sessionRecord(
    aSession({
      id: `s${charge}`,
      accountId: 'a',
      chargePointId: 'c',
      createdAt: BEGAN[charge] ?? 0,
      energyMilliWh,
      ...(costMicros !== undefined && { cost: { micros: costMicros, currency } }),
      ...(card !== undefined && { limits: { budgetOf: card } }),
    }),
  )

it('TOKEN-Z6: sums: whatever each charge became, on its way or in another currency, and whichever card it is of', () => {
  forAll(fc.array(version, { maxLength: 40 }), (versions) => {
    const newest = new Map<string, Session>()
    const sums = new Map<string, readonly [energy: number, cost: number]>()
    for (const one of versions) {
      const before = newest.get(`s${one.charge}`)
      // A charge that counts goes on counting, perhaps for another card.
      const after = session({ ...one, card: one.card ?? before?.limits?.budgetOf })
      newest.set(after.id, after)
      for (const { idToken, per, periodFrom, currency, energyMilliWh, costMicros } of addedToSums(
        before,
        after,
        0,
        ZONE,
      )) {
        const key = [idToken, per, periodFrom, currency].join(' ')
        const [energy, cost] = sums.get(key) ?? [0, 0]
        sums.set(key, [energy + energyMilliWh, cost + costMicros])
      }
    }
    // The slow way: all charges of each card, period and currency.
    const slow = new Map<string, readonly [energy: number, cost: number]>()
    for (const { limits, createdAt, energyMilliWh, cost } of newest.values()) {
      if (limits?.budgetOf === undefined) continue
      const froms = {
        day: periodOf('day', createdAt, ZONE).from,
        month: periodOf('month', createdAt, ZONE).from,
        total: 0,
      }
      for (const [per, from] of Object.entries(froms)) {
        const key = [limits.budgetOf, per, from, cost?.currency ?? ''].join(' ')
        const [energy, micros] = slow.get(key) ?? [0, 0]
        slow.set(key, [energy + energyMilliWh, micros + (cost?.micros ?? 0)])
      }
    }
    const whole = (all: typeof sums) => [...all].filter(([, [energy, cost]]) => energy !== 0 || cost !== 0).sort()
    expect(whole(sums)).toEqual(whole(slow))
  })
})
