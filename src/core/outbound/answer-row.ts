import type { CommandAnswer } from '../../domain/ports/storage.ts'
import { mask } from '../../ocpp/mask.ts'
import { maskText } from '../../ocpp/mask-text.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CallOutcome } from './call-outcome.ts'
import type { QueuedCall } from './outgoing-queue.ts'

export function answerRow(
  version: OcppVersion,
  { stored: { id }, call }: QueuedCall,
  outcome: CallOutcome,
  answeredAt: number,
): CommandAnswer {
  if (outcome.status === 'success') {
    // OCPP-LG3: makes a remote start's row searchable by the transaction in its answer.
    const { transactionId } = version.toChargePoint[call.method]?.columns(object(outcome.payload)) ?? {}
    const schemaErrors = version.validateResponse(call.method, outcome.payload)
    return {
      id,
      status: 'success',
      response: mask(outcome.payloadText, outcome.payload),
      answeredAt,
      transactionId,
      schemaErrors,
    }
  }
  if (outcome.status === 'error') {
    // OCPP-LG5: some stations echo what they refuse.
    const description = maskText(outcome.description)
    const masked = mask(JSON.stringify(outcome.details), outcome.details)
    const error = { code: outcome.code, description, details: JSON.parse(masked) as unknown }
    return { id, status: 'error', error, answeredAt }
  }
  return { id, status: outcome.status }
}
