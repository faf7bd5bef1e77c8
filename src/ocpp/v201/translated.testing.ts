/** One message of the table, put through both of its directions. */
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { Payload } from '../payload.ts'
import { answerContext, translationContext } from '../testing.ts'
import { inbound } from './inbound.ts'

export function translate(action: string, request: Payload, raw?: string): Input {
  const message = inbound[action]
  if (!message) throw new Error(`${action} has no row.`)
  return message.input(request, translationContext(request, raw))
}

export function answer(action: string, request: Payload, outcome: Outcome): Payload {
  return inbound[action]?.answer(request, outcome, answerContext) ?? {}
}
