/** What the tests of both versions share: every message with a valid request, contexts, and outcomes to answer from. */

import fc from 'fast-check'
import type { Protocol } from '../../../src/domain/ports/core.ts'
import type { Outcome } from '../../../src/domain/ports/sessions.ts'
import { validatorFor } from '../../../src/ocpp/schema/validators.ts'
import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { AnswerContext, TranslationContext } from '../../../src/ocpp/version.ts'
import { versions } from '../../../src/ocpp/versions.ts'
import { requests as requests16 } from './v16/testing.ts'
import { requests as requests21 } from './v21/testing.ts'
import { requests as requests201 } from './v201/testing.ts'

export const RECEIVED_AT = Date.parse('2026-03-01T11:00:05.000Z')

export const answerContext: AnswerContext = { now: RECEIVED_AT, heartbeatIntervalSeconds: 300, bootRetrySeconds: 60 }

export function translationContext(payload: unknown, raw = JSON.stringify(payload)): TranslationContext {
  return { receivedAt: RECEIVED_AT, raw, digest: (facts = raw) => `digest of ${facts.length}`, messageId: 'M1' }
}

export const everyMessage: readonly { protocol: Protocol; action: string; request: Payload }[] = [
  ...Object.entries(requests16).map(([action, request]) => ({ protocol: 'ocpp1.6' as const, action, request })),
  ...Object.entries(requests201).map(([action, request]) => ({ protocol: 'ocpp2.0.1' as const, action, request })),
  ...Object.entries(requests21).map(([action, request]) => ({ protocol: 'ocpp2.1' as const, action, request })),
]

/** What the official schema says against an answer; empty when nothing. */
export function answerFaults(protocol: Protocol, action: string, answer: Payload): readonly unknown[] {
  if (versions[protocol].fromChargePoint[action]?.isSend) return []
  const validate = validatorFor(protocol, action, 'conf', 'outgoing')
  if (!validate) return [`no schema for ${action}`]
  // What leaves is text: undefined members are gone then.
  return validate(JSON.parse(JSON.stringify(answer))) ? [] : (validate.errors ?? [])
}

const authorisation = fc.record(
  {
    status: fc.constantFrom('Accepted', 'Blocked', 'Expired', 'Invalid', 'Unknown', 'ConcurrentTx', 'NoCredit'),
    expiresAt: fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.double()),
    groupId: fc.string({ maxLength: 60 }),
  },
  { requiredKeys: ['status'] },
)

export const anyOutcome = fc.record(
  {
    authorisation,
    transactionId: fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(String),
    registration: fc.constantFrom('Accepted', 'Pending', 'Rejected'),
    totalCost: fc.nat(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Outcome>
