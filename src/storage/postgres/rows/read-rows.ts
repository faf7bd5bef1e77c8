import { createHash } from 'node:crypto'
import type { IdToken } from '../../../domain/ports/id-tokens.ts'
import type { FrozenTariff, Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChargePoint, ConnectorView } from '../../../domain/ports/storage-records.ts'
import type { Declaration } from '../../../domain/records/record.ts'
import { type RowValue, recordOf } from '../../../domain/records/record-row.ts'
import type { RecordKind, RecordPut } from '../../../domain/records/records.ts'
import { frozenTariff } from '../../cold/id-tokens.ts'
import { sqlColumns } from '../../record-sql.ts'
import { searchedTransaction } from '../../rows/command-row.ts'
import { readRow } from '../../rows/present.ts'
import { readSession, readTransaction, type SessionRow, type TransactionRow } from '../../rows/transaction-row.ts'
import { idTokens } from '../../schema/accounts.ts'
import { chargePoints, connectors } from '../../schema/charge-points.ts'

export type Row = Readonly<Record<string, unknown>>

export function sessionOf(row: Row): Session {
  return readSession(camel(row) as unknown as SessionRow)
}

export function transactionOf(row: Row): Transaction {
  return readTransaction(camel(row) as unknown as TransactionRow)
}

export function chargePointOf(row: Row): ChargePoint {
  return readRow(chargePoints, camel(row))
}

export function idTokenOf(row: Row): IdToken {
  return readRow(idTokens, camel(row))
}

export function connectorOf(row: Row): ConnectorView {
  const { chargePointId: _, connectorKey: __, ...connector } = readRow(connectors, camel(row))
  return connector
}

export function tariffOf(row: Row): FrozenTariff {
  return frozenTariff({ tariffId: row.id, ...camel(row) })
}

export function recordPutOf(declaration: Declaration, row: Row): RecordPut {
  const values = sqlColumns(declaration).map(({ name }) => row[name] as RowValue)
  return { kind: declaration.name as RecordKind, put: recordOf(declaration, values) } as unknown as RecordPut
}

function camel(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}

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

/** Transaction ids in the search: plain integers as numbers, others as text, decimal texts with a number beside. */
interface SearchedTransaction {
  /** Text where JavaScript cannot represent the number. */
  readonly number: number | string | null
  readonly text: string | null
}

const DIGITS = /^-?[0-9]+$/
/** PostgreSQL's greatest and least integer: longer numbers still compare as large ones. */
const GREATEST = 2n ** 63n - 1n
const LEAST = -(2n ** 63n)
/** An index entry holds no more than some kilobytes; a transaction id may be longer (law 7). */
const LONGEST = 200
/** Reading long numbers digit by digit takes long; the greatest one has nineteen digits. */
const MAX_DIGITS = 40

export function searchedAs(transactionId: string | undefined): SearchedTransaction {
  if (transactionId === undefined) return { number: null, text: null }
  const spelled = searchedTransaction(transactionId)
  if (typeof spelled === 'number') return { number: spelled, text: null }
  return { number: DIGITS.test(spelled) ? saturated(spelled) : null, text: indexed(spelled) }
}

function saturated(digits: string): string {
  if (digits.replace(/^-?0*/, '').length > MAX_DIGITS) return String(digits.startsWith('-') ? LEAST : GREATEST)
  const value = BigInt(digits)
  return String(value > GREATEST ? GREATEST : value < LEAST ? LEAST : value)
}

/** The digest is behind a character that no text begins with, so nothing else is equal to it. */
function indexed(text: string): string {
  if (text.length <= LONGEST) return text
  return `\u{10FFFF}${createHash('sha256').update(text).digest('hex')}`
}
