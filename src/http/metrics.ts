/** What Prometheus sees: the core's counters, the durations of requests and searches, and who still uses v1. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Core, CoreStatistics } from '../ports/core.ts'

type SearchKind = 'page' | 'count' | 'export' | 'methods'

export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void
  observeSearch(kind: SearchKind, version: 'v1' | 'v2', seconds: number): void
  /** Between its arrival in the reader's thread and its first turn (SEARCH-Q12). */
  observeSearchWait(kind: SearchKind, version: 'v1' | 'v2', seconds: number): void
  countV1Use(credentialId: string): void
  /** The Prometheus text format, with its content type. */
  render(): Promise<{ readonly type: string; readonly text: string }>
}

const COUNTERS: Readonly<Partial<Record<keyof CoreStatistics, readonly [name: string, help: string]>>> = {
  messages: ['pilotwire_ocpp_messages_total', 'OCPP messages received'],
  commits: ['pilotwire_commits_total', 'Groups of messages committed'],
  failedCommits: ['pilotwire_failed_commits_total', 'Groups that could not be committed'],
  failedFolds: ['pilotwire_failed_folds_total', 'Failed attempts to write committed messages into their tables'],
  callErrors: ['pilotwire_ocpp_call_errors_total', 'CALLs answered with a CALLERROR'],
  malformedFrames: ['pilotwire_ocpp_malformed_frames_total', 'Frames that were no OCPP message'],
  repeatedMessages: ['pilotwire_ocpp_repeated_messages_total', 'Repeated messages, answered without effect'],
}

const GAUGES: Readonly<Partial<Record<keyof CoreStatistics, readonly [name: string, help: string]>>> = {
  connections: ['pilotwire_ocpp_connections', 'Charge points connected'],
  waitingChanges: ['pilotwire_journal_waiting', 'Committed messages that are not in their tables yet'],
  queued: ['pilotwire_ocpp_queued_messages', 'Messages that wait for the next commit'],
}

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Of the webhooks: names without their prefix, and values. */
export type DeliveryFigures = () => Promise<readonly (readonly [name: string, help: string, value: number])[]>

/**
 * @param retentionDeleted rows that retention deleted since the start
 * @param deliveries gauges of the webhooks
 */
export function createMetrics(
  core: Pick<Core, 'statistics'>,
  retentionDeleted?: () => number,
  deliveries?: DeliveryFigures,
): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const shown: { readonly metric: Counter | Gauge; readonly value: (core: CoreStatistics) => number }[] = []
  for (const [key, [name, help]] of Object.entries(COUNTERS)) {
    shown.push({ metric: new Counter({ name, help, registers }), value: (core) => core[key as keyof CoreStatistics] })
  }
  for (const [key, [name, help]] of Object.entries(GAUGES)) {
    shown.push({ metric: new Gauge({ name, help, registers }), value: (core) => core[key as keyof CoreStatistics] })
  }
  if (retentionDeleted) {
    const help = 'Rows of the message log deleted because of their age'
    shown.push({
      metric: new Counter({ name: 'pilotwire_retention_deleted_rows_total', help, registers }),
      value: retentionDeleted,
    })
  }
  const requests = new Histogram({
    name: 'pilotwire_http_request_duration_seconds',
    help: 'HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const searches = new Histogram({
    name: 'pilotwire_search_duration_seconds',
    help: 'Queries of the message log by kind and API version',
    labelNames: ['kind', 'version'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const searchWaits = new Histogram({
    name: 'pilotwire_search_wait_seconds',
    help: 'Time that queries of the message log waited for their account’s turn, included in their duration',
    labelNames: ['kind', 'version'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const v1 = new Counter({
    name: 'pilotwire_v1_requests_total',
    help: 'Requests to the deprecated v1 search by API credential',
    labelNames: ['credential'],
    registers,
  })
  const gauge = (name: string, help: string): Gauge =>
    (registry.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, registers })
  return {
    observeRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    observeSearch: (kind, version, seconds) => searches.observe({ kind, version }, seconds),
    observeSearchWait: (kind, version, seconds) => searchWaits.observe({ kind, version }, seconds),
    countV1Use: (credential) => v1.inc({ credential }),
    async render() {
      const statistics = await core.statistics()
      for (const [name, help, value] of (await deliveries?.()) ?? [])
        gauge(`pilotwire_webhook_${name}`, help).set(value)
      for (const { metric, value } of shown) {
        metric.reset()
        metric.inc(value(statistics))
      }
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
