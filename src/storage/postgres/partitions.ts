/** The log's partitions, a week of log ids each, made ahead: a default one would be read through for each new one. */
import { logIdAt } from '../../domain/message-log/log-id.ts'
import { inTransaction } from './connection/pool.ts'
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

interface WeekThere {
  readonly week: number
  /** False: an interrupted process was dropping it; no part of the log. */
  readonly isAttached: boolean
}

export async function weeksThere(session: Session): Promise<readonly WeekThere[]> {
  const { rows } = await session.rows<{ name: string; isAttached: boolean }>(
    `SELECT relname::text AS name, relispartition AS "isAttached" FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname::text ~ '^commands_week_[0-9]+$'`,
  )
  return rows
    .map(({ name, isAttached }) => ({ name, isAttached, week: Number(name.slice('commands_week_'.length)) }))
    .filter(({ name, week }) => name === partitionName(week))
    .sort((a, b) => a.week - b.week)
}

/** The charge points of a week, one index probe each. @param first selects the one to begin with */
export const walkOf = (week: string, first: string): string => `walk(key) AS (
    ${first}
    UNION ALL
    SELECT (SELECT charge_point FROM ${week} WHERE charge_point > walk.key ORDER BY charge_point LIMIT 1)
    FROM walk WHERE walk.key IS NOT NULL
  )`

/** In the newest week that has any; 0: the log is empty. */
export async function newestLogId(session: Session): Promise<number> {
  for (const { week, isAttached } of [...(await weeksThere(session))].reverse()) {
    const newest = isAttached && (await session.value<number | null>(newestOf(partitionName(week))))
    if (newest) return newest
  }
  return 0
}

export const newestOf = (week: string): string =>
  `WITH RECURSIVE ${walkOf(week, `(SELECT charge_point FROM ${week} ORDER BY charge_point LIMIT 1)`)}
  SELECT max((SELECT id FROM ${week} WHERE charge_point = walk.key ORDER BY id DESC LIMIT 1)) FROM walk`

export async function makePartitions(session: Session, now: number, ids: readonly number[] = []): Promise<void> {
  const current = weekOf(logIdAt(now))
  const weeks = new Set(ids.map(weekOf))
  for (let ahead = 0; ahead <= AHEAD; ahead++) weeks.add(current + ahead)
  for (const { week, isAttached } of await weeksThere(session)) if (isAttached) weeks.delete(week)
  for (const week of weeks) await makePartition(session, week)
}

/** Attached, as making it in place would lock out reads and writes. Vacuumed soon, for counts by the index alone. */
async function makePartition(session: Session, week: number): Promise<void> {
  const name = partitionName(week)
  const { from, below } = partitionBounds(week)
  await inTransaction(session, async () => {
    await session.rows('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK])
    const there = (await weeksThere(session)).find((one) => one.week === week)
    if (!there) {
      await session.run(`CREATE TABLE ${name} (LIKE commands INCLUDING ALL);
        ALTER TABLE ${name} SET (autovacuum_vacuum_insert_threshold = 10000,
          autovacuum_vacuum_insert_scale_factor = 0.0, autovacuum_analyze_threshold = 10000)`)
    }
    if (!there?.isAttached) {
      await session.run(`ALTER TABLE commands ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${below})`)
    }
  })
}
