/** Charge points as every face reads them: registration, what the station reported, connectors. */
import type { Database } from 'better-sqlite3'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { ChargePoint, ChargePointView, Page } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { chargePointStatuses, chargePoints, connectors } from '../schema/charge-points.ts'

export interface ChargePointQueries {
  readonly find: (id: string) => ChargePointView | undefined
  readonly accountOf: (id: string) => string | undefined
  readonly list: (accountId: string, page: Page) => readonly ChargePointView[]
  readonly countOpen: () => number
}

/** Prepared: after a restart every station of the fleet is loaded within seconds. */
export function chargePointQueries(client: Database): ChargePointQueries {
  const db = drizzle(client)
  const id = sql.placeholder('id')
  const registration = db.select().from(chargePoints).where(eq(chargePoints.id, id)).prepare()
  const status = db
    .select({ document: chargePointStatuses.document })
    .from(chargePointStatuses)
    .where(eq(chargePointStatuses.chargePointId, id))
    .prepare()
  const reported = db
    .select({
      evseId: connectors.evseId,
      connectorId: connectors.connectorId,
      status: connectors.status,
      errorCode: connectors.errorCode,
      vendorErrorCode: connectors.vendorErrorCode,
      info: connectors.info,
      updatedAt: connectors.updatedAt,
      since: connectors.since,
    })
    .from(connectors)
    .where(eq(connectors.chargePointId, id))
    .orderBy(asc(connectors.evseId), asc(connectors.connectorId))
    .prepare()

  const accountOf = client.prepare<[string], string>('SELECT account_id FROM charge_points WHERE id = ?').pluck()

  const open = client
    .prepare<[], number>(
      `SELECT count(*) FROM charge_points
       WHERE security_profile = 0 AND registration_status = 'Accepted' AND disabled IS NOT TRUE`,
    )
    .pluck()

  const view = (chargePoint: ChargePoint): ChargePointView => ({
    ...chargePoint,
    status: status.get({ id: chargePoint.id })?.document ?? {},
    connectors: reported.all({ id: chargePoint.id }).map(present),
  })

  return {
    find: (id) => {
      const row = registration.get({ id })
      return row && view(present(row))
    },
    accountOf: (id) => accountOf.get(id),
    list: (accountId, { afterId, limit }) => {
      const after = afterId === undefined ? undefined : gt(chargePoints.id, afterId)
      const ofAccount = and(eq(chargePoints.accountId, accountId), after)
      const rows = db.select().from(chargePoints).where(ofAccount).orderBy(asc(chargePoints.id)).limit(limit).all()
      return rows.map((row) => view(present(row)))
    },
    countOpen: () => open.get() ?? 0,
  }
}
