import { describe, expect, it } from 'vitest'
import { budgetPeriod, sumUses, usedUp } from './rules.ts'

const at = (text: string): number => Date.parse(text)
const use = (energyMilliWh: number, costMicros?: number, currency = 'EUR') => ({
  ...{ accountId: 'a', idToken: 'card', beganAt: 0, sessionId: 's', energyMilliWh },
  ...(costMicros !== undefined && { costMicros, currency }),
})

describe('TOKEN-Z6: the day or month that a charge counts for', () => {
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
  ] as const)('TOKEN-Z6: the %s of %s in %s', (per, now, zone, from, below) => {
    expect(budgetPeriod(per, at(now), zone)).toEqual({ from: at(from), below: at(below) })
  })

  it('TOKEN-Z6: of a total every charge ever', () => {
    const { from, below } = budgetPeriod('total', at('2026-11-23T12:00:00Z'), 'UTC')
    expect([from, below > at('9999-01-01T00:00:00Z')]).toEqual([0, true])
  })
})

it.each([
  ['nothing used', { energyMilliWh: 1, per: 'day' }, [], undefined],
  ['just below', { energyMilliWh: 100, per: 'day' }, [use(60), use(39)], undefined],
  ['two charges together', { energyMilliWh: 100, per: 'day' }, [use(60), use(40)], ['energy', 100, 100]],
  ['more than all', { costMicros: 5, per: 'total' }, [use(0, 4), use(0, 4)], ['cost', 5, 8]],
  ['two currencies', { costMicros: 5, per: 'total' }, [use(0, 4), use(0, 4, 'SEK')], undefined],
  ['no tariff', { costMicros: 5, per: 'month' }, [use(1_000)], undefined],
] as const)('TOKEN-Z6: a budget is used up by the sum: %s', (_, budget, uses, told) => {
  const reached = usedUp(budget, sumUses(uses))
  expect(reached && [reached.kind, reached.limit, reached.reached]).toEqual(told)
  if (reached) expect(reached.per).toBe(budget.per)
})
