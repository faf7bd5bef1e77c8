/** What goes on beside the open port: deliveries, alerts, plans, reports, campaigns, orders and retention. */

import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import packageJson from '../../package.json' with { type: 'json' }
import { startFeed } from '../afir/feed.ts'
import { startPush } from '../afir/push.ts'
import { startAlerts } from '../application/alerts/start-alerts.ts'
import { createTargetTests } from '../application/alerts/target-tests.ts'
import { auditedCore, auditedWrites } from '../application/audit/auditing.ts'
import { startBulkOrders } from '../application/bulk-orders/orders.ts'
import { startEndedGrants } from '../application/ended-grants/orders.ts'
import { startLimitPlanner } from '../application/limit-groups/planner.ts'
import type { CourseContext } from '../application/limit-groups/status.ts'
import { followLists } from '../application/local-lists/follow.ts'
import { startRotations } from '../application/password-rotations/rotations.ts'
import { startReports } from '../application/reports/start-reports.ts'
import { startFileSweep } from '../application/rollouts/file-sweep.ts'
import { startRollouts } from '../application/rollouts/rollouts.ts'
import { createWebhookOrders } from '../application/webhooks/subscribing.ts'
import type { Config } from '../config/config.ts'
import { filesFolder, isPostgres, localFolder } from '../config/database-path.ts'
import { nodeName } from '../config/node-name.ts'
import { smtpAddress } from '../config/smtp-address.ts'
import type { CoreThread } from '../core/thread/core-client.ts'
import { tellAlert } from '../domain/events/alert-events.ts'
import { createEmission, freshEventId } from '../domain/events/emission.ts'
import { createLogQuota } from '../domain/logs/records.ts'
import { logIdAt, logIdTime, newUuid } from '../domain/message-log/log-id.ts'
import { startRetention } from '../domain/message-log/retention.ts'
import type { Clock, Log } from '../domain/ports/core.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { Writes } from '../domain/ports/storage.ts'
import type { RecordKind } from '../domain/records/records.ts'
import { openFiles } from '../files/store.ts'
import { startOcpi } from '../ocpi/start-ocpi.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { createClientOrigin } from '../sockets/client-address.ts'
import type { ReaderThread } from '../storage/database.ts'
import { databaseAt } from '../storage/open.ts'
import { startDeliveries } from '../webhooks/deliverer.ts'
import { systemResolve } from '../webhooks/sending/resolve.ts'
import { createSender, SENDER_TIMEOUTS } from '../webhooks/sending/sender.ts'
import { systemClock } from './system.ts'

export interface Threads {
  readonly core: CoreThread
  readonly reads: ReaderThread
  readonly limits: Limits
}

export async function startWork(config: Config, log: Log, { core, reads, limits }: Threads) {
  const { writes } = core
  const retentions = startRetentions(core.writes, config, systemClock, log)
  const isKeeper = keeper(config)
  const common = { isKeeper, reads, writes, core: core.core, clock: systemClock, log }
  const audited = { writes: auditedWrites(core.writes), core: auditedCore(core.core, core.writes) }
  const clientOrigin = createClientOrigin(config.trustedProxies)
  const ocpi = startOcpi({
    ...common,
    ...audited,
    random: randomBytes,
    limits,
    settings: config,
    addressOf: ({ env }) =>
      env?.incoming && 'headers' in env.incoming ? clientOrigin(env.incoming as IncomingMessage).address : undefined,
  })
  const deliveries = startDeliveries({
    writes: core.writes,
    sender: createSender({ ...SENDER_TIMEOUTS, allowPrivate: config.webhookAllowPrivate }, systemClock, systemResolve),
    secrets: sealedBox(config.secretKey, 'webhookSecrets', randomBytes),
    clock: systemClock,
    random: Math.random,
    settings: {
      scheduleSeconds: config.webhookScheduleSeconds,
      totalTimeoutMs: SENDER_TIMEOUTS.totalTimeoutMs,
      userAgent: `Pilotwire/${packageJson.version}`,
    },
    log,
    isAlone: await isAloneOn(config),
    push: ocpi.push,
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
  const emission = createEmission({ figuresIntervalMs: 0 }, freshEventId(randomBytes))
  const recorded: CourseContext['recorded'] = (event, at, now) => emission.ofDecision(event, at, now, undefined)
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
  core.onPartnerQuestions(ocpi.askPartner)
  const { baseUrl, afirPushUrl } = config
  const isFed = config.afir !== 'off' || afirPushUrl !== undefined
  const feed = isFed ? startFeed({ reads, baseUrl, clock: systemClock, log }) : undefined
  const userAgent = `Pilotwire/${packageJson.version}`
  const settings = afirPushUrl === undefined ? undefined : { ...config, afirPushUrl }
  const push = feed && settings && startPush({ ...common, feed, random: Math.random, userAgent, settings })
  return {
    afir: feed && config.afir !== 'off' ? { feed, access: config } : undefined,
    afirWaitingSince: push?.waitingSince,
    clientOrigin,
    ocpi,
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
      void feed?.stop()
      void push?.stop()
    },
    stopAlerts: alerts.stop,
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The successor of a server that has ended begins this much later. */
const KEEPER_KNOWN_MS = 5000

/** Whether no other server uses this database: what is left over is then in no other server's hands. */
async function isAloneOn(config: Config): Promise<boolean> {
  const nodes = (await databaseAt(config.databaseUrl).nodes()) ?? []
  return nodes.every(({ name, state }) => name === nodeName(config) || state === 'fenced')
}

/** STORE-N14: the server that has run for longest watches, mails and drives campaigns. Undefined where there is one. */
function keeper(config: Config): (() => Promise<boolean>) | undefined {
  if (!isPostgres(config.databaseUrl)) return undefined
  let known: { readonly at: number; readonly isOurs: boolean } | undefined
  return async () => {
    const now = systemClock.monotonic()
    if (known && now - known.at < KEEPER_KNOWN_MS) return known.isOurs
    const live = ((await databaseAt(config.databaseUrl).nodes()) ?? []).filter(({ state }) => state === 'live')
    const [first] = [...live].sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1))
    known = { at: now, isOurs: first?.name === nodeName(config) }
    return known.isOurs
  }
}

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
  partner_exchanges: {
    what: 'exchanges with partners',
    days: ({ retentionDays }) => Math.min(retentionDays || 30, 30),
  },
  kept_answers: { what: 'answers kept for repeated requests', days: () => 1 },
  alert_acknowledgements: { what: 'who took care of alerts', days: ({ retentionDays }) => retentionDays },
} satisfies Partial<Record<RecordKind, Kept>>

function startRetentions(
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
