import type { IdToken } from '../../../domain/ports/id-tokens.ts'
import type { FrozenTariff, Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChargePoint, ConnectorView } from '../../../domain/ports/storage.ts'
import type { Declaration } from '../../../domain/records/record.ts'
import { type RowValue, recordOf } from '../../../domain/records/record-row.ts'
import type { RecordKind, RecordPut } from '../../../domain/records/records.ts'
import { frozenTariff } from '../../cold/webhooks/tariffs.ts'
import { sqlColumns } from '../../record-sql.ts'
import { readRow } from '../../rows/present.ts'
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
  const values = sqlColumns(declaration, 'postgres').map(({ name }) => row[name] as RowValue)
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
