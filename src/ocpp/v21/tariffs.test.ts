/** Our tariff as a 2.1 station is sent it, and what its answers mean. */
import { expect, it } from 'vitest'
import type { DesiredTariff } from '../../domain/intents/records.ts'
import { desiredTariffs } from '../../domain/intents/tariffs.ts'
import type { MessageLimits } from '../../domain/ports/blocks.ts'
import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import { faultsOf } from '../schema/validators.ts'
import { tariff as wire } from './tariffs.ts'
import { ocpp21 } from './version.ts'

const FREE: FrozenTariff = {
  tariffId: `tar_${'a'.repeat(24)}`,
  version: 1,
  currency: 'EUR',
  perKwhMicros: 0,
  perMinuteMicros: 0,
  perSessionMicros: 0,
  idlePerMinuteMicros: 0,
}
const KEEPS: MessageLimits = { tariffAvailable: 1, tariffEnabled: 1 }
const CONDITIONS = { ...KEEPS, tariffConditions: 1, tariffElements: 2 }

function wantOf(tariff: Partial<FrozenTariff>, limits: MessageLimits = KEEPS) {
  const [want] = desiredTariffs({ ...FREE, ...tariff }, limits, [])?.wants ?? []
  return want
}

const prices = (...elements: readonly object[]) => ({ prices: elements })
const minute = (priceMinute: number, more: object = {}) => ({ priceMinute, ...more })
const conditions = { minChargingTime: 1 }

it.each<readonly [string, Partial<FrozenTariff>, MessageLimits, object]>([
  ['free', {}, KEEPS, { energy: prices({ priceKwh: 0 }) }],
  [
    'by energy and start',
    { perKwhMicros: 490_000, perSessionMicros: 1_000_000 },
    KEEPS,
    { energy: prices({ priceKwh: 0.49 }), fixedFee: prices({ priceFixed: 1 }) },
  ],
  [
    'by minute, charging or not',
    { perMinuteMicros: 20_000 },
    KEEPS,
    { energy: prices({ priceKwh: 0 }), chargingTime: prices(minute(0.02)), idleTime: prices(minute(0.02)) },
  ],
  [
    'idle on top, where there are no conditions',
    { perMinuteMicros: 20_000, idlePerMinuteMicros: 100_000 },
    KEEPS,
    { energy: prices({ priceKwh: 0 }), chargingTime: prices(minute(0.02)), idleTime: prices(minute(0.12)) },
  ],
  [
    'idle on top after the first charging',
    { perMinuteMicros: 20_000, idlePerMinuteMicros: 100_000 },
    CONDITIONS,
    {
      energy: prices({ priceKwh: 0 }),
      chargingTime: prices(minute(0.02)),
      idleTime: prices(minute(0.12, { conditions }), minute(0.02)),
    },
  ],
  [
    'idle on top, where two prices are too many',
    { perMinuteMicros: 20_000, idlePerMinuteMicros: 100_000 },
    { ...CONDITIONS, tariffElements: 1 },
    { energy: prices({ priceKwh: 0 }), chargingTime: prices(minute(0.02)), idleTime: prices(minute(0.12)) },
  ],
  [
    'idle alone takes one',
    { idlePerMinuteMicros: 100_000 },
    { ...CONDITIONS, tariffElements: 1 },
    { energy: prices({ priceKwh: 0 }), idleTime: prices(minute(0.1, { conditions })) },
  ],
  [
    'with tax apart',
    { perKwhMicros: 490_000, taxPercent: 19 },
    KEEPS,
    { energy: { prices: [{ priceKwh: 0.49 }], taxRates: [{ type: 'VAT', tax: 19 }] } },
  ],
])('OCPP21-C4: a tariff %s', (_, tariff, limits, expected) => {
  const want = wantOf(tariff, limits)
  const [carrying] = wire.set([{ key: want?.key ?? '', desired: want?.desired }], {})
  const { method = '', request = {} } = carrying?.call ?? {}
  expect(method).toBe('SetDefaultTariff')
  expect(request).toEqual({ evseId: 0, tariff: { tariffId: want?.key, currency: 'EUR', ...expected } })
  expect(ocpp21.validateRequest(method, request)).toEqual([])
  expect(want?.key.length).toBeLessThanOrEqual(60)
})

it.each<readonly [string, MessageLimits]>([
  ['is not reported', {}],
  ['is not available', { tariffAvailable: 0, tariffEnabled: 1 }],
  ['is switched off', { tariffAvailable: 1, tariffEnabled: 0 }],
  ['is not said to be switched on', { tariffAvailable: 1 }],
])('OCPP21-C4: nothing is desired where keeping tariffs %s', (_, limits) => {
  expect(wantOf({}, limits)).toBeUndefined()
})

