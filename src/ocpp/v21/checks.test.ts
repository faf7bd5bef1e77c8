import { expect, it } from 'vitest'
import { versions } from '../versions.ts'
import { listedOption, warnings } from './checks.ts'

const GRADIENT = { priority: 1, gradient: 10, softGradient: 5 }
const DROOP = { priority: 1, overFreq: 1, underFreq: 1, overDroop: 1, underDroop: 1, responseTime: 1 }
const CURVE = { priority: 1, yUnit: 'PctMaxW', curveData: [{ x: 1, y: 1 }] }
const FIXED = { priority: 1, setpoint: 5, unit: 'PctMaxW' }
const START = '2026-01-01T00:00:00Z'
const ends = '; a charge point rejects it.'

it.each([
  ['a default control', { isDefault: true, controlType: 'FreqDroop', freqDroop: DROOP }, []],
  [
    'a scheduled one',
    { isDefault: false, controlType: 'VoltVar', curve: { ...CURVE, startTime: START, duration: 60 } },
    [],
  ],
  ['EnterService or Gradients as default', { isDefault: true, controlType: 'Gradients', gradient: GRADIENT }, []],
  [
    'FR.12: times in a default control',
    { isDefault: true, controlType: 'FixedVar', fixedVar: { ...FIXED, startTime: START, duration: 60 } },
    [
      '/request/fixedVar/startTime is not for a default control (R04.FR.12)',
      '/request/fixedVar/duration is not for a default control (R04.FR.12)',
    ],
  ],
  [
    'FR.14: Gradients not as default',
    { isDefault: false, controlType: 'Gradients', gradient: GRADIENT },
    ['/request/isDefault must be true for Gradients (R04.FR.14)'],
  ],
  [
    'FR.16: another control',
    { isDefault: false, controlType: 'FreqDroop', curve: CURVE },
    [
      '/request/freqDroop is missing, which FreqDroop needs (R04.FR.16)',
      '/request/curve is not for FreqDroop, which has freqDroop (R04.FR.16)',
    ],
  ],
  [
    'FR.16: one more',
    { isDefault: false, controlType: 'HFMustTrip', curve: CURVE, gradient: GRADIENT },
    ['/request/gradient is not for HFMustTrip, which has curve (R04.FR.16)'],
  ],
  [
    'FR.16: none',
    { isDefault: false, controlType: 'WattVar' },
    ['/request/curve is missing, which WattVar needs (R04.FR.16)'],
  ],
])('OCPP21-D3: SetDERControl: %s', (_, control, expected) => {
  const request = { controlId: 'c1', ...control }
  expect(versions['ocpp2.1'].validateRequest('SetDERControl', request)).toEqual([])
  expect(warnings({ method: 'SetDERControl', request })).toEqual(expected.map((warning) => warning + ends))
})

it('OCPP21-D3: no other order has warnings', () => {
  expect(warnings({ method: 'ClearDERControl', request: { isDefault: true, controlType: 'Gradients' } })).toEqual([])
})

it.each([
  ['TriggerMessage', { requestedMessage: 'CustomTrigger', customTrigger: 'Self test' }, 'Self test'],
  ['TriggerMessage', { requestedMessage: 'CustomTrigger' }, ''],
  ['TriggerMessage', { requestedMessage: 'Heartbeat', customTrigger: 'Self test' }, undefined],
  ['DataTransfer', { vendorId: 'V' }, undefined],
])('OCPP21-B12: %s %j needs %j in a list of the station', (method, request, value) => {
  expect(versions['ocpp2.1'].validateRequest(method, request)).toEqual([])
  expect(listedOption({ method, request })?.value).toBe(value)
})
