import { expect, it } from 'vitest'
import { answerContext, translationContext } from '../../../test/support/ocpp/testing.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import { faultsOf } from '../schema/validators.ts'
import type { Payload } from '../translate/payload.ts'
import { versions } from '../versions.ts'

const { fromChargePoint, transactionTrigger, validateRequest } = versions['ocpp2.1']
const message = fromChargePoint.TransactionEvent

const EVENT = {
  eventType: 'Ended',
  timestamp: '2026-03-01T10:00:00Z',
  triggerReason: 'RunningCost',
  seqNo: 3,
  transactionInfo: { transactionId: 't' },
}
const totalUsage = { energy: 1, chargingTime: 60, idleTime: 0 }
const costOf = (total: Payload, more: Payload = {}): Payload => ({
  totalCost: { currency: 'EUR', typeOfCost: 'NormalCost', total },
  totalUsage,
  ...more,
})

const terms = (request: Payload) => {
  const whole = { ...EVENT, ...request }
  const input = message?.input(whole, translationContext(whole))
  return input?.kind === 'transactionEvent' ? input.atStation : undefined
}

it.each<readonly [string, Payload, object]>([
  ['nothing', {}, {}],
  [
    'limits',
    {
      transactionInfo: {
        transactionId: 't',
        transactionLimit: { maxEnergy: 10_000, maxCost: 23.8, maxTime: 60, maxSoC: 80 },
      },
    },
    { limits: { energyMilliWh: 10_000_000, costMicros: 23_800_000, durationMs: 60_000, stateOfCharge: 80 } },
  ],
  [
    'a limit in another case, and none',
    { transactionInfo: { transactionId: 't', transactionLimit: { MaxCost: 5, maxEnergy: 'much' } } },
    { limits: { costMicros: 5_000_000 } },
  ],
  ['a tariff', { transactionInfo: { transactionId: 't', tariffId: '0017' } }, { tariffId: '0017' }],
  [
    'a running cost without periods',
    { costDetails: costOf({ exclTax: 1.5 }) },
    { cost: { currency: 'EUR', netMicros: 1_500_000 } },
  ],
  [
    'a cost with tax and periods',
    { costDetails: costOf({ exclTax: 1, inclTax: 1.19 }, { chargingPeriods: [{ startPeriod: EVENT.timestamp }] }) },
    { cost: { currency: 'EUR', netMicros: 1_000_000, grossMicros: 1_190_000 } },
  ],
  [
    'a failure',
    { costDetails: costOf({}, { failureToCalculate: true, failureReason: 'no tariff' }) },
    { cost: { currency: 'EUR', failure: 'no tariff' } },
  ],
  [
    'no limit below 0',
    { transactionInfo: { transactionId: 'T1', transactionLimit: { maxEnergy: -5, MaxCost: 3 } } },
    { limits: { costMicros: 3_000_000 } },
  ],
  ['what no schema knows', { costDetails: { totalCost: 'x' } }, { cost: { currency: '' } }],
])('OCPP21-B5, OCPP21-C3, OCPP21-C5: reads %s', (_, request, expected) => {
  expect(terms(request)).toEqual(expected)
})

const answer = (outcome: Outcome, request: Payload = EVENT): Payload => {
  const made = message?.answer(request, outcome, answerContext) ?? {}
  expect(faultsOf('ocpp2.1', 'TransactionEvent', 'conf', made)).toEqual([])
  return made
}

it.each<readonly [string, Outcome, Payload, Payload]>([
  ['gross', { totalCost: 10, grossCost: 11.9 }, EVENT, { totalCost: 11.9 }],
  ['as we know it', { totalCost: 10 }, EVENT, { totalCost: 10 }],
  ['free', { totalCost: 0 }, EVENT, { totalCost: 0 }],
  ['not of a station that reckons itself', { totalCost: 10 }, { ...EVENT, costDetails: costOf({}) }, {}],
  ['not of a charge that runs', { totalCost: 10 }, { ...EVENT, eventType: 'Updated' }, {}],
])('OCPP21-B4, E16.FR.16: the cost in the answer is %s', (_, outcome, request, expected) => {
  expect(answer(outcome, request)).toEqual(expected)
})

it('OCPP21-C3: limits in the answer, in watt-hours, money and whole seconds', () => {
  const transactionLimit = { energyMilliWh: 10_500_500, costMicros: 23_800_000, durationMs: 59_001 }
  expect(answer({ transactionLimit }, { ...EVENT, eventType: 'Started' })).toEqual({
    transactionLimit: { maxEnergy: 10_500.5, maxCost: 23.8, maxTime: 60 },
  })
})

it('OCPP21-C3: only 2.1 is asked for a message whose answer carries changed limits', () => {
  const { method, request } = transactionTrigger?.(2) ?? { method: '', request: {} }
  expect([method, validateRequest(method, request)]).toEqual(['TriggerMessage', []])
  expect(request).toEqual({ requestedMessage: 'TransactionEvent', evse: { id: 2 } })
  expect(versions['ocpp2.0.1'].transactionTrigger).toBeUndefined()
  expect(versions['ocpp1.6'].transactionTrigger).toBeUndefined()
})
