/** A session as its table holds it: columns for what is shown or looked up, one JSON text for the facts behind it. */
import type { Session } from '../../domain/ports/sessions.ts'
import { sessionRecord } from '../../domain/sessions/records.ts'
import { sessions } from '../schema/sessions.ts'
import { columnsOf } from './present.ts'

export type SessionRow = Readonly<Omit<typeof sessions.$inferSelect, 'energyAt' | 'powerMilliW'>>

type Shown = Omit<Session, 'flags'>

export const sessionColumns = (table: string): string => columnsOf(sessions, table, ['energyAt', 'powerMilliW'])

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
  const { costMicros, currency } = row
  const shown: Shown = {
    id: row.id,
    accountId: row.accountId,
    chargePointId: row.chargePointId,
    state: row.state,
    energyMilliWh: row.energyMilliWh,
    externalReference: row.externalReference ?? undefined,
    cost: costMicros === null || currency === null ? undefined : { micros: costMicros, currency },
    settlementCount: row.settlementCount ?? undefined,
    startedAt: row.startedAt ?? undefined,
    stoppedAt: row.stoppedAt ?? undefined,
    createdAt: row.createdAt,
    version: row.version,
    idToken: row.idToken ?? undefined,
  }
  return sessionRecord({ ...(JSON.parse(row.facts) as Pick<Session, 'flags'>), ...shown })
}
