import type { Command, CommandError, CommandStatus } from '../../domain/ports/storage-records.ts'

/** Position = stored number; append only. */
export const STATUSES: readonly CommandStatus[] = ['pending', 'success', 'error', 'timeout', 'dropped']
export const PENDING = 0
export const DROPPED = 4
export const DIRECTIONS: readonly Command['direction'][] = ['in', 'out']
export const OUT = 1

/** Columns of `COMMAND_COLUMNS`, without those of the charge point. */
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
    ...(row.connectorId !== null && { connectorId: row.connectorId }),
    ...(row.evseId !== null && { evseId: row.evseId }),
    ...(row.transactionId !== null && { transactionId: row.transactionId }),
    status: STATUSES[row.status] ?? 'dropped',
    request: row.request,
    ...(row.response !== null && { response: row.response }),
    ...(row.error !== null && { error: JSON.parse(row.error) as CommandError }),
    ...(row.answeredAt !== null && { answeredAt: row.answeredAt }),
    ...(row.schemaErrors !== null && { schemaErrors: row.schemaErrors }),
  }
}

/**
 * A log row's entry in the search (schema/commands.ts). Transaction ids are texts; plain integers are stored in the
 * search as integers: ranges compare them without reading a text digit by digit, and lists without comparing
 * texts at all. Fifteen digits are exact in JavaScript as well.
 */
const PLAIN_DIGITS = 15

/** For `INSERT INTO commands_search SELECT ${SEARCH_ENTRY} FROM commands …`. */
export const SEARCH_ENTRY = `charge_point, id, method, connector_id,
  CASE WHEN length(transaction_id) <= ${PLAIN_DIGITS} AND CAST(CAST(transaction_id AS INTEGER) AS TEXT) = transaction_id
    THEN CAST(transaction_id AS INTEGER) ELSE transaction_id END,
  status, schema_errors IS NOT NULL`

export function searchedTransaction(transactionId: string): string | number {
  const isPlain = transactionId.length <= PLAIN_DIGITS && /^(?:0|-?[1-9][0-9]*)$/.test(transactionId)
  return isPlain ? Number(transactionId) : transactionId
}
