import { describe, expect, it } from 'vitest'
import {
  answerContext,
  answerFaults,
  anyOutcome,
  everyMessage,
  translationContext,
} from '../../test/support/ocpp/testing.ts'
import { forRuns } from '../../test/support/property.ts'
import { schemaActions } from './schema/schemas.ts'
import { PROTOCOLS, versions } from './versions.ts'

describe.each(PROTOCOLS)('%s', (protocol) => {
  const version = versions[protocol]
  const inboundActions = Object.keys(version.fromChargePoint)
  const outboundActions = Object.keys(version.toChargePoint)

  it('OCPP-MS3: both tables together are exactly the actions of the official schemas', () => {
    const all = new Set<string>([...inboundActions, ...outboundActions])
    expect([...all].sort()).toEqual([...schemaActions(protocol)].sort())
    expect(inboundActions.filter((action) => outboundActions.includes(action))).toEqual(['DataTransfer'])
  })

  it('OCPP-MS3: every row has its own name', () => {
    for (const [action, message] of Object.entries(version.fromChargePoint)) expect(message.action).toBe(action)
    for (const [action, message] of Object.entries(version.toChargePoint)) expect(message.action).toBe(action)
  })

  it('OCPP21-D2: unknown actions are not implemented, those of the other side not supported', () => {
    for (const action of inboundActions) expect(version.refuseAction(action)).toBeUndefined()
    for (const action of outboundActions) {
      expect(version.refuseAction(action)).toBe(action === 'DataTransfer' ? undefined : 'NotSupported')
    }
    for (const action of ['Nonsense', '', 'heartbeat', '__proto__', 'constructor', 'toString', 'x'.repeat(1e6)]) {
      expect(version.refuseAction(action)).toBe('NotImplemented')
    }
  })

  it('SESSION-O4, CERT-C15: while pending only configuration, certificates, reports and triggers may be sent', () => {
    const allowed = Object.values(version.toChargePoint).filter((message) => message.allowedWhilePending)
    expect(allowed.map((message) => message.action).toSorted()).toEqual(
      protocol === 'ocpp1.6'
        ? ['CertificateSigned', 'ChangeConfiguration', 'ExtendedTriggerMessage', 'GetConfiguration', 'TriggerMessage']
        : ['CertificateSigned', 'GetBaseReport', 'GetReport', 'GetVariables', 'SetVariables', 'TriggerMessage'],
    )
  })

  it('OCPP-DR4: exactly the messages that carry energy are billing messages, and they need nothing', () => {
    const billing = Object.values(version.fromChargePoint).filter((message) => message.billing)
    expect(billing.map((message) => message.action).sort()).toEqual(
      protocol === 'ocpp1.6'
        ? ['MeterValues', 'StartTransaction', 'StopTransaction']
        : ['MeterValues', 'TransactionEvent'],
    )
    expect(billing.flatMap((message) => message.needs)).toEqual([])
  })

  it('OCPP-RP6: only messages that speak of the present are never answered from memory', () => {
    const fresh = Object.values(version.fromChargePoint).filter((message) => !message.repeatable)
    expect(fresh.map((message) => message.action)).toEqual([
      'BootNotification',
      'Heartbeat',
      'Authorize',
      'StatusNotification',
      ...(protocol === 'ocpp2.1' ? ['GetCertificateChainStatus', 'PullDynamicScheduleUpdate'] : []),
    ])
  })
})

describe.each(everyMessage)('$protocol $action', ({ protocol, action, request }) => {
  const version = versions[protocol]
  const message = version.fromChargePoint[action]

  it.each(['strict', 'lenient', 'off'] as const)('a realistic request passes %s unchanged', (mode) => {
    const validated = version.validateCall(action, request, mode)
    expect(validated).toEqual({ ok: true, payload: request })
    expect(validated.ok && validated.payload).toBe(request)
  })

  it('OCPP-RP13, OCPP21-D1: whatever was decided, the answer passes the official schema', () => {
    forRuns(50)(anyOutcome, (outcome) => {
      const answer = message?.answer(request, outcome, answerContext) ?? {}
      expect(answerFaults(protocol, action, answer)).toEqual([])
    })
  })

  it('is translated', () => {
    expect(message?.input(request, translationContext(request)).kind).toBeTypeOf('string')
  })
})
