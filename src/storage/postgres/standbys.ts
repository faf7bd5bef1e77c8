import type { StorageFigures } from '../../domain/ports/storage-figures.ts'
import type { StandbyHealth } from '../database.ts'
import type { Session } from './connection/session.ts'

const WAITS_FOR = `SELECT current_setting('synchronous_standby_names')`

/** A backup is no standby. NULL where the user lacks the permission. */
const CONNECTED = `SELECT coalesce(nullif(application_name, ''), 'without a name') AS name,
    CASE WHEN sync_state IS NULL THEN 'unknown' WHEN sync_state IN ('sync', 'quorum') AND state = 'streaming'
      THEN 'synchronous' ELSE 'asynchronous' END AS kind
  FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' ORDER BY 1`

export async function standbysOf(session: Session): Promise<StandbyHealth> {
  const waitsFor = (await session.value<string>(WAITS_FOR)) ?? ''
  const { rows } = await session.rows<StandbyHealth['connected'][number]>(CONNECTED)
  return { waitsFor, connected: rows }
}

/** Empty without permission. A backup that copies the log while it runs is no standby either. */
const BEHIND = `SELECT count(*)::int AS standbys,
    max(CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END)::bigint AS lag
  FROM pg_stat_replication WHERE state = 'streaming' AND application_name <> 'pg_basebackup'`

export async function standbyFigures(session: Session): Promise<Pick<StorageFigures, 'standbys' | 'standbyLagBytes'>> {
  const { rows } = await session.rows<{ readonly standbys: number; readonly lag: number | null }>(BEHIND)
  const [{ standbys, lag } = { standbys: 0, lag: null }] = rows
  return { standbys, standbyLagBytes: lag ?? undefined }
}
