/** Writing the log: the hottest statements of the product. */
import type { Database } from 'better-sqlite3'
import type { Command, CommandAnswer, CommandError } from '../../../domain/ports/storage.ts'
import { DIRECTIONS, STATUSES } from '../../rows/command-row.ts'
import { SEARCH_ENTRY } from '../../rows/search-entry.ts'
import type { LogNames } from '../rows/dictionary.ts'

export interface CommandWriter {
  readonly insert: (command: Command) => void
  readonly answer: (chargePointId: string, answer: CommandAnswer) => void
}

export function commandWriter(db: Database, names: LogNames): CommandWriter {
  const insert = db.prepare(`INSERT INTO commands (id, charge_point, direction, method, message_id, protocol,
    connector_id, evse_id, transaction_id, status, request, response, error, answered_at, schema_errors)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const answer = db.prepare(`UPDATE commands SET status = ?, response = ?, error = ?, answered_at = ?,
    transaction_id = coalesce(?, transaction_id), schema_errors = ? WHERE id = ?`)
  const indexAgain = db.prepare(`REPLACE INTO commands_search SELECT ${SEARCH_ENTRY} FROM commands
    WHERE id = ? AND EXISTS (SELECT 1 FROM commands_search WHERE charge_point = ? AND id = ?)`)
  return {
    insert: (command) => {
      insert.run(
        command.id,
        names.chargePoint(command.chargePointId),
        DIRECTIONS.indexOf(command.direction),
        names.method(command.method),
        command.messageId,
        names.protocol(command.protocol),
        command.connectorId ?? null,
        command.evseId ?? null,
        command.transactionId ?? null,
        STATUSES.indexOf(command.status),
        command.request,
        command.response ?? null,
        errorText(command.error),
        command.answeredAt ?? null,
        command.schemaErrors ?? null,
      )
    },
    // A row that retention removed meanwhile is not missed, nor one whose entry in the search is still to come.
    answer: (chargePointId, given) => {
      answer.run(
        STATUSES.indexOf(given.status),
        given.response ?? null,
        errorText(given.error),
        given.answeredAt ?? null,
        given.transactionId ?? null,
        given.schemaErrors ?? null,
        given.id,
      )
      indexAgain.run(given.id, names.chargePoint(chargePointId), given.id)
    },
  }
}

function errorText(error: CommandError | undefined): string | null {
  return error === undefined ? null : JSON.stringify(error)
}
