/** Old rows of the log: whole weeks are dropped as partitions, those of the week at the edge by its index. */
import type { HotWrites } from '../../../domain/ports/storage.ts'
import { isLockTimeout } from '../connection/address.ts'
import type { Pool } from '../connection/pool.ts'
import type { Session } from '../connection/session.ts'
import { partitionBounds, partitionName, walkOf, weekOf, weeksThere } from '../partitions.ts'

/** One keeper at a time. */
const KEEPER_LOCK = 0x70696c6f78
/** A long transaction may hold the log: the next attempt is minutes away. */
const LOCK_TIMEOUT = '2s'

interface Walk {
  readonly week: number
  /** Deleted by an earlier walk: those entries stay in the index until it is vacuumed, and are not read again. */
  readonly from: number
  readonly below: number
  /** The last deleted row; ids begin at 1. */
  readonly chargePoint: number
  readonly id: number
  readonly isDone: boolean
}

export function retentionWrites(pool: Pool): Pick<HotWrites, 'deleteOldCommands'> {
  let walk: Walk | undefined
  return {
    deleteOldCommands: (before, limit) =>
      pool.use(async (session) => {
        const { rows } = await session.rows<{ is: boolean }>('SELECT pg_try_advisory_lock($1) AS is', [KEEPER_LOCK])
        if (!rows[0]?.is) return 0
        try {
          const weeks = await dropOldWeeks(session, before)
          if (!weeks.includes(weekOf(before))) return 0
          const { deleted, ...next } = await deleteFromWeek(session, nextWalk(walk, before), limit)
          walk = next
          return deleted
        } finally {
          await session.rows('SELECT pg_advisory_unlock($1)', [KEEPER_LOCK])
        }
      }),
  }
}

/** An unfinished walk goes on to its end, so that each row of the week is read once. */
function nextWalk(last: Walk | undefined, before: number): Walk {
  const week = weekOf(before)
  if (last?.week === week && !last.isDone) return last
  const from = last?.week === week ? last.below : 0
  return { week, from, below: before, chargePoint: 0, id: 0, isDone: false }
}

async function deleteFromWeek(session: Session, walk: Walk, limit: number): Promise<Walk & { deleted: number }> {
  const { week, from, below, chargePoint, id } = walk
  const { rows } = await session.rows<{ deleted: number; chargePoint: number | null; id: number | null }>(
    oldestOf(partitionName(week)),
    [chargePoint, id, from, below, limit],
  )
  const { deleted = 0, chargePoint: last = null, id: lastId = null } = rows[0] ?? {}
  const isDone = deleted < limit || last === null || lastId === null
  return isDone ? { ...walk, deleted, isDone } : { ...walk, deleted, isDone, chargePoint: last, id: lastId }
}

/** From `$1`, `$2` on, `$5` rows of each charge point between `$3` and `$4`: reads just what is deleted. */
export const oldestOf = (week: string): string => `WITH RECURSIVE ${walkOf(week, 'SELECT $1::bigint')},
  old AS MATERIALIZED (
    SELECT walk.key, found.id, found.place FROM walk CROSS JOIN LATERAL (
      SELECT id, ctid AS place FROM ${week}
      WHERE charge_point = walk.key AND id >= $3::bigint AND id < $4::bigint
        AND id > CASE WHEN walk.key = $1::bigint THEN $2::bigint ELSE 0 END
      ORDER BY id LIMIT $5::bigint) AS found
    LIMIT $5::bigint
  ), gone AS (
    DELETE FROM ${week} WHERE ctid = ANY (ARRAY (SELECT place FROM old)) RETURNING charge_point, id
  )
  SELECT (SELECT count(*) FROM gone) AS deleted, last.key AS "chargePoint", last.id
  FROM (SELECT 1) AS one LEFT JOIN (SELECT key, id FROM old ORDER BY 1 DESC, 2 DESC LIMIT 1) AS last ON TRUE`

/** Drops whole weeks before `before`. A locked one (pg_dump) is left for the next time. @returns the remaining ones */
async function dropOldWeeks(session: Session, before: number): Promise<readonly number[]> {
  const weeks = await weeksThere(session)
  const isOld = ({ week }: (typeof weeks)[number]): boolean => partitionBounds(week).below <= before
  if (weeks.some(isOld)) {
    await session.run(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
    try {
      for (const one of weeks) if (isOld(one)) await drop(session, one)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    } finally {
      await session.run("SET lock_timeout = '0'")
    }
  }
  return weeks.filter((one) => one.isAttached && !isOld(one)).map(({ week }) => week)
}

async function drop(session: Session, { week, isAttached }: { week: number; isAttached: boolean }): Promise<void> {
  const name = partitionName(week)
  if (isAttached) {
    try {
      await session.run(`ALTER TABLE commands DETACH PARTITION ${name} CONCURRENTLY`)
    } catch (error) {
      // Detached halfway by an interrupted process.
      if ((error as { readonly code?: string | undefined }).code !== '55000') throw error
      await session.run(`ALTER TABLE commands DETACH PARTITION ${name} FINALIZE`)
    }
  }
  await session.run(`DROP TABLE ${name}`)
}
