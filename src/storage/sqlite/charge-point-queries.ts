/** Charge points as every face reads them: registration, what the station reported, connectors. */
import type { Database } from 'better-sqlite3'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { ChargePointStatus, Connector } from '../../sessions/model.ts'
import type { ChargePoint, ChargePointView, Page } from '../store.ts'
import { present } from './present.ts'
import { chargePointStatuses, chargePoints, connectors } from './schema/charge-points.ts'

export interface ChargePointQueries {
  readonly find: (id: string) => ChargePointView | undefined
  readonly list: (accountId: string, page: Page) => readonly ChargePointView[]
}

export function chargePointQueries(client: Database): ChargePointQueries {
  const db = drizzle(client)

  const statusesOf = (ids: readonly string[]): ReadonlyMap<string, ChargePointStatus> => {
    const rows = db
      .select()
      .from(chargePointStatuses)
      .where(inArray(chargePointStatuses.chargePointId, [...ids]))
      .all()
    return new Map(rows.map((row) => [row.chargePointId, row.document]))
  }
  const connectorsOf = (ids: readonly string[]): ReadonlyMap<string, readonly Connector[]> => {
    const rows = db
      .select()
      .from(connectors)
      .where(inArray(connectors.chargePointId, [...ids]))
      .orderBy(asc(connectors.evseId), asc(connectors.connectorId))
      .all()
    const grouped = new Map<string, Connector[]>(ids.map((id) => [id, []]))
    for (const { chargePointId, connectorKey: _, ...row } of rows) grouped.get(chargePointId)?.push(present(row))
    return grouped
  }
  const views = (found: readonly ChargePoint[]): readonly ChargePointView[] => {
    const ids = found.map(({ id }) => id)
    const statuses = statusesOf(ids)
    const grouped = connectorsOf(ids)
    return found.map((chargePoint) => ({
      ...chargePoint,
      status: statuses.get(chargePoint.id) ?? {},
      connectors: grouped.get(chargePoint.id) ?? [],
    }))
  }

  return {
    find: (id) => views(db.select().from(chargePoints).where(eq(chargePoints.id, id)).all().map(present))[0],
    list: (accountId, { afterId, limit }) => {
      const after = afterId === undefined ? undefined : gt(chargePoints.id, afterId)
      const ofAccount = and(eq(chargePoints.accountId, accountId), after)
      return views(
        db.select().from(chargePoints).where(ofAccount).orderBy(chargePoints.id).limit(limit).all().map(present),
      )
    },
  }
}
