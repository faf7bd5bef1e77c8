/** A session as its table holds it: columns for what is shown or looked up, one JSON text for the facts behind it. */
import type { Session } from '../../domain/ports/sessions.ts'
import { sessionRecord } from '../../domain/sessions/records.ts'

/** The columns as SQLite returns them (see `sessionColumns`). */
export interface SessionRow {
  readonly id: string
  readonly accountId: string
  readonly chargePointId: string
  readonly state: Session['state']
  readonly energyMilliWh: number
  readonly externalReference: string | null
  readonly costMicros: number | null
  readonly currency: string | null
  readonly settlementCount: number | null
  readonly startedAt: number | null
  readonly stoppedAt: number | null
  readonly createdAt: number
  readonly version: number
  readonly idToken: string | null
  readonly facts: string
}

type Shown = Omit<Session, 'flags'>

/** Selects a `SessionRow` from the table `sessions`, perhaps under an alias. */
export const sessionColumns = (table: string): string =>
  `${table}.id AS "id", ${table}.account_id AS "accountId", ${table}.charge_point_id AS "chargePointId", ${table}.state AS "state",
  ${table}.energy_milli_wh AS "energyMilliWh", ${table}.external_reference AS "externalReference",
  ${table}.cost_micros AS "costMicros", ${table}.currency AS "currency", ${table}.settlement_count AS "settlementCount",
  ${table}.started_at AS "startedAt", ${table}.stopped_at AS "stoppedAt", ${table}.created_at AS "createdAt",
  ${table}.version AS "version", ${table}.id_token AS "idToken", ${table}.facts AS "facts"`

export function writeSession(session: Session): SessionRow {
  const {
    id,
    accountId,
    chargePointId,
    state,
    energyMilliWh,
    externalReference,
    cost,
    settlementCount,
    startedAt,
    stoppedAt,
    createdAt,
    version,
    idToken,
    ...facts
  } = session
  return {
    id,
    accountId,
    chargePointId,
    state,
    energyMilliWh,
    externalReference: externalReference ?? null,
    costMicros: cost?.micros ?? null,
    currency: cost?.currency ?? null,
    settlementCount: settlementCount ?? null,
    startedAt: startedAt ?? null,
    stoppedAt: stoppedAt ?? null,
    createdAt,
    version,
    idToken: idToken ?? null,
    facts: JSON.stringify(facts),
  }
}

export function readSession(row: SessionRow): Session {
  const shown: Shown = {
    id: row.id,
    accountId: row.accountId,
    chargePointId: row.chargePointId,
    state: row.state,
    energyMilliWh: row.energyMilliWh,
    ...(row.externalReference !== null && { externalReference: row.externalReference }),
    ...(row.costMicros !== null &&
      row.currency !== null && { cost: { micros: row.costMicros, currency: row.currency } }),
    ...(row.settlementCount !== null && { settlementCount: row.settlementCount }),
    ...(row.startedAt !== null && { startedAt: row.startedAt }),
    ...(row.stoppedAt !== null && { stoppedAt: row.stoppedAt }),
    createdAt: row.createdAt,
    version: row.version,
    ...(row.idToken !== null && { idToken: row.idToken }),
  }
  return sessionRecord({ ...(JSON.parse(row.facts) as Pick<Session, 'flags'>), ...shown })
}
