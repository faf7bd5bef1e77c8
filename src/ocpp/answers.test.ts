import { describe, expect, it } from 'vitest'
import { wholeAnswer } from '../../test/support/ocpp/answers.ts'
import { damaged } from '../../test/support/ocpp/damaged.ts'
import { forRuns } from '../../test/support/property.ts'
import type { Protocol } from '../domain/ports/core.ts'
import { mask } from './mask.ts'
import { verdictOf } from './orders/verdict.ts'
import { readListAnswer } from './translate/blocks-on-wire.ts'
import { type OutgoingCall, object, type Payload } from './translate/payload.ts'
import { versions } from './versions.ts'

const NAMED = { component: { name: 'C', evse: { id: 1, connectorId: 1 } }, variable: { name: 'V', instance: 'I' } }

/** Requests that say how their answer is read. */
const REQUESTS: Readonly<Record<string, Payload>> = {
  'ocpp1.6 GetConfiguration': { key: ['K', 'MeterPublicKey1'] },
  'ocpp1.6 ChangeConfiguration': { key: 'AuthorizationKey', value: '0123456789abcdef' },
  'ocpp1.6 GetInstalledCertificateIds': { certificateType: 'CentralSystemRootCertificate' },
  'ocpp2.0.1 GetVariables': {
    getVariableData: [NAMED, { component: { name: 'FiscalMetering' }, variable: { name: 'PublicKey' } }],
  },
  'ocpp2.0.1 SetVariables': {
    setVariableData: [
      { ...NAMED, attributeValue: '1' },
      { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' }, attributeValue: 'secret' },
    ],
  },
  'ocpp2.0.1 SetVariableMonitoring': {
    setMonitoringData: [{ ...NAMED, type: 'UpperThreshold', severity: 1, value: 1 }],
  },
  'ocpp2.0.1 ClearVariableMonitoring': { id: [1, 2] },
  'ocpp2.0.1 GetTransactionStatus': { transactionId: 'T' },
}

const STEPS = ['installCertificate', 'setSecurityProfile', 'setNetworkProfile', 'setPriority', 'reset'] as const

/** All that we read out of an answer, whatever it was the answer to. */
function everythingRead(protocol: Protocol, call: OutgoingCall, response: Payload): unknown {
  const version = versions[protocol]
  const { intents, deviceModel, charging, localLists, costs, raiseProfile } = version
  const keys = ['a', 'b']
  return {
    transaction: version.toChargePoint[call.method]?.columns(response).transactionId,
    remote: version.readRemoteAnswer(response),
    asked: version.readAskAnswer(call, response),
    reported: version.readReported(call, response),
    password: [version.passwordStatus(call, response), version.passwordTaken(call, response)],
    profile: STEPS.map((step) => raiseProfile.answer(step, response)),
    intents: Object.values(intents).map(({ readAnswer, readBack }) => [
      readAnswer(keys, call, response),
      readBack?.found(keys, call, response),
    ]),
    report: deviceModel.readReportAnswer(response),
    values: deviceModel.readValues(call, response),
    composite: charging.readComposite(response),
    list: [localLists.readVersion(response), readListAnswer(response)],
    cost: costs.readAnswer(response),
  }
}

/** Numbers that nobody can calculate with, and places that are none. */
function nonsenseIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return [`${name}: ${value}`]
    const isPlace = name === 'evseId' || name === 'connectorId' || name === 'place'
    return isPlace && !(Number.isInteger(value) && value >= 0) ? [`${name}: ${value}`] : []
  }
  if (typeof value === 'function') return [`${name}: a function`]
  if (Array.isArray(value)) return value.flatMap((item) => nonsenseIn(item, name))
  return Object.entries(object(value)).flatMap(([member, found]) => nonsenseIn(found, member))
}

const everyCall = (['ocpp1.6', 'ocpp2.0.1'] as const).flatMap((protocol) =>
  Object.keys(versions[protocol].toChargePoint).map((method) => ({ protocol, method })),
)

describe.each(everyCall)('the answer to $method of $protocol', ({ protocol, method }) => {
  const call = { method, request: REQUESTS[`${protocol} ${method}`] ?? {} }
  const whole = wholeAnswer(protocol, call)

  it('is one by its schema as the test has it', () => {
    expect(versions[protocol].validateResponse(method, whole)).toBeUndefined()
  })

  it('OCPP-RP12: whatever it holds, reading it throws nothing and finds no nonsense', () => {
    forRuns(100)(damaged(whole), (response) => {
      expect(nonsenseIn(everythingRead(protocol, call, response))).toEqual([])
      versions[protocol].validateResponse(method, response)
      const text = mask(JSON.stringify(response), response)
      verdictOf({ status: 'success', response: text })
    })
  })
})

it('DEVICE-A1: a value of EVSE -1 was shown by the API, whose schema has none: it is of no EVSE', () => {
  const call = { method: 'GetVariables', request: {} }
  const component = { name: 'EVSE', evse: { id: -1, connectorId: 1e12 } }
  const result = { component, variable: { name: 'Power' }, attributeStatus: 'Accepted', attributeValue: '1' }
  const [reported] = versions['ocpp2.0.1'].deviceModel.readValues(call, { getVariableResult: [result] })
  expect(reported?.component).toEqual({ name: 'EVSE' })
})

it('CHARGING-S6: the greatest double, as Java has it for no limit, was infinite in watts and null in the answer', () => {
  const reported = versions['ocpp1.6'].charging.readComposite({
    status: 'Accepted',
    chargingSchedule: {
      duration: Number.MAX_VALUE,
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [{ startPeriod: Number.MAX_VALUE, limit: Number.MAX_VALUE }],
    },
  })
  expect(reported).toMatchObject({
    durationSeconds: 2 ** 31 - 1,
    periods: [{ startSeconds: 2 ** 31 - 1, limit: 1e9 }],
  })
})
