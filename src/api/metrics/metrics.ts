/** Prometheus metrics (SERVER-D1): core counters, durations, network, database, and who still uses v1. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CoreStatistics } from '../../domain/ports/core.ts'
import type { ApiContext } from '../api-parts.ts'
import { deliveryFigures } from '../webhooks/delivery-metrics.ts'
import { durationMetric } from './duration-metric.ts'
import { createNetworkMetrics } from './network-metrics.ts'
import type { Metrics } from './observe.ts'
import { createStorageMetrics } from './storage-metrics.ts'

type Counted = {
  [Key in keyof CoreStatistics]-?: CoreStatistics[Key] extends number ? Key : never
}[keyof CoreStatistics]
type Names = Readonly<Partial<Record<Counted, readonly [name: string, help: string]>>>

const COUNTERS: Names = {
  messages: ['pilotwire_ocpp_messages_total', 'OCPP messages received'],
  commits: ['pilotwire_commits_total', 'Groups of messages committed'],
  failedCommits: ['pilotwire_failed_commits_total', 'Groups that could not be committed'],
  failedFlushes: ['pilotwire_failed_folds_total', 'Failed attempts to write committed messages into their tables'],
  callErrors: ['pilotwire_ocpp_call_errors_total', 'CALLs answered with a CALLERROR'],
  malformedFrames: ['pilotwire_ocpp_malformed_frames_total', 'Frames that were no OCPP message'],
  repeatedMessages: ['pilotwire_ocpp_repeated_messages_total', 'Repeated messages, answered without effect'],
}

const GAUGES: Names = {
  connections: ['pilotwire_ocpp_connections', 'Charge points connected'],
  waitingChanges: ['pilotwire_journal_waiting', 'Committed messages that are not in their tables yet'],
  queued: ['pilotwire_ocpp_queued_messages', 'Messages that wait for the next commit'],
}

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function createMetrics(parts: ApiContext): Metrics {
  const { core, now, retentionDeleted } = parts
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
  const clock = new Gauge({ name: 'pilotwire_clock_seconds', help: 'What the server’s clock says', registers })

  const ready = new Gauge({
    name: 'pilotwire_ready',
    help: '1 while this server can take connections and requests, 0 while /readyz says why it cannot',
    registers,
  })

  const shown: { readonly metric: Counter | Gauge; readonly value: (core: CoreStatistics) => number }[] = []
  for (const [key, [name, help]] of Object.entries(COUNTERS)) {
    shown.push({ metric: new Counter({ name, help, registers }), value: (core) => core[key as Counted] })
  }
  for (const [key, [name, help]] of Object.entries(GAUGES)) {
    shown.push({ metric: new Gauge({ name, help, registers }), value: (core) => core[key as Counted] })
  }
  if (retentionDeleted) {
    const help = 'Rows of the message log deleted because of their age'
    shown.push({
      metric: new Counter({ name: 'pilotwire_retention_deleted_rows_total', help, registers }),
      value: retentionDeleted,
    })
  }
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
  const deliveries = deliveryFigures(parts, registers)
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
      clock.set(now() / 1000)
      ready.set(statistics.node?.notReady === undefined && !statistics.storeRefuses ? 1 : 0)
      commits.show(statistics.commitSeconds)
      syncs.show(statistics.syncSeconds)
      for (const { metric, value } of shown) {
        metric.reset()
        metric.inc(value(statistics))
      }
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
