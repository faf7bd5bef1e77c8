import { expect, it } from 'vitest'
import { Driver, TARIFF } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, register } from '../../../../test/support/sessions/inputs.ts'
import { aSession } from '../../../../test/support/storage-contract/records.ts'
import type { Session } from '../../ports/sessions.ts'
import type { StationCost } from '../limits/records.ts'
import { sessionDetails } from './details.ts'
import { comparedCosts, withTax } from './station-cost.ts'

const ours = { micros: 10_004_000, currency: 'EUR' }
const taxed = { tariff: { ...TARIFF, taxPercent: 19 } }
const not = (costNotComparable: string) => ({ costDiffers: 'notComparable', costNotComparable })

it.each<readonly [string, Partial<StationCost>, Partial<Session>, object | undefined]>([
  ['net with net', { netMicros: 10_000_000 }, {}, { costDiffers: false }],
  ['parts of a cent', { netMicros: 10_004_999 }, {}, { costDiffers: false }],
  ['another cent', { netMicros: 10_010_000 }, {}, { costDiffers: true }],
  ['gross with gross', { grossMicros: 11_900_000 }, taxed, { costDiffers: false }],
  ['net, where both are there', { netMicros: 10_000_000, grossMicros: 99_000_000 }, taxed, { costDiffers: false }],
  ['gross, which equals our net', { grossMicros: 10_000_000 }, taxed, { costDiffers: true }],
  ['gross without a rate of tax', { grossMicros: 11_900_000 }, {}, not('noRateOfTax')],
  ['another currency', { netMicros: 10_000_000, currency: 'CHF' }, {}, not('otherCurrency')],
  ['no total', {}, {}, not('noTotal')],
  ['ours unknown', { netMicros: 1 }, { cost: undefined, tariff: undefined }, not('noCost')],
  ['nothing to pay', { netMicros: 0 }, { cost: undefined }, { costDiffers: false }],
  ['a failure', { netMicros: 10_000_000, failure: '' }, {}, not('failed')],
  [
    'a running one with ours of then',
    { netMicros: 5_000_000, isFinal: false, ours: { ...ours, micros: 5_000_000 } },
    {},
    { costDiffers: false },
  ],
])('OCPP21-C5: costs are compared like with like: %s', (_, reported, facts, expected) => {
  const cost: StationCost = { currency: 'EUR', at: 0, isFinal: true, ...reported }
  const session = aSession({ cost: ours, tariff: TARIFF, ...facts, atStation: { cost } })
  expect(comparedCosts(session)).toEqual(expected)
})

it.each([
  [10_000_000, 19, 11_900_000],
  [0, 19, 0],
  [1, undefined, undefined],
])('OCPP21-B4: %d with %s per cent of tax is %s', (net, taxPercent, gross) => {
  expect(withTax(net, { ...TARIFF, taxPercent })).toBe(gross)
})

it('OCPP21-B5, OCPP21-C5: costs of any event are kept, and the tariff’s id is text', () => {
  const driver = new Driver({ idTokens: [{}], tariff: { ...TARIFF, perMinuteMicros: 0, idlePerMinuteMicros: 0 } })
  const cost = (netMicros: number) => ({ tariffId: '007', cost: { currency: 'EUR', netMicros } })
  const begin = [register(0, 0, 'Transaction.Begin')]
  driver.sendAt(0, event(0, 0, 'started', { idToken: CARD, activity: 'charging', samples: begin, atStation: {} }))
  driver.sendAt(6, event(1, 6, 'updated', { samples: [register(6, 2_000)], atStation: cost(2_000_000) }))
  driver.sendAt(12, event(2, 12, 'updated', { samples: [register(12, 4_000)], atStation: {} }))
  const running = sessionDetails(driver.session(), undefined, driver.now)
  expect(running).toMatchObject({ stationTariffId: '007', costDiffers: false, stationCost: { net: 2, isFinal: false } })
  const { outcome } = driver.sendAt(
    18,
    event(3, 18, 'ended', { samples: [register(18, 4_000)], atStation: cost(3_500_000) }),
  )
  expect(outcome).toMatchObject({ totalCost: 3, grossCost: undefined })
  driver.sendAt(19, event(1, 7, 'updated', { atStation: cost(9_000_000), digest: 'late' }))
  const over = sessionDetails(driver.session(), undefined, driver.now)
  expect(over).toMatchObject({ costDiffers: true, stationCost: { currency: 'EUR', net: 3.5, isFinal: true } })
})

it('OCPP21-B4: the cost in the answer has the tax, where its rate is known', () => {
  const driver = new Driver({ idTokens: [{}], tariff: { ...TARIFF, perMinuteMicros: 0, taxPercent: 19 } })
  const begin = [register(0, 0, 'Transaction.Begin')]
  driver.sendAt(0, event(0, 0, 'started', { idToken: CARD, activity: 'charging', samples: begin, atStation: {} }))
  const { outcome } = driver.sendAt(12, event(1, 12, 'ended', { samples: [register(12, 4_000)], atStation: {} }))
  expect(outcome).toMatchObject({ totalCost: 3, grossCost: 3.57 })
})
