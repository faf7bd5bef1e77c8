/** Old rows of the log: whole weeks are dropped as partitions, the rest row by row. */
import type { HotWrites } from '../../../ports/storage-hot.ts'
import type { Pool } from '../connection/pool.ts'
import type { Session } from '../connection/session.ts'
import { partitionBounds, partitionName } from '../partitions.ts'

/** One keeper at a time. */
const KEEPER_LOCK = 0x70696c6f77
/** Somebody's long transaction holds the log: the next attempt is minutes away. */
const LOCK_TIMEOUT = '2s'

const OLDEST = `DELETE FROM commands WHERE (charge_point, id) IN (
  SELECT charge_point, id FROM commands WHERE id < $1 ORDER BY id LIMIT $2)`

export function retentionWrites(pool: Pool): Pick<HotWrites, 'deleteOldCommands'> {
  return {
    deleteOldCommands: (before, limit) =>
      pool.use(async (session) => {
        const { rows } = await session.rows<{ is: boolean }>('SELECT pg_try_advisory_lock($1) AS is', [KEEPER_LOCK])
        if (!rows[0]?.is) return 0
        try {
          await dropEmptyWeeks(session, before)
          return (await session.rows(OLDEST, [before, limit])).changes
        } finally {
          await session.rows('SELECT pg_advisory_unlock($1)', [KEEPER_LOCK])
        }
      }),
  }
}

/** A week that lies wholly before it goes at once: its rows need not be deleted one by one. */
async function dropEmptyWeeks(session: Session, before: number): Promise<void> {
  const { rows } = await session.rows<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'commands'::regclass ORDER BY 1`,
  )
  for (const { name } of rows) {
    const week = Number(/^commands_week_(\d+)$/.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(week) || name !== partitionName(week) || partitionBounds(week).below > before) continue
    await session.run(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
    try {
      await session.run(`ALTER TABLE commands DETACH PARTITION ${name} CONCURRENTLY`)
    } catch (error) {
      const { code } = error as { readonly code?: string }
      // Detached halfway by somebody who was stopped, or held by somebody's long transaction.
      if (code === '55000') await session.run(`ALTER TABLE commands DETACH PARTITION ${name} FINALIZE`)
      else if (code === '55P03') return
      else throw error
    } finally {
      await session.run("SET lock_timeout = '0'")
    }
    await session.run(`DROP TABLE ${name}`)
  }
}
