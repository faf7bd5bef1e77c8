import { describe, expect, it } from 'vitest'
import { requests as requests16 } from '../../../test/support/ocpp/v16/testing.ts'
import { requests as requests201 } from '../../../test/support/ocpp/v201/testing.ts'
import type { Payload } from '../translate/payload.ts'
import { versions } from '../versions.ts'

const status16 = requests16.StatusNotification
const status201 = requests201.StatusNotification

const rows: readonly [string, string, unknown, string][] = [
  ['a payload that is no object', 'StatusNotification', [], 'notAnObject'],
  ['a payload that is text', 'StatusNotification', 'Available', 'notAnObject'],
  ['a missing required member', 'StatusNotification', 'without connectorId', 'required'],
  ['an unknown enum value', 'StatusNotification', 'wrong status', 'property'],
  ['a wrong JSON type', 'StatusNotification', 'text connectorId', 'type'],
  ['an undefined member', 'StatusNotification', 'extra', 'structure'],
  ['an unusable time', 'StatusNotification', 'empty time', 'property'],
]

function variant(base: Payload, name: unknown, statusMember: string): unknown {
  const { connectorId: _connectorId, ...withoutConnector } = base
  switch (name) {
    case 'without connectorId':
      return withoutConnector
    case 'wrong status':
      return { ...base, [statusMember]: 'Sleeping' }
    case 'text connectorId':
      return { ...base, connectorId: '1' }
    case 'extra':
      return { ...base, colour: 'red' }
    case 'empty time':
      return { ...base, timestamp: '' }
    default:
      return name
  }
}

const codes = {
  'ocpp1.6': {
    notAnObject: 'FormationViolation',
    required: 'OccurenceConstraintViolation',
    property: 'PropertyConstraintViolation',
    type: 'TypeConstraintViolation',
    structure: 'FormationViolation',
  },
  'ocpp2.0.1': {
    notAnObject: 'FormatViolation',
    required: 'OccurrenceConstraintViolation',
    property: 'PropertyConstraintViolation',
    type: 'TypeConstraintViolation',
    structure: 'ProtocolError',
  },
} as const

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('%s, strict', (protocol) => {
  it.each(rows)('OCPP 3.4 EC: %s', (_name, action, payload, kind) => {
    const base = protocol === 'ocpp1.6' ? status16 : status201
    const member = protocol === 'ocpp1.6' ? 'status' : 'connectorStatus'
    const validated = versions[protocol].validateCall(action, variant(base, payload, member), 'strict')
    expect(validated).toMatchObject({ ok: false, code: codes[protocol][kind as keyof (typeof codes)['ocpp1.6']] })
  })

  it('OCPP 3.4: too long text is a property constraint violation', () => {
    const validated = versions[protocol].validateCall('DataTransfer', { vendorId: 'v'.repeat(256) }, 'strict')
    expect(validated).toMatchObject({ ok: false, code: 'PropertyConstraintViolation' })
  })

  it('OCPP-RP2: a missing or null payload is an empty object', () => {
    for (const payload of [undefined, null]) {
      expect(versions[protocol].validateCall('Heartbeat', payload, 'strict')).toEqual({ ok: true, payload: {} })
    }
  })

  it('OCPP-EC1: situations have this version’s spelling', () => {
    const { code } = versions[protocol]
    expect(code('notAccepted')).toBe('SecurityError')
    expect(code('internal')).toBe('InternalError')
    expect(code('unreadable')).toBe(protocol === 'ocpp1.6' ? 'GenericError' : 'RpcFrameworkError')
    expect(code('unknownMessageType')).toBe(protocol === 'ocpp1.6' ? undefined : 'MessageTypeNotSupported')
  })

  it('OCPP-EC2: a description is short and repeats no value', () => {
    const secret = 'S3CR3T'.repeat(100)
    const payload = { vendorId: secret, messageId: secret, [secret]: secret, data: [secret], status: secret }
    const validated = versions[protocol].validateCall('DataTransfer', payload, 'strict')
    expect(validated.ok).toBe(false)
    if (validated.ok) return
    expect(validated.description).not.toContain('S3CR3T')
    expect(validated.description.length).toBeLessThanOrEqual(255)
  })

  it('OCPP-RP12: a million faults cost neither memory nor a long description', () => {
    const payload = { vendorId: 1, messageId: Array.from({ length: 500_000 }, () => ({})) }
    const before = process.memoryUsage().heapUsed
    const validated = versions[protocol].validateCall('DataTransfer', payload, 'lenient')
    expect(validated.ok ? validated.schemaErrors?.length : validated.description.length).toBeLessThanOrEqual(255)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6)
  })
})

it('OCPP-RP13: outgoing requests: are held against the official schema, times with zone included', () => {
  const { validateRequest } = versions['ocpp1.6']
  expect(validateRequest('Reset', { type: 'Soft' })).toEqual([])
  expect(validateRequest('Reset', { type: 'Medium', extra: 1 })).toEqual(
    expect.arrayContaining([
      { pointer: '/extra', message: 'is not defined here' },
      { pointer: '/type', message: 'is not one of the defined values' },
    ]),
  )
  expect(validateRequest('Reset', {})).toEqual([{ pointer: '/type', message: 'is required' }])
  const update = { location: 'https://example.org/f.bin', retrieveDate: '2026-03-01T10:00:00' }
  expect(validateRequest('UpdateFirmware', update)).toEqual([
    { pointer: '/retrieveDate', message: 'must be a time like 2026-01-31T12:00:00Z' },
  ])
  expect(validateRequest('Heartbeat', {})).toHaveLength(1)
  expect(validateRequest('constructor', {})).toHaveLength(1)
})

it('OCPP-RP13: outgoing requests: a limit with one decimal is a multiple of 0.1', () => {
  const periods = [6.1, 0.3, 16].map((limit) => ({ startPeriod: 0, limit }))
  const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: periods }
  const csChargingProfiles = {
    chargingProfileId: 1,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule,
  }
  expect(versions['ocpp1.6'].validateRequest('SetChargingProfile', { connectorId: 1, csChargingProfiles })).toEqual([])
})

it('outgoing requests: the answers to them are described, never refused', () => {
  const { validateResponse } = versions['ocpp2.0.1']
  expect(validateResponse('Reset', { status: 'Accepted' })).toBeUndefined()
  expect(validateResponse('Reset', { status: 'Maybe' })).toBe('/status is not one of the defined values')
  expect(validateResponse('Nonsense', {})).toBeUndefined()
})
