/** A log row as its table holds it, and the way back to the record. */
import type { Command, CommandError, CommandStatus } from '../../domain/ports/storage.ts'

/** Position = stored number; append only. */
export const STATUSES: readonly CommandStatus[] = ['pending', 'success', 'error', 'timeout', 'dropped']
export const PENDING = 0
export const DROPPED = 4
export const DIRECTIONS: readonly Command['direction'][] = ['in', 'out']
export const OUT = 1

/** What `COMMAND_COLUMNS` selects; whose log it was is known. */
export interface CommandRow {
  readonly id: number
  readonly direction: number
  readonly method: string
  readonly messageId: string
  readonly protocol: string
  readonly connectorId: number | null
  readonly evseId: number | null
  readonly transactionId: string | null
  readonly status: number
  readonly request: string
  readonly response: string | null
  readonly error: string | null
  readonly answeredAt: number | null
  readonly schemaErrors: string | null
}

/** For `FROM commands AS command`; the names come from the dictionaries. */
export const COMMAND_COLUMNS = `command.id, command.direction, command.message_id AS "messageId",
  (SELECT name FROM log_methods WHERE key = command.method) AS method,
  (SELECT name FROM log_protocols WHERE key = command.protocol) AS protocol,
  command.connector_id AS "connectorId", command.evse_id AS "evseId", command.transaction_id AS "transactionId",
  command.status, command.request, command.response, command.error, command.answered_at AS "answeredAt",
  command.schema_errors AS "schemaErrors"`

export function readCommand(row: CommandRow, chargePointId: string): Command {
  return {
    id: row.id,
    chargePointId,
    direction: DIRECTIONS[row.direction] ?? 'in',
    method: row.method,
    messageId: row.messageId,
    protocol: row.protocol,
    connectorId: row.connectorId ?? undefined,
    evseId: row.evseId ?? undefined,
    transactionId: row.transactionId ?? undefined,
    status: STATUSES[row.status] ?? 'dropped',
    request: row.request,
    response: row.response ?? undefined,
    error: row.error === null ? undefined : (JSON.parse(row.error) as CommandError),
    answeredAt: row.answeredAt ?? undefined,
    schemaErrors: row.schemaErrors ?? undefined,
  }
}
