/** PostgreSQL columns for what SQLite finds in a document (schema/tables.ts). */
import type { Session, Transaction } from '../../../domain/ports/sessions.ts'

/** Of closed ones alone: while it runs, only the document changes and no index is touched. */
export function transactionPlace({
  open,
  evseId,
  connectorId,
  startedAt,
}: Pick<Transaction, 'open' | 'evseId' | 'connectorId' | 'startedAt'>) {
  return {
    outlet: open ? undefined : whole(evseId ?? connectorId),
    occurredAt: open ? undefined : whole(startedAt.occurredAt),
  }
}

export function sessionSigns({
  state,
  endReason,
  remoteStart,
  figuresDueAt,
  settlementDueAt,
}: Pick<Session, 'state' | 'endReason' | 'remoteStart' | 'figuresDueAt' | 'settlementDueAt'>) {
  const isOver = state === 'completed' || state === 'failed'
  const isOverdue = state === 'failed' && (endReason === 'expired' || endReason === 'cancelled')
  const start = isOverdue && !remoteStart?.matched ? remoteStart : undefined
  return {
    overdueNumber: whole(start?.remoteStartId),
    overdueToken: start?.virtualIdToken,
    clockWaits: isOver && (figuresDueAt ?? settlementDueAt) !== undefined ? 1 : undefined,
  }
}

function whole(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined
}
