/** What the server keeps for so many days, in one table, and the clocks that remove it. */

import type { Config } from '../config/config.ts'
import { logIdAt } from '../domain/message-log/log-id.ts'
import { startRetention } from '../domain/message-log/retention.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Log } from '../domain/ports/log.ts'
import type { Writes } from '../domain/ports/storage.ts'
import type { RecordKind } from '../domain/records/records.ts'

/** Mail that no server took for so long is given up (ALERT-M2). */
const MAIL_DAYS = 7

type Days = Pick<Config, 'retentionDays' | 'signedRetentionDays' | 'auditRetentionDays'>

interface Kept {
  readonly what: string
  /** 0: for ever. */
  readonly days: (config: Days) => number
}

/** Every record that declares an `age` stands here (retentions.test.ts). */
export const KEPT_RECORDS = {
  signed_values: { what: 'signed meter values', days: ({ signedRetentionDays }) => signedRetentionDays },
  station_events: { what: 'events of charge points', days: ({ retentionDays }) => retentionDays },
  connection_history: { what: 'history of charge points', days: ({ retentionDays }) => retentionDays },
  refused_connections: { what: 'refused connections', days: ({ retentionDays }) => retentionDays },
  bulk_orders: { what: 'bulk orders', days: ({ retentionDays }) => retentionDays },
  bulk_order_rows: { what: 'rows of bulk orders', days: ({ retentionDays }) => retentionDays },
  availability_orders: { what: 'orders of availability', days: ({ retentionDays }) => retentionDays },
  alerts: { what: 'alerts that are over', days: ({ retentionDays }) => retentionDays },
  alert_notices: { what: 'undelivered mail', days: () => MAIL_DAYS },
  alert_mailings: { what: 'times of mail about alerts', days: () => MAIL_DAYS },
  report_mails: { what: 'undelivered reports', days: () => MAIL_DAYS },
  sent_reports: { what: 'last mails of reports', days: ({ auditRetentionDays }) => auditRetentionDays },
  limit_minutes: { what: 'history of limit groups', days: ({ retentionDays }) => retentionDays },
  alert_acknowledgements: { what: 'who took care of alerts', days: ({ retentionDays }) => retentionDays },
} satisfies Partial<Record<RecordKind, Kept>>

export function startRetentions(
  writes: Pick<Writes, 'deleteOldCommands' | 'deleteOldAudit' | 'removeOldRecords'>,
  config: Days,
  clock: Clock,
  log: Pick<Log, 'error'>,
): { readonly deletedOfLog: () => number; stop(): void } {
  const start = ({ what, days }: Kept, remove: (before: number, limit: number) => Promise<number>) =>
    startRetention({ remove, what, days: days(config), clock, log })
  const ofLog = start({ what: 'message log', days: ({ retentionDays }) => retentionDays }, (before, limit) =>
    writes.deleteOldCommands(logIdAt(before), limit),
  )
  const others = [
    start({ what: 'audit log', days: ({ auditRetentionDays }) => auditRetentionDays }, writes.deleteOldAudit),
    ...(Object.entries(KEPT_RECORDS) as [keyof typeof KEPT_RECORDS, Kept][]).map(([kind, kept]) =>
      start(kept, (before, limit) => writes.removeOldRecords(kind, before, limit)),
    ),
  ]
  return {
    deletedOfLog: ofLog.deleted,
    stop() {
      for (const retention of [ofLog, ...others]) retention.stop()
    },
  }
}
