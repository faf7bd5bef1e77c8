import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { damaged } from '../../test/support/ocpp/damaged.ts'
import {
  answerContext,
  answerFaults,
  anyOutcome,
  everyMessage,
  translationContext,
} from '../../test/support/ocpp/testing.ts'
import { forRuns } from '../../test/support/property.ts'
import { mask } from './mask.ts'
import type { Payload } from './translate/payload.ts'
import { versions } from './versions.ts'

describe.each(everyMessage)('$protocol $action', ({ protocol, action, request }) => {
  const version = versions[protocol]
  const message = version.fromChargePoint[action]

  it('OCPP-RP12 OCPP-DR4: any object is refused or answered by the schema, in lenient and in off mode', () => {
    const payloads = fc.oneof(
      damaged(request),
      fc.object().map((object) => object as Payload),
    )
    forRuns(150)(
      payloads,
      anyOutcome,
      fc.constantFrom('lenient' as const, 'off' as const),
      (payload, outcome, mode) => {
        const validated = version.validateCall(action, payload, mode)
        if (!validated.ok) {
          expect(message?.billing).toBe(false)
          expect(validated.description.length).toBeLessThanOrEqual(255)
          return
        }
        if (validated.schemaErrors !== undefined) expect(validated.schemaErrors.length).toBeLessThanOrEqual(255)
        const raw = JSON.stringify(payload)
        message?.input(validated.payload, translationContext(payload, raw))
        message?.columns(validated.payload, outcome, raw)
        mask(raw, payload)
        const answer = message?.answer(validated.payload, outcome, answerContext) ?? {}
        expect(answerFaults(protocol, action, answer)).toEqual([])
      },
    )
  })
})

const texts: readonly [string, string][] = [
  ['__proto__ members', '{"__proto__":{"connectorId":1},"constructor":1,"meterValue":{"__proto__":[]}}'],
  ['duplicate members', '{"connectorId":1,"connectorId":"two","transactionId":1,"transactionId":2}'],
  ['deep nesting', `{"meterValue":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['deep objects', `${'{"idToken":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  [
    'infinite numbers',
    '{"connectorId":1e400,"meterStop":-1e400,"seqNo":1e400,"transactionId":1e400,"timestamp":1e400}',
  ],
  ['huge text', `{"idTag":"${'x'.repeat(1_000_000)}","status":"${'y'.repeat(1_000_000)}"}`],
  ['a huge list', `{"meterValue":[${'{"sampledValue":[{"value":1}]},'.repeat(30_000)}1]}`],
  [
    'values that have no text',
    '{"requestId":{"toString":""},"generatedAt":"","data":"x","key":{"toString":1},"status":{"toString":1}}',
  ],
  ['lone surrogates', '{"idTag":"\\ud800","status":"\\udfff"}'],
]

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('%s', (protocol) => {
  const version = versions[protocol]

  it.each(texts)('OCPP-RP12: %s crash nothing', (_name, text) => {
    const payload = JSON.parse(text) as Payload
    for (const message of Object.values(version.fromChargePoint)) {
      for (const mode of ['strict', 'lenient', 'off'] as const) {
        const validated = version.validateCall(message.action, payload, mode)
        if (!validated.ok) continue
        message.input(validated.payload, translationContext({}, text))
        message.columns(validated.payload, {}, text)
        const answer = message.answer(validated.payload, {}, answerContext)
        expect(answerFaults(protocol, message.action, answer)).toEqual([])
      }
      expect(mask(text, payload)).toBeTypeOf('string')
    }
  })
})
