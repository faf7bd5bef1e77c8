/** Rows as PostgreSQL gives them, also inside JSON, as the records of the port. */
import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { IdToken } from '../../../domain/ports/id-tokens.ts'
import type { FrozenTariff, Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChargePoint, ConnectorView } from '../../../domain/ports/storage.ts'
import type { Declaration } from '../../../domain/records/record.ts'
import { type RowValue, recordOf } from '../../../domain/records/record-row.ts'
import type { RecordKind, RecordPut } from '../../../domain/records/records.ts'
import { sqlColumns } from '../../record-sql.ts'
import { readSession, type SessionRow } from '../../rows/session-row.ts'
import { readTransaction, type TransactionRow } from '../../rows/transaction-row.ts'
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
  return byTable(chargePoints, row) as unknown as ChargePoint
}

export function idTokenOf(row: Row): IdToken {
  return byTable(idTokens, row) as unknown as IdToken
}

export function connectorOf(row: Row): ConnectorView {
  const { chargePointId: _, connectorKey: __, ...connector } = byTable(connectors, row)
  return connector as unknown as ConnectorView
}

export function tariffOf(row: Row): FrozenTariff {
  return {
    tariffId: row.id as string,
    version: row.version as number,
    currency: row.currency as string,
    perKwhMicros: row.per_kwh_micros as number,
    perMinuteMicros: row.per_minute_micros as number,
    perSessionMicros: row.per_session_micros as number,
    idlePerMinuteMicros: row.idle_per_minute_micros as number,
  }
}

export function recordPutOf(declaration: Declaration, row: Row): RecordPut {
  const values = sqlColumns(declaration, 'postgres').map(({ name }) => row[name] as RowValue)
  return { kind: declaration.name as RecordKind, put: recordOf(declaration, values) } as unknown as RecordPut
}

/** NULL is left out: absent, never null (API-B1). */
function byTable(table: SQLiteTable, row: Row): Row {
  const members = Object.entries(getTableColumns(table)).flatMap(([member, column]) => {
    const value = row[column.name]
    return value === null || value === undefined ? [] : [[member, column.mapFromDriverValue(value)]]
  })
  return Object.fromEntries(members) as Row
}

function camel(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}
