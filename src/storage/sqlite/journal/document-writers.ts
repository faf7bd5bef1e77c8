/** Writes versioned documents: the newest one replaces the table's row, when the journal is flushed. */

import type { Database } from 'better-sqlite3'
import type { ChargePointStatus, Connector, Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChangeSet, DecidedBy } from '../../../domain/ports/storage-records.ts'
import { connectorKey } from '../../../domain/sessions/records.ts'
import { eventStatements, type StoredEvent } from '../../cold/webhooks/record-event.ts'
import {
  type Counted,
  countEnergy,
  type EnergyPoint,
  type EnergySlots,
  type KnownEnergy,
} from '../../documents/energy-slots.ts'
import { type PendingOfChargePoint, powerOf } from '../../documents/pending-documents.ts'
import { writeSession, writeTransaction } from '../../rows/transaction-row.ts'
import { sqliteDialect } from '../dialect.ts'
import { recordWriter } from './apply-change-set.ts'

export type DocumentWriters = ReturnType<typeof documentWriters>

export function documentWriters(db: Database) {
  return {
    status: statusWriter(db),
    connector: connectorWriter(db),
    transaction: transactionWriter(db),
    session: sessionWriter(db),
    record: recordWriter(db),
    event: placedEventWriter(db),
    slots: slotWriter(db),
  }
}

/** @param slots gains the sessions' energy, to be written in the same transaction (CONSOLE-A3) */
export function writeDocuments(
  writers: DocumentWriters,
  chargePointId: string,
  documents: PendingOfChargePoint,
  slots: EnergySlots,
): void {
  for (const session of documents.sessions.values()) writeSessionOf(writers, documents, session, slots)
  writeOthers(writers, chargePointId, documents)
}

/** The transactions among the documents have the latest reported power. */
export function writeSessionOf(
  writers: DocumentWriters,
  { courses, transactions }: PendingOfChargePoint,
  session: Session,
  slots: EnergySlots,
): void {
  writers.session(session, courses.get(session.id) ?? [], powerOf(session, transactions), slots)
}

export function writeOthers(writers: DocumentWriters, chargePointId: string, documents: PendingOfChargePoint): void {
  const { status, connectors, transactions, records } = documents
  if (status) writers.status(chargePointId, status)
  for (const connector of connectors.values()) writers.connector(chargePointId, connector)
  for (const transaction of transactions.values()) writers.transaction(transaction)
  for (const change of records.values()) writers.record(change)
}

/** A deleted charge point's status and connectors must not wait for the next owner of its name. */
const WHILE_REGISTERED = 'WHERE EXISTS (SELECT 1 FROM charge_points WHERE id = ?)'

function statusWriter(db: Database): (chargePointId: string, status: ChargePointStatus) => void {
  const put = db.prepare(`INSERT INTO charge_point_statuses (charge_point_id, document) SELECT ?, ? ${WHILE_REGISTERED}
    ON CONFLICT DO UPDATE SET document = excluded.document`)
  return (chargePointId, status) => put.run(chargePointId, JSON.stringify(status), chargePointId)
}

function connectorWriter(db: Database): (chargePointId: string, connector: Connector) => void {
  // On the right side of SET are the earlier values.
  const put = db.prepare(`INSERT INTO connectors (charge_point_id, connector_key, evse_id, connector_id, status,
      error_code, vendor_error_code, info, updated_at)
    SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? ${WHILE_REGISTERED}
    ON CONFLICT DO UPDATE SET status = excluded.status, error_code = excluded.error_code,
      vendor_error_code = excluded.vendor_error_code, info = excluded.info, updated_at = excluded.updated_at,
      since = CASE WHEN status = excluded.status AND error_code IS excluded.error_code
        THEN nullif(coalesce(since, updated_at), excluded.updated_at) END`)
  return (chargePointId, { evseId, connectorId, status, errorCode, vendorErrorCode, info, updatedAt }) =>
    put.run(
      chargePointId,
      connectorKey(evseId, connectorId),
      evseId ?? null,
      connectorId,
      status,
      errorCode ?? null,
      vendorErrorCode ?? null,
      info ?? null,
      updatedAt,
      chargePointId,
    )
}

/** An UPDATE naming an indexed column rewrites its indices; a running transaction changes only its document. */
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

/**
 * Likewise: while state, reference, card and facts stay, no index is touched. `points`: the course of its energy since
 * it was last placed, counted into `slots`.
 */
