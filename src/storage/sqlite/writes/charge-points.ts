import type { Database } from 'better-sqlite3'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { ChargePointChange, Writes } from '../../../ports/storage.ts'
import { chargePointQueries } from '../queries/charge-point-queries.ts'
import { removalOfRecords } from '../records.ts'
import type { LogNames } from '../rows/dictionary.ts'
import { chargePointStatuses, chargePoints, connectors } from '../schema/charge-points.ts'
import { logChargePoints } from '../schema/commands.ts'

type ChargePointWrites = Pick<Writes, 'createChargePoint' | 'updateChargePoint' | 'deleteChargePoint'>

/** `foldFor`: what the station said before the change is in its tables before it. */
export function chargePointWrites(
  client: Database,
  names: LogNames,
  foldFor: (chargePointIds: readonly string[]) => void,
): ChargePointWrites {
  const db = drizzle(client)
  const queries = chargePointQueries(client)
  const removeRecords = removalOfRecords(client)
  const own = (accountId: string, id: string) => and(eq(chargePoints.accountId, accountId), eq(chargePoints.id, id))

  return {
    createChargePoint: async (chargePoint) => {
      foldFor([chargePoint.id])
      return db.transaction(
        (tx) => {
          const sameName = sql`${chargePoints.id} = ${chargePoint.id} COLLATE NOCASE`
          const taken = tx.select({ id: chargePoints.id }).from(chargePoints).where(sameName).get()
          if (taken) return taken.id === chargePoint.id ? 'exists' : 'differsInCase'
          tx.insert(chargePoints).values(chargePoint).run()
          // The log of a former owner stays with that owner; what the station said before anybody registered it,
          // or under this account, is shown again.
          const foreign = and(
            eq(logChargePoints.name, chargePoint.id),
            ne(logChargePoints.formerAccountId, chargePoint.accountId),
          )
          if (tx.update(logChargePoints).set({ name: null }).where(foreign).run().changes > 0) names.forget()
          return 'created'
        },
        { behavior: 'immediate' },
      )
    },
    updateChargePoint: async (accountId, id, { labels, ...change }) => {
      foldFor([id])
      const { changes } = db
        .update(chargePoints)
        .set({ id, ...change, ...(labels && { labels: mergedLabels(labels) }) })
        .where(own(accountId, id))
        .run()
      return changes === 1 ? queries.find(id) : undefined
    },
    deleteChargePoint: async (accountId, id) => {
      foldFor([id])
      return db.transaction(
        (tx) => {
          if (tx.delete(chargePoints).where(own(accountId, id)).run().changes === 0) return false
          tx.delete(chargePointStatuses).where(eq(chargePointStatuses.chargePointId, id)).run()
          tx.delete(connectors).where(eq(connectors.chargePointId, id)).run()
          removeRecords(id)
          tx.update(logChargePoints).set({ formerAccountId: accountId }).where(eq(logChargePoints.name, id)).run()
          return true
        },
        { behavior: 'immediate' },
      )
    },
  }
}

/** In one statement, so that two who label at once lose nothing of each other's. RFC 7396 is what `null` means here. */
function mergedLabels(change: NonNullable<ChargePointChange['labels']>): SQL {
  return sql`nullif(json_patch(coalesce(${chargePoints.labels}, '{}'), ${JSON.stringify(change)}), '{}')`
}
