/** What goes on beside the open port: deliveries, alerts, plans, reports, campaigns, orders and retention. */

import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { startAlerts } from '../application/alerts/start-alerts.ts'
import { createTargetTests } from '../application/alerts/target-tests.ts'
import { auditedCore, auditedWrites } from '../application/audit/auditing.ts'
import { startBulkOrders } from '../application/bulk-orders/orders.ts'
import { startEndedGrants } from '../application/ended-grants/orders.ts'
import type { CourseContext } from '../application/limit-groups/course.ts'
import { startLimitPlanner } from '../application/limit-groups/start-planner.ts'
import { followLists } from '../application/local-lists/follow.ts'
import { startRotations } from '../application/password-rotations/rotations.ts'
import { startReports } from '../application/reports/start-reports.ts'
import { startFileSweep } from '../application/rollouts/file-sweep.ts'
import { startRollouts } from '../application/rollouts/rollouts.ts'
import { createWebhookOrders } from '../application/webhooks/webhook-orders.ts'
import type { Config } from '../config/config.ts'
import { filesFolder, isPostgres, localFolder } from '../config/database-path.ts'
import { smtpAddress } from '../config/smtp-address.ts'
import type { CoreThread } from '../core/thread/core-client.ts'
import { tellAlert } from '../domain/events/alert-events.ts'
import { createEmission, freshEventId } from '../domain/events/emission.ts'
import { createLogQuota } from '../domain/logs/log-quota.ts'
import { logIdTime, newUuid } from '../domain/message-log/log-id.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { Log } from '../domain/ports/log.ts'
import { openFiles } from '../files/store.ts'
import type { ReaderThread } from '../storage/database.ts'
import { startWebhooks } from '../webhooks/start-webhooks.ts'
import { isAloneOn, keeper } from './other-nodes.ts'
import { startRetentions } from './retentions.ts'
import { systemClock } from './system.ts'

export interface Threads {
  readonly core: CoreThread
  readonly reads: ReaderThread
  readonly limits: Limits
}

export async function startWork(config: Config, log: Log, { core, reads, limits }: Threads) {
  const { writes } = core
  const retentions = startRetentions(core.writes, config, systemClock, log)
  const deliveries = startWebhooks({
    config,
    writes: core.writes,
    clock: systemClock,
    random: Math.random,
    randomBytes,
    log,
    version: packageJson.version,
    isAlone: await isAloneOn(config),
  })
  core.onDeliveries(deliveries.wake)
  const alertsPage = `${config.dashboardUrl}/alerts`
  const smtp = config.smtpUrl === undefined ? undefined : smtpAddress(config.smtpUrl)
  // What sends mail takes 2 MB.
  const post = smtp && {
    mailer: (await import('../application/alerts/mailer.ts')).createMailer(
      smtp,
      config.smtpAllowPlain,
      config.mailFrom,
    ),
    language: config.mailLanguage,
    timeZone: config.timeZone,
    page: alertsPage,
    domain: new URL(config.baseUrl).hostname,
  }
  const isKeeper = keeper(config)
  const emission = createEmission({ figuresIntervalMs: 0 }, freshEventId(randomBytes))
  const recorded: CourseContext['recorded'] = (event, at, now) => emission.ofDecision(event, at, now, undefined)
  const common = { isKeeper, reads, writes, core: core.core, clock: systemClock, log }
  const alerts = startAlerts({
    ...common,
    newId: (now) => newUuid(now, randomBytes),
    post,
    tell: (alert, what) => tellAlert({ ...alert, page: alertsPage }, what),
    recorded,
    wake: deliveries.wake,
    freeBytes: () => freeBytesOf(localFolder(config.databaseUrl)),
    diskHolds: isPostgres(config.databaseUrl) ? 'files' : 'database',
    rowTime: logIdTime,
    intervalMs: config.alertIntervalSeconds * 1000,
  })
  const limitPlanner = startLimitPlanner({ ...common, wake: deliveries.wake, settings: config, recorded })
  const { timeZone } = config
  const reports = startReports({ ...common, post, timeZone })
  const webhookOrders = createWebhookOrders({
    writes: auditedWrites(core.writes),
    now: systemClock.now,
    random: randomBytes,
    limits,
    deliveries,
  })
  const testTargets = createTargetTests({
    reads,
    webhookOrders,
    limits,
    now: systemClock.now,
    random: randomBytes,
    post,
  })
  const storedFiles = openFiles(filesFolder(config.databaseUrl), config.fileMaxSize, randomBytes, {
    bytes: config.diskReserve,
    free: freeBytesOf,
  })
  const logQuota = createLogQuota(config.logQuota)
  const sweep = startFileSweep({ ...common, files: storedFiles, quota: logQuota })
  const audited = { writes: auditedWrites(core.writes), core: auditedCore(core.core, core.writes) }
  const fleetParts = { ...common, ...audited, random: randomBytes, secretKey: config.secretKey }
  const rollouts = startRollouts(fleetParts)
  const rotations = startRotations(fleetParts)
  const bulkOrders = startBulkOrders({ ...fleetParts, rollouts })
  const endedGrants = startEndedGrants({
    reads,
    rollouts,
    log,
    random: randomBytes,
    now: systemClock.now,
    after: systemClock.after,
    ...audited,
    settings: config,
  })
  const lists = followLists({ ...fleetParts, settings: config, now: systemClock.now, after: systemClock.after })
  return {
    deliveries,
    webhookOrders,
    testTargets,
    storedFiles,
    logQuota,
    rollouts,
    rotations,
    bulkOrders,
    endedGrants,
    retentionDeleted: retentions.deletedOfLog,
    /** Nothing new is begun; alerts and deliveries go on until the last message is kept. */
    stop(): void {
      retentions.stop()
      void sweep.stop()
      void reports.stop()
      rollouts.stop()
      rotations.stop()
      bulkOrders.stop()
      void limitPlanner.stop()
      endedGrants.stop()
      void lists.stop()
    },
    stopAlerts: alerts.stop,
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
