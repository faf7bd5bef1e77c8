import type { Database } from 'better-sqlite3'
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Reads, SessionQuery } from '../../../ports/storage.ts'
import { sessionById } from '../queries/session-queries.ts'
import { readSession } from '../rows/session-row.ts'
import { sessions } from '../schema/sessions.ts'

export function sessionReads(client: Database): Pick<Reads, 'findSession' | 'listSessions'> {
  const db = drizzle(client)
  const find = sessionById(client)
  return {
    findSession: async (id) => find(id),
    listSessions: async (query) =>
      db
        .select()
        .from(sessions)
        .where(conditions(query))
        .orderBy(desc(sessions.id))
        .limit(query.limit)
        .all()
        .map(readSession),
  }
}

/** `from` and `to` bound the creation of a session, like its UUIDv7 id, so that a list walks one index. */
function conditions(query: SessionQuery): SQL | undefined {
  return and(
    eq(sessions.accountId, query.accountId),
    query.chargePointIds && ofChargePoints(query.chargePointIds),
    query.state && eq(sessions.state, query.state),
    query.from === undefined ? undefined : gte(sessions.createdAt, query.from),
    query.to === undefined ? undefined : lt(sessions.createdAt, query.to),
    query.belowId === undefined ? undefined : lt(sessions.id, query.belowId),
  )
}

/** One: the planner may walk that charge point's own index. Several: the account's, whose order is the page's. */
function ofChargePoints(ids: readonly string[]): SQL {
  const [only] = ids
  if (ids.length === 1 && only !== undefined) return eq(sessions.chargePointId, only)
  return sql`${sessions.chargePointId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}
