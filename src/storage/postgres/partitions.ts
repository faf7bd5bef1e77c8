/**
 * The log's partitions: a week of log ids each. There is none for everything else, as one would have to be read through
 * whenever another is made; so they are made ahead, and for whatever comes from another time when it comes.
 */
import { logIdAt } from '../../commands/log-id.ts'
import type { Session } from './connection/session.ts'

const WEEK = 7 * 24 * 3_600_000 * 4096
/** This week's and four more. */
const AHEAD = 4
/** One at a time makes partitions. */
const PARTITION_LOCK = 0x70696c6f75

export function weekOf(logId: number): number {
  return Math.floor(logId / WEEK)
}

export function partitionName(week: number): string {
  return `commands_week_${String(week).padStart(4, '0')}`
}

export function partitionBounds(week: number): { readonly from: number; readonly below: number } {
  return { from: week * WEEK, below: (week + 1) * WEEK }
}

/** Those of now and the next weeks, and those of these log ids. */
export async function makePartitions(session: Session, now: number, ids: readonly number[] = []): Promise<void> {
  const current = weekOf(logIdAt(now))
  const weeks = new Set(ids.map(weekOf))
  for (let ahead = 0; ahead <= AHEAD; ahead++) weeks.add(current + ahead)
  const names = [...weeks].map(partitionName)
  const { rows } = await session.rows<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relname::text = ANY($1) AND relispartition AND relnamespace = current_schema()::regnamespace`,
    [names],
  )
  for (const week of weeks) {
    if (!rows.some(({ name }) => name === partitionName(week))) await makePartition(session, week)
  }
}

/**
 * Attached rather than made in place: that takes a lock which reading and writing do not wait for. A freshly filled one
 * is to be vacuumed soon, so that counting reads its index alone.
 */
async function makePartition(session: Session, week: number): Promise<void> {
  const name = partitionName(week)
  const { from, below } = partitionBounds(week)
  await session.run('BEGIN')
  try {
    await session.rows('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK])
    const { rows } = await session.rows<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [name])
    if (!rows[0]?.there) {
      await session.run(`CREATE TABLE ${name} (LIKE commands INCLUDING ALL);
        ALTER TABLE ${name} SET (autovacuum_vacuum_insert_threshold = 10000,
          autovacuum_vacuum_insert_scale_factor = 0.0, autovacuum_analyze_threshold = 10000);
        ALTER TABLE commands ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${below})`)
    }
    await session.run('COMMIT')
  } catch (error) {
    await session.run('ROLLBACK').catch(() => session.end())
    throw error
  }
}
