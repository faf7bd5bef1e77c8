/** One message of the table, put through both of its directions. */
import type { Outcome } from '../../../../src/domain/ports/sessions.ts'
import type { Input } from '../../../../src/domain/sessions/decision.ts'
import type { InboundMessage } from '../../../../src/ocpp/translate/message.ts'
import type { Payload } from '../../../../src/ocpp/translate/payload.ts'
import { inbound } from '../../../../src/ocpp/v201/inbound.ts'
import { answerContext, translationContext } from '../testing.ts'

const messages: Readonly<Record<string, InboundMessage>> = inbound

export function translate(action: string, request: Payload, raw?: string): Input {
  const message = messages[action]
  if (!message) throw new Error(`${action} has no row.`)
  return message.input(request, translationContext(request, raw))
}

export function answer(action: string, request: Payload, outcome: Outcome): Payload {
  return messages[action]?.answer(request, outcome, answerContext) ?? {}
}