function sessionWriter(db: Database) {
  const update = db.prepare(`UPDATE sessions SET energy_milli_wh = ?, cost_micros = ?, currency = ?,
      settlement_count = ?, started_at = ?, stopped_at = ?, version = ?, energy_at = ?, power_milli_w = ?
    WHERE id = ? AND external_reference IS ? AND id_token IS ? AND state = ? AND facts = ?`)
  // Account, charge point and creation never change: left out of the update, their indices are not written again.
  const put = db.prepare(`INSERT INTO sessions (energy_milli_wh, cost_micros, currency, settlement_count, started_at,
      stopped_at, version, energy_at, power_milli_w, id, external_reference, id_token, state, facts, account_id,
      charge_point_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, energy_milli_wh = excluded.energy_milli_wh,
      external_reference = excluded.external_reference, cost_micros = excluded.cost_micros,
      currency = excluded.currency, settlement_count = excluded.settlement_count, started_at = excluded.started_at,
      stopped_at = excluded.stopped_at, version = excluded.version, energy_at = excluded.energy_at,
      power_milli_w = excluded.power_milli_w, id_token = excluded.id_token, facts = excluded.facts`)
  const known = db.prepare<[string], KnownEnergy>(
    `SELECT energy_milli_wh AS milliWh, energy_at AS energyAt, power_milli_w AS powerMilliW FROM sessions WHERE id = ?`,
  )
  return (session: Session, points: readonly EnergyPoint[], power: number | undefined, slots: EnergySlots): void => {
    const row = writeSession(session)
    const { energyAt, powerMilliW }: Counted = countEnergy(session, known.get(session.id), points, power, slots)
    const changing = [
      row.energyMilliWh,
      row.costMicros,
      row.currency,
      row.settlementCount,
      row.startedAt,
      row.stoppedAt,
      row.version,
      energyAt,
      powerMilliW,
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

function placedEventWriter(db: Database) {
  const place = db.prepare<unknown[]>(eventStatements(sqliteDialect).place)
  return (event: StoredEvent): void => {
    place.run(...event)
  }
}

function slotWriter(db: Database): (slots: EnergySlots) => void {
  const add = db.prepare(`INSERT INTO energy_slots (account_id, slot, milli_wh) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET milli_wh = milli_wh + excluded.milli_wh`)
  return (slots) => {
    for (const entry of slots.entries()) add.run(...entry)
  }
}

/**
 * Documents that the journal holds in full, directly or through differences, in rows that outlive the last flush. On
 * that a message can be decided again (STORE-J6), and differences suffice.
 */
export interface BasesOfChargePoint {
  status: boolean
  readonly connectors: Set<string>
  readonly transactions: Set<string>
  readonly sessions: Set<string>
}

type Documents = Pick<ChangeSet, 'chargePointId' | 'connectors' | 'transactions' | 'sessions'>

export class Bases {
  readonly #ofChargePoint = new Map<string, BasesOfChargePoint>()
  /** The settings of decisions, as the rows say. */
  settings: DecidedBy['settings'] | undefined

  of(chargePointId: string): BasesOfChargePoint | undefined {
    return this.#ofChargePoint.get(chargePointId)
  }

  /** After writing an entry. @param status whether with the charge point's */
  note({ chargePointId, connectors = NONE, transactions = NONE, sessions = NONE }: Documents, status: boolean): void {
    let known = this.#ofChargePoint.get(chargePointId)
    if (!known) {
      known = { status: false, connectors: new Set(), transactions: new Set(), sessions: new Set() }
      this.#ofChargePoint.set(chargePointId, known)
    }
    if (status) known.status = true
    for (const { evseId, connectorId } of connectors) known.connectors.add(connectorKey(evseId, connectorId))
    for (const { transactionId } of transactions) known.transactions.add(transactionId)
    for (const { id } of sessions) known.sessions.add(id)
  }

  /** The rows so far are about to go, or are gone. */
  clear(): void {
    this.#ofChargePoint.clear()
    this.settings = undefined
  }
}

const NONE: readonly never[] = []

/** Whether the journal holds the earlier versions of the documents that it changes. */
export function holds(bases: BasesOfChargePoint, set: Documents): boolean {
  const { connectors = NONE, transactions = NONE, sessions = NONE } = set
  for (const { transactionId } of transactions) if (!bases.transactions.has(transactionId)) return false
  for (const { id } of sessions) if (!bases.sessions.has(id)) return false
  for (const { evseId, connectorId } of connectors)
    if (!bases.connectors.has(connectorKey(evseId, connectorId))) return false
  return true
}
