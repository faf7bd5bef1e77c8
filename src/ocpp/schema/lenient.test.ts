import { expect, it } from 'vitest'
import { answerContext, answerFaults, translationContext } from '../../../test/support/ocpp/testing.ts'
import { requests as requests16 } from '../../../test/support/ocpp/v16/testing.ts'
import type { Payload } from '../translate/payload.ts'
import { versions } from '../versions.ts'

const { StatusNotification, BootNotification, MeterValues, StartTransaction, StopTransaction, Authorize } = requests16

const sampled = (member: Payload): Payload => ({
  ...MeterValues,
  meterValue: [{ timestamp: '2026-03-01T10:15:00Z', sampledValue: [{ value: '12', ...member }] }],
})

/** Payloads from the field that strict schemas refuse (OCPP-VA2). */
const refusedByStrict: readonly [string, string, Payload][] = [
  ['empty timestamp', 'StatusNotification', { ...StatusNotification, timestamp: '' }],
  ['errorCode "Error" (Legrand)', 'StatusNotification', { ...StatusNotification, errorCode: 'Error' }],
  ['status "Occupied" in 1.6', 'StatusNotification', { ...StatusNotification, status: 'Occupied' }],
  ['extra field', 'StatusNotification', { ...StatusNotification, evseId: 1 }],
  ['info over 50 characters', 'StatusNotification', { ...StatusNotification, info: 'i'.repeat(60) }],
  ['null optional', 'StatusNotification', { ...StatusNotification, vendorErrorCode: null }],
  ['serial over 25 (Schneider)', 'BootNotification', { ...BootNotification, chargePointSerialNumber: 's'.repeat(30) }],
  ['model over 20', 'BootNotification', { ...BootNotification, chargePointModel: 'm'.repeat(30) }],
  ['unit Hertz', 'MeterValues', sampled({ measurand: 'Frequency', unit: 'Hertz' })],
  ['numeric sampled value', 'MeterValues', sampled({ value: 12.5 })],
  ['odd context (Alfen)', 'MeterValues', sampled({ context: 'Sample.Start' })],
  ['transactionId null', 'MeterValues', { ...MeterValues, transactionId: null }],
  ['transactionId as string', 'MeterValues', { ...MeterValues, transactionId: '4711' }],
  ['transactionId as string in a stop', 'StopTransaction', { ...StopTransaction, transactionId: '4711' }],
  ['meterStart as float', 'StartTransaction', { ...StartTransaction, meterStart: 1234.5 }],
  ['meterStart as string', 'StartTransaction', { ...StartTransaction, meterStart: '1234' }],
  ['idTag over 20', 'StartTransaction', { ...StartTransaction, idTag: 'A'.repeat(24) }],
  ['idTag over 20 in Authorize', 'Authorize', { ...Authorize, idTag: 'A'.repeat(24) }],
  ['unknown stop reason', 'StopTransaction', { ...StopTransaction, reason: 'BatteryFull' }],
  ['enum case', 'StatusNotification', { ...StatusNotification, status: 'CHARGING', errorCode: 'noerror' }],
]

/** What the schema lets pass and translation has to stand (OCPP-VA2). */
const passedByStrict: readonly [string, string, Payload][] = [
  ['time without zone', 'StatusNotification', { ...StatusNotification, timestamp: '2026-03-01T10:00:00' }],
  ['short zone', 'StatusNotification', { ...StatusNotification, timestamp: '2026-03-01T10:00:00+02' }],
  ['time with a space', 'StatusNotification', { ...StatusNotification, timestamp: '2026-03-01 10:00:00Z' }],
  ['empty arrays', 'MeterValues', { ...MeterValues, meterValue: [] }],
  ['empty idTag', 'Authorize', { idTag: '' }],
  ['huge transactionId', 'StopTransaction', { ...StopTransaction, transactionId: Number('9223372036854775807') }],
]

const { validateCall, fromChargePoint } = versions['ocpp1.6']

