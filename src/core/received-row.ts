/** The log's row of a CALL that a charge point sent, with its answer. */
import { logIdTime } from '../domain/message-log/log-id.ts'
import type { Command } from '../domain/ports/storage.ts'
import { mask } from '../ocpp/mask.ts'
import type { Columns } from '../ocpp/version.ts'
import type { CoreContext } from './context.ts'
import type { ArrivedCall } from './inbound/read-call.ts'
import { shortMasked } from './inbound/text-row.ts'

export interface AnswerFacts {
  /** Given before it was decided upon; absent: the next one. */
  readonly id?: number
  readonly status: Command['status']
  readonly response?: string
  readonly error?: NonNullable<Command['error']>
  readonly columns?: Columns | undefined
  readonly schemaErrors?: string | undefined
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * Its id was given now, so it is not answered before it was created, whatever the clock
 * does. Optional members are added one by one: spreading them took 4 % of the core's CPU.
 */
export function commandRow(
  context: CoreContext,
  { stationId, version, frame }: ArrivedCall,
  now: number,
  { id = context.logIds.next(now), status, response, error, columns, schemaErrors }: AnswerFacts,
): Command {
  const row: Growing<Command> = {
    id,
    chargePointId: stationId,
    direction: 'in',
    method: frame.action,
    messageId: frame.messageId,
    protocol: version.protocol,
    status,
    request: frame.tooDeep ? JSON.stringify(shortMasked(frame.payloadText)) : mask(frame.payloadText, frame.payload),
    answeredAt: Math.max(now, logIdTime(id)),
  }
  if (response !== undefined) row.response = response
  if (error !== undefined) row.error = error
  if (columns?.connectorId !== undefined) row.connectorId = columns.connectorId
  if (columns?.evseId !== undefined) row.evseId = columns.evseId
  if (columns?.transactionId !== undefined) row.transactionId = columns.transactionId
  if (schemaErrors !== undefined) row.schemaErrors = schemaErrors
  return row
}
