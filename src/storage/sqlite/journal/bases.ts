/**
 * Documents that the journal holds in full, directly or through differences, in rows that outlive the last flush. On
 * that
 * a message can be decided again (STORE-J6), and differences suffice.
 */
import type { ChangeSet, DecidedBy } from '../../../domain/ports/storage-records.ts'
import { connectorKey } from '../../../domain/sessions/records.ts'

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