it('OCPP21-C4: an id belongs to one content', () => {
  const idle = { perMinuteMicros: 20_000, idlePerMinuteMicros: 100_000 }
  const same = [wantOf(idle), wantOf(idle), wantOf(idle, { ...KEEPS, tariffConditions: 0 })]
  expect(new Set(same.map((want) => want?.key)).size).toBe(1)
  const others = [wantOf(idle), wantOf({ ...idle, version: 2 }), wantOf(idle, CONDITIONS)]
  expect(new Set(others.map((want) => want?.key)).size).toBe(3)
})

it('OCPP21-C4: the old ones are cleared by id, after the new one is set', () => {
  const want = wantOf({ perKwhMicros: 490_000 })
  const old: DesiredTariff = { ...(want?.desired as DesiredTariff), clear: true }
  const calls = wire.set(
    [
      { key: 'old', desired: old },
      { key: 'new', desired: want?.desired },
    ],
    {},
  )
  expect(calls.map(({ call, keys }) => [call.method, keys])).toEqual([
    ['SetDefaultTariff', ['new']],
    ['ClearTariffs', ['old']],
  ])
  const request = calls[1]?.call.request ?? {}
  expect(request).toEqual({ tariffIds: ['old'] })
  expect(ocpp21.validateRequest('ClearTariffs', request)).toEqual([])
})

const CODE = { reasonCode: 'InvalidValue', additionalInfo: 'two' }
const cleared = (...results: readonly object[]) => ({ clearTariffsResult: results })

it.each([
  ['SetDefaultTariff', { status: 'Accepted' }, { outcome: 'accepted' }],
  ['SetDefaultTariff', { status: 'Rejected' }, { outcome: 'rejected', reason: 'Rejected' }],
  [
    'SetDefaultTariff',
    { status: 'TooManyElements', statusInfo: CODE },
    { outcome: 'rejected', reason: 'TooManyElements: InvalidValue: two' },
  ],
  ['SetDefaultTariff', { status: 'ConditionNotSupported' }, { outcome: 'rejected', reason: 'ConditionNotSupported' }],
  [
    'SetDefaultTariff',
    { status: 'DuplicateTariffId' },
    { outcome: 'rejected', reason: 'DuplicateTariffId', isDuplicate: true },
  ],
  ['ClearTariffs', cleared({ tariffId: 'T', status: 'Accepted' }), { outcome: 'accepted' }],
  ['ClearTariffs', cleared({ status: 'NoTariff' }), { outcome: 'accepted' }],
  ['ClearTariffs', cleared({ tariffId: 'T', status: 'Rejected' }), { outcome: 'rejected', reason: 'Rejected' }],
])('OCPP21-C4: the answer to %s, %j, is %j', (method, response, expected) => {
  expect(faultsOf('ocpp2.1', method, 'conf', response)).toEqual([])
  expect(wire.readAnswer(['T'], { method, request: {} }, response)).toEqual({ T: expected })
})

it.each([
  ['SetDefaultTariff', {}],
  ['ClearTariffs', {}],
  ['ClearTariffs', cleared({ tariffId: 'other', status: 'Accepted' })],
])('OCPP21-C4: the answer to %s, %j, says nothing of it', (method, response) => {
  expect(wire.readAnswer(['T'], { method, request: {} }, response)).toEqual({})
})

const assigned = (tariffKind: string, ...ids: readonly string[]) => ({
  status: 'Accepted',
  tariffAssignments: ids.map((tariffId) => ({ tariffId, tariffKind, evseIds: [1] })),
})

it.each([
  ['one of several', assigned('DefaultTariff', 'other', 'T'), { value: 'T' }],
  ['only others', assigned('DefaultTariff', 'other'), { value: 'none of ours' }],
  ["a driver's", assigned('DriverTariff', 'T'), { value: 'none of ours' }],
  ['no tariff', { status: 'NoTariff' }, { value: 'none of ours' }],
  ['refused', { status: 'Rejected' }, 'unreadable'],
])('OCPP21-C4: read back, %s', (_, response, expected) => {
  const [asked] = wire.readBack?.calls([{ key: 'T', desired: {} }], {}) ?? []
  expect(asked?.call).toEqual({ method: 'GetTariffs', request: { evseId: 0 } })
  expect(faultsOf('ocpp2.1', 'GetTariffs', 'conf', response)).toEqual([])
  expect(asked && wire.readBack?.found(asked.keys, asked.call, response)).toEqual({ T: expected })
})
