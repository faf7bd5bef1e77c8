/**
 * Writing what has versions: the newest one replaces what its table holds, when the journal is folded.
 */

import type { Database } from 'better-sqlite3'
import type { ChargePointStatus, Connector, Session, Transaction } from '../../../ports/sessions.ts'
import { connectorKey } from '../../../sessions/connector-key.ts'
import { writeSession } from '../rows/session-row.ts'
import { writeTransaction } from '../rows/transaction-row.ts'
import type { PendingOfChargePoint } from './pending-documents.ts'

export interface DocumentWriters {
  readonly status: (chargePointId: string, status: ChargePointStatus) => void
  readonly connector: (chargePointId: string, connector: Connector) => void
  readonly transaction: (transaction: Transaction) => void
  readonly session: (session: Session) => void
}

export function documentWriters(db: Database): DocumentWriters {
  return {
    status: statusWriter(db),
    connector: connectorWriter(db),
    transaction: transactionWriter(db),
    session: sessionWriter(db),
  }
}

/** The newest versions of all that a charge point has. */
export function writeDocuments(writers: DocumentWriters, chargePointId: string, documents: PendingOfChargePoint): void {
  const { status, connectors, transactions, sessions } = documents
  if (status) writers.status(chargePointId, status)
  for (const connector of connectors.values()) writers.connector(chargePointId, connector)
  for (const transaction of transactions.values()) writers.transaction(transaction)
  for (const session of sessions.values()) writers.session(session)
}

/** Status and connectors of a charge point deleted a moment ago must not wait for whoever takes its name next. */
const WHILE_REGISTERED = 'WHERE EXISTS (SELECT 1 FROM charge_points WHERE id = ?)'

function statusWriter(db: Database): (chargePointId: string, status: ChargePointStatus) => void {
  const put = db.prepare(`INSERT INTO charge_point_statuses (charge_point_id, document) SELECT ?, ? ${WHILE_REGISTERED}
    ON CONFLICT DO UPDATE SET document = excluded.document`)
  return (chargePointId, status) => put.run(chargePointId, JSON.stringify(status), chargePointId)
}

function connectorWriter(db: Database): (chargePointId: string, connector: Connector) => void {
  const put = db.prepare(`INSERT INTO connectors
    (charge_point_id, connector_key, evse_id, connector_id, status, error_code, updated_at)
    SELECT ?, ?, ?, ?, ?, ?, ? ${WHILE_REGISTERED}
    ON CONFLICT DO UPDATE SET status = excluded.status, error_code = excluded.error_code, updated_at = excluded.updated_at`)
  return (chargePointId, { evseId, connectorId, status, errorCode, updatedAt }) =>
    put.run(
      chargePointId,
      connectorKey(evseId, connectorId),
      evseId ?? null,
      connectorId,
      status,
      errorCode ?? null,
      updatedAt,
      chargePointId,
    )
}

/**
 * An UPDATE that names an indexed column writes its indices anew, changed or not. While a transaction runs only its
 * document changes, so that is tried first.
 */
function transactionWriter(db: Database): (transaction: Transaction) => void {
  const update = db.prepare(`UPDATE transactions SET document = ?
    WHERE charge_point_id = ? AND transaction_id = ? AND open = 1 AND session_id = ? AND start_key IS ?`)
  const put = db.prepare(`INSERT INTO transactions
    (charge_point_id, transaction_id, start_key, session_id, open, document) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET start_key = excluded.start_key, session_id = excluded.session_id, open = excluded.open,
      document = excluded.document`)
  return (transaction) => {
    const { chargePointId, transactionId, sessionId, startKey = null, open } = transaction
    const document = writeTransaction(transaction)
    const running = open && update.run(document, chargePointId, transactionId, sessionId, startKey).changes > 0
    if (!running) put.run(chargePointId, transactionId, startKey, sessionId, open ? 1 : 0, document)
  }
}

/** Likewise: while state, reference, card and facts stay, no index is touched. */
function sessionWriter(db: Database): (session: Session) => void {
  const update = db.prepare(`UPDATE sessions SET energy_milli_wh = ?, cost_micros = ?, currency = ?,
      settlement_count = ?, started_at = ?, stopped_at = ?, version = ?
    WHERE id = ? AND external_reference IS ? AND id_token IS ? AND state = ? AND facts = ?`)
  // Account, charge point and creation never change: left out of the update, their indices are not written again.
  const put = db.prepare(`INSERT INTO sessions (energy_milli_wh, cost_micros, currency, settlement_count, started_at,
      stopped_at, version, id, external_reference, id_token, state, facts, account_id, charge_point_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, energy_milli_wh = excluded.energy_milli_wh,
      external_reference = excluded.external_reference, cost_micros = excluded.cost_micros,
      currency = excluded.currency, settlement_count = excluded.settlement_count, started_at = excluded.started_at,
      stopped_at = excluded.stopped_at, version = excluded.version, id_token = excluded.id_token,
      facts = excluded.facts`)
  return (session) => {
    const row = writeSession(session)
    const changing = [
      row.energyMilliWh,
      row.costMicros,
      row.currency,
      row.settlementCount,
      row.startedAt,
      row.stoppedAt,
      row.version,
      row.id,
      row.externalReference,
      row.idToken,
      row.state,
      row.facts,
    ]
    // Figures change while it charges; in other states it is nearly always the state that changed.
    const moved = row.state === 'charging' && update.run(...changing).changes > 0
    if (!moved) put.run(...changing, row.accountId, row.chargePointId, row.createdAt)
  }
}
