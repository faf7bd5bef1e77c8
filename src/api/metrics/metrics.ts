/** Prometheus metrics (SERVER-D1): core counters, durations, network, database, and who still uses v1. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { AccountNetwork, CoreStatistics, Durations } from '../../domain/ports/core.ts'
import type { StorageFigures } from '../../domain/ports/nodes.ts'
import type { ApiContext } from '../api-parts.ts'
import { withDeadline } from '../requests/deadline.ts'
import type { Metrics } from './observe.ts'

type Counted = {
  [Key in keyof CoreStatistics]-?: CoreStatistics[Key] extends number ? Key : never
}[keyof CoreStatistics]
type Names<Figure extends string> = { readonly [F in Figure]?: readonly [name: string, help: string] }

const COUNTERS: Names<Counted> = {
  messages: ['pilotwire_ocpp_messages_total', 'OCPP messages received'],
  commits: ['pilotwire_commits_total', 'Groups of messages committed'],
  failedCommits: ['pilotwire_failed_commits_total', 'Groups that could not be committed'],
  failedFlushes: ['pilotwire_failed_folds_total', 'Failed attempts to write committed messages into their tables'],
  callErrors: ['pilotwire_ocpp_call_errors_total', 'CALLs answered with a CALLERROR'],
  malformedFrames: ['pilotwire_ocpp_malformed_frames_total', 'Frames that were no OCPP message'],
  repeatedMessages: ['pilotwire_ocpp_repeated_messages_total', 'Repeated messages, answered without effect'],
}

const GAUGES: Names<Counted> = {
  connections: ['pilotwire_ocpp_connections', 'Charge points connected'],
  waitingChanges: ['pilotwire_journal_waiting', 'Committed messages that are not in their tables yet'],
  queued: ['pilotwire_ocpp_queued_messages', 'Messages that wait for the next commit'],
}

const RETENTION = {
  deleted: ['pilotwire_retention_deleted_rows_total', 'Rows of the message log deleted because of their age'],
} as const

const SERVER_GAUGES = {
  clock: ['pilotwire_clock_seconds', 'What the server’s clock says'],
  ready: [
    'pilotwire_ready',
    '1 while this server can take connections and requests, 0 while /readyz says why it cannot',
  ],
  afirWaits: [
    'pilotwire_afir_push_waiting_seconds',
    'For how long the national access point has not taken what changed; 0 when it has all, or is sent nothing',
  ],
} as const

/** Counts what is reported here as a whole. @returns shows figures; one that is absent is not there, and not zero */
function figures<Figure extends string>(
  Kind: typeof Gauge | typeof Counter,
  names: Names<Figure>,
  registers: Registry[],
): (values: Readonly<Partial<Record<Figure, number | undefined>>>) => void {
  const all = Object.entries<readonly [string, string] | undefined>(names).map(([figure, [name, help] = ['', '']]) => ({
    figure: figure as Figure,
    metric: new Kind({ name, help, registers }),
  }))
  return (values) => {
    for (const { figure, metric } of all) {
      const value = values[figure]
      metric.remove()
      if (value !== undefined) metric.inc(value)
    }
  }
}

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function createMetrics(parts: ApiContext): Metrics {
  const { core, now, retentionDeleted, afirWaitingSince = () => undefined } = parts
  const registry = new Registry()
  const registers = [registry]
  if (parts.node?.isOneOfSeveral) registry.setDefaultLabels({ node_name: parts.node.name })
  collectDefaultMetrics({ register: registry })
  const build = { version: parts.version ?? 'unknown', node: process.version }
  new Gauge({
    name: 'pilotwire_build_info',
    help: '1, with the version of Pilotwire and of Node',
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1)
  const counters = figures(Counter, COUNTERS, registers)
  const gauges = figures(Gauge, GAUGES, registers)
  const server = figures(Gauge, SERVER_GAUGES, registers)
  const retention = retentionDeleted && figures(Counter, RETENTION, registers)
  const commits = durationMetric(
    registry,
    'pilotwire_commit_duration_seconds',
    'Commits of groups, as the core sees them',
  )
  const syncs = durationMetric(
    registry,
    'pilotwire_fsync_duration_seconds',
    'The part of a commit that writes the log of the database and waits for the disk',
  )
  const duration = (name: string, help: string, labelNames: readonly string[]): Histogram =>
    new Histogram({ name, help, labelNames, buckets: REQUEST_SECONDS, registers })
  const requests = duration('pilotwire_http_request_duration_seconds', 'HTTP requests by route and status', [
    'method',
    'route',
    'status',
  ])
  const searches = duration('pilotwire_search_duration_seconds', 'Queries of the message log by kind and API version', [
    'kind',
    'version',
  ])
  const searchWaits = duration(
    'pilotwire_search_wait_seconds',
    'Time that queries of the message log waited for their account’s turn, included in their duration',
    ['kind', 'version'],
  )
  const v1 = new Counter({
    name: 'pilotwire_v1_requests_total',
    help: 'Requests to the deprecated v1 search by API credential',
    labelNames: ['credential'],
    registers,
  })
  const deliveries = createDeliveryMetrics(parts, registers)
  const network = createNetworkMetrics(parts, registers)
  const storage = createStorageMetrics(parts, registers)
  return {
    observeRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    observeSearch: (kind, version, seconds) => searches.observe({ kind, version }, seconds),
    observeSearchWait: (kind, version, seconds) => searchWaits.observe({ kind, version }, seconds),
    countV1Use: (credential) => v1.inc({ credential }),
    async render() {
      const statistics = await core.statistics()
      await Promise.all([deliveries(), network(), storage()])
      const isReady = statistics.node?.notReady === undefined && !statistics.storeRefuses
      const afirWaits = Math.max(0, (now() - (afirWaitingSince() ?? now())) / 1000)
      server({ clock: now() / 1000, ready: isReady ? 1 : 0, afirWaits })
      counters(statistics)
      gauges(statistics)
      retention?.({ deleted: retentionDeleted?.() })
      commits.show(statistics.commitSeconds)
      syncs.show(statistics.syncSeconds)
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** A histogram counted in the core's thread; prom-client's own counts only observations made here. */
interface Value {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

function durationMetric(registry: Registry, name: string, help: string) {
  let shown: Durations | undefined
  const metric = {
    name,
    async get() {
      return { name, help, type: 'histogram', aggregator: 'sum', values: shown ? valuesOf(name, shown) : [] }
    },
  }
  // What a registry asks of a metric is its name and `get`.
  registry.registerMetric(metric as unknown as Metric)
  return {
    show(durations: Durations | undefined) {
      shown = durations
    },
  }
}

function valuesOf(name: string, { bounds, counts, sum }: Durations): readonly Value[] {
  let below = 0
  const buckets = counts.map((count, at): Value => {
    below += count
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? '+Inf' }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, value: sum },
    { metricName: `${name}_count`, labels: {}, value: below },
  ]
}

/** Prometheus waits for ten seconds; a database that hangs must not hide the other figures. */
const DEADLINE_MS = 3000
const MILLIWATTS = 1000

type Context = Pick<ApiContext, 'core' | 'reads' | 'after' | 'log'>

const NETWORK = {
  faulted: ['pilotwire_charge_points_faulted', 'Charge points online with a faulted connector'],
  charging: ['pilotwire_charge_points_charging', 'Charge points online with a connector that charges'],
  wrongClocks: [
    'pilotwire_charge_points_clock_wrong',
    'Charge points online whose clock is wrong by more than a minute',
  ],
  runningSessions: ['pilotwire_sessions_running', 'Sessions that are not over'],
  powerWatts: ['pilotwire_power_watts', 'Power of charging sessions at charge points online'],
} as const

/** @returns what brings them up to date. Figures that cannot be had are absent, not zero. */
function createNetworkMetrics(parts: Context, registers: Registry[]): () => Promise<void> {
  const chargePoints = new Gauge({
    name: 'pilotwire_charge_points',
    help: 'Registered charge points; the states add up to all of them',
    labelNames: ['state'],
    registers,
  })
  const show = figures(Gauge, NETWORK, registers)
  return async () => {
    const counted = await withDeadline(count(parts), DEADLINE_MS, parts.after).catch((error) => {
      parts.log.warn({ error: String(error) }, 'the figures of the network cannot be had')
      return undefined
    })
    chargePoints.reset()
    show(counted ?? {})
    if (!counted) return
    for (const state of ['online', 'offline', 'pending'] as const) chargePoints.set({ state }, counted[state])
  }
}

async function count({ core, reads }: Context) {
  const networks = new Map((await core.networks()).map((network) => [network.accountId, network]))
  const sum = { online: 0, offline: 0, pending: 0, faulted: 0, charging: 0 }
  const rest = { wrongClocks: 0, runningSessions: 0, powerWatts: 0 }
  for (const { id } of await reads.listAccounts()) {
    const { online, wrongClocks } = networks.get(id) ?? NO_NETWORK
    const counts = await reads.countNetwork(id, online)
    sum.online += counts.online
    sum.pending += counts.pending
    sum.offline += counts.chargePoints - counts.online - counts.pending
    sum.faulted += counts.faulted
    sum.charging += counts.charging
    rest.wrongClocks += wrongClocks
    rest.runningSessions += counts.runningSessions
    rest.powerWatts += counts.powerMilliW / MILLIWATTS
  }
  return { ...sum, ...rest }
}

const NO_NETWORK: Pick<AccountNetwork, 'online' | 'wrongClocks'> = { online: [], wrongClocks: 0 }

const DELIVERIES = {
  due: ['pilotwire_webhook_deliveries_due', 'Deliveries that may leave now'],
  waiting: ['pilotwire_webhook_deliveries_waiting', 'Deliveries that wait for their next attempt'],
  inFlight: ['pilotwire_webhook_deliveries_in_flight', 'Attempts under way'],
  held: ['pilotwire_webhook_deliveries_held', 'Deliveries kept for disabled subscriptions'],
  oldestDueSeconds: ['pilotwire_webhook_oldest_due_seconds', 'Age of the oldest delivery that is due'],
} as const

const ATTEMPTS = {
  succeeded: ['pilotwire_webhook_attempts_succeeded_total', 'Successful attempts'],
  failed: ['pilotwire_webhook_attempts_failed_total', 'Failed attempts'],
} as const

function createDeliveryMetrics(
  { reads, now, deliveries }: Pick<ApiContext, 'reads' | 'now' | 'deliveries'>,
  registers: Registry[],
): () => Promise<void> {
  const show = figures(Gauge, DELIVERIES, registers)
  const attempts = figures(Counter, ATTEMPTS, registers)
  return async () => {
    const at = now()
    const stored = await reads.deliveryStatistics(at)
    const { oldestDueAt = at } = stored
    show({ ...stored, oldestDueSeconds: Math.max(0, (at - oldestDueAt) / 1000) })
    attempts(deliveries?.statistics() ?? { succeeded: 0, failed: 0 })
  }
}

const STORAGE: Names<keyof StorageFigures> = {
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

function createStorageMetrics(
  { storageFigures, now, log }: Pick<ApiContext, 'storageFigures' | 'now' | 'log'>,
  registers: Registry[],
): () => Promise<void> {
  const show = figures(Gauge, STORAGE, registers)
  return async () => {
    const found: StorageFigures = await (storageFigures?.() ?? Promise.resolve({})).catch((error) => {
      log.warn({ error: String(error) }, 'the figures of the database cannot be had')
      return {}
    })
    const { lastBackupAt: at } = found
    show({ ...found, lastBackupAt: at === undefined ? undefined : Math.max(0, (now() - at) / 1000) })
  }
}