function answered(action: string, payload: Payload): readonly unknown[] {
  const message = fromChargePoint[action]
  const input = message?.input(payload, translationContext(payload))
  expect(input).toBeDefined()
  const outcome = { authorisation: { status: 'Accepted' as const }, transactionId: '1' }
  return answerFaults('ocpp1.6', action, message?.answer(payload, outcome, answerContext) ?? { missing: true })
}

it.each(refusedByStrict)('OCPP-VA2: %s is answered, and the row says what is wrong', (_name, action, payload) => {
  expect(validateCall(action, payload, 'strict').ok).toBe(false)
  const validated = validateCall(action, payload, 'lenient')
  expect(validated).toMatchObject({ ok: true, schemaErrors: expect.any(String) })
  if (validated.ok) expect(answered(action, validated.payload)).toEqual([])
})

it.each(passedByStrict)('OCPP-VA2: %s passes strict and is answered', (_name, action, payload) => {
  const validated = validateCall(action, payload, 'strict')
  expect(validated).toEqual({ ok: true, payload })
  expect(answered(action, payload)).toEqual([])
})

it('OCPP-VA1: the row’s text names places, never values', () => {
  const validated = validateCall('StatusNotification', { ...StatusNotification, info: 'SECRET '.repeat(20) }, 'lenient')
  expect(validated).toMatchObject({ ok: true, schemaErrors: '/info must have at most 50 characters' })
})

it('OCPP-VA1: a call whose business-required members are unusable gets a CALLERROR', () => {
  const refused = (action: string, payload: Payload): unknown => validateCall(action, payload, 'lenient')
  expect(refused('Authorize', {})).toMatchObject({ ok: false, code: 'OccurenceConstraintViolation' })
  expect(refused('Authorize', { idTag: null })).toMatchObject({ ok: false, code: 'OccurenceConstraintViolation' })
  expect(refused('Authorize', { idTag: {} })).toMatchObject({ ok: false, code: 'TypeConstraintViolation' })
  expect(refused('BootNotification', { chargePointVendor: 'V' })).toMatchObject({
    ok: false,
    code: 'OccurenceConstraintViolation',
    description: 'chargePointModel is missing: it is required.',
  })
  expect(versions['ocpp2.0.1'].validateCall('Authorize', { idToken: {} }, 'lenient')).toMatchObject({
    ok: false,
    code: 'OccurrenceConstraintViolation',
  })
})

it('OCPP-VA1: usable members keep a call alive beside unusable ones', () => {
  const payload = { idToken: { idToken: 'A1', type: 'Card' }, certificate: 5 }
  expect(versions['ocpp2.0.1'].validateCall('Authorize', payload, 'lenient')).toMatchObject({ ok: true })
})

it.each(['StatusNotification', 'MeterValues', 'StartTransaction', 'StopTransaction'])(
  'OCPP-DR4 OCPP-VA1: %s is never refused for its details',
  (action) => {
    for (const payload of [{}, { connectorId: {}, meterValue: 'x', status: 7, transactionId: [], meterStop: null }]) {
      for (const mode of ['lenient', 'off'] as const) expect(validateCall(action, payload, mode).ok).toBe(true)
    }
  },
)

it.each(['lenient', 'off'] as const)('OCPP 3.4: even %s wants an object', (mode) => {
  for (const payload of [[], 'text', 5, true]) {
    expect(validateCall('MeterValues', payload, mode)).toMatchObject({ ok: false, code: 'FormationViolation' })
    expect(versions['ocpp2.0.1'].validateCall('TransactionEvent', payload, mode)).toMatchObject({
      ok: false,
      code: 'FormatViolation',
    })
  }
})

it('off: nothing is checked and nothing is changed', () => {
  const payload = { idTag: 5, extra: null }
  expect(validateCall('Authorize', payload, 'off')).toEqual({ ok: true, payload })
})

it('an action charge points do not send is refused whatever the mode', () => {
  for (const mode of ['strict', 'lenient', 'off'] as const) {
    expect(validateCall('Reset', { type: 'Soft' }, mode)).toMatchObject({ ok: false, code: 'NotImplemented' })
  }
})
