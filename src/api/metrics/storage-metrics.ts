import { Gauge, type Registry } from 'prom-client'
import type { StorageFigures } from '../../domain/ports/storage-figures.ts'
import type { ApiContext } from '../api-parts.ts'

const NAMES: Readonly<Record<keyof StorageFigures, readonly [name: string, help: string]>> = {
  databaseBytes: ['pilotwire_database_bytes', 'Size of the database'],
  logBytes: ['pilotwire_database_wal_bytes', 'Size of the write-ahead log of the database'],
  diskBytes: ['pilotwire_disk_bytes', 'Size of the disk that holds the database'],
  diskFreeBytes: ['pilotwire_disk_free_bytes', 'Free bytes of the disk that holds the database'],
  lastBackupAt: [
    'pilotwire_backup_age_seconds',
    'Age of the newest backup by pilotwire backup; absent before the first',
  ],
  oldestTransactionSeconds: [
    'pilotwire_database_oldest_transaction_seconds',
    'Age of the oldest open transaction on the server of PostgreSQL that has written; absent with SQLite',
  ],
  standbys: ['pilotwire_database_standbys', 'Standbys that follow the server of PostgreSQL; absent with SQLite'],
  standbyLagBytes: [
    'pilotwire_database_standby_lag_bytes',
    'Write-ahead log that the standby that is furthest behind has not replayed; absent without one',
  ],
}

type Context = Pick<ApiContext, 'storageFigures' | 'now' | 'log'>

export function createStorageMetrics(
  { storageFigures, now, log }: Context,
  registers: Registry[],
): () => Promise<void> {
  const gauges = Object.entries(NAMES).map(([key, [name, help]]) => ({
    key: key as keyof StorageFigures,
    metric: new Gauge({ name, help, registers }),
  }))
  return async () => {
    const figures: StorageFigures = await (storageFigures?.() ?? Promise.resolve({})).catch((error) => {
      log.warn({ error: String(error) }, 'the figures of the database cannot be had')
      return {}
    })
    for (const { key, metric } of gauges) {
      const value = figures[key]
      metric.remove()
      if (value !== undefined) metric.set(key === 'lastBackupAt' ? Math.max(0, (now() - value) / 1000) : value)
    }
  }
}
