/** What each kind of alert watches (ALERT-K1); a kind that lacks some of it does not compile. */
import type { AlertKind, AlertRule } from './records.ts'
import type { Finding, Moment, WatchedServer, WatchedSession, WatchedStation, WatchedWebhook } from './watched.ts'

interface Watched {
  readonly station: WatchedStation
  readonly session: WatchedSession
  readonly webhook: WatchedWebhook
  readonly server: WatchedServer
}

export type Subject = keyof Watched

export interface Kind {
  readonly selects: boolean
  readonly afterSeconds: number
  readonly finds: { readonly [On in Subject]?: (watched: Watched[On], moment: Moment) => Finding | undefined }
}

const MINUTE_SECONDS = 60
const LITTLE_DISK_BYTES = 1024 ** 3
const MEBIBYTE = 1024 ** 2
/** Beyond this the times of a station's messages are repaired anyway. */
const CLOCK_TOLERANCE_MS = 60_000
/** A share of few messages says nothing. */
const FEWEST_ERRORS = 10
const ERROR_SHARE = 0.05

export const KINDS: Readonly<Record<AlertKind, Kind>> = {
  offline: { selects: true, afterSeconds: 10 * MINUTE_SECONDS, finds: { station: offline } },
  faulted: { selects: true, afterSeconds: MINUTE_SECONDS, finds: { station: faulted } },
  errorRate: { selects: false, afterSeconds: 5 * MINUTE_SECONDS, finds: { server: manyErrors } },
  sessionWithoutEnergy: { selects: true, afterSeconds: 15 * MINUTE_SECONDS, finds: { session: withoutEnergy } },
  webhookFailing: { selects: false, afterSeconds: 15 * MINUTE_SECONDS, finds: { webhook: failing } },
  disk: { selects: false, afterSeconds: 0, finds: { server: littleDisk } },
  clock: { selects: true, afterSeconds: 5 * MINUTE_SECONDS, finds: { station: wrongClock, server: clockPutBack } },
  certificateFailed: { selects: true, afterSeconds: 0, finds: { station: withoutCertificate } },
}

function offline(station: WatchedStation, { runningSince }: Moment): Finding | undefined {
  if (station.online) return undefined
  return { since: Math.max(station.lastSeenAt ?? station.createdAt, runningSince), facts: aboutStation(station) }
}

function faulted(station: WatchedStation): Finding | undefined {
  const found = station.connectors.filter(({ status }) => status === 'Faulted')
  if (found.length === 0) return undefined
  const connectors = found.map(({ evseId, connectorId }) => evseId ?? connectorId)
  const errorCode = found.map((connector) => connector.errorCode).find((code) => code !== undefined)
  return { facts: { ...aboutStation(station), connectors, ...(errorCode !== undefined && { errorCode }) } }
}

function manyErrors({ messages, errors }: WatchedServer): Finding | undefined {
  if (errors < FEWEST_ERRORS || errors < messages * ERROR_SHARE) return undefined
  return { facts: { percent: Math.round((100 * errors) / Math.max(messages, errors)) } }
}

function withoutEnergy(session: WatchedSession): Finding | undefined {
  if (session.state !== 'charging' || session.energyMilliWh > 0) return undefined
  const facts = { stationId: session.chargePointId, sessionId: session.id }
  // What comes from a queue is known since it came (SESSION-T1): its energy may be a moment behind.
  return { since: Math.max(session.startedAt ?? 0, session.createdAt), facts }
}

function failing({ id, url, status, disabledReason, disabledAt, failingSince }: WatchedWebhook): Finding | undefined {
  const isGivenUp = status === 'disabled' && (disabledReason === 'failing' || disabledReason === 'gone')
  const since = failingSince ?? (isGivenUp ? disabledAt : undefined)
  if (!isGivenUp && (status !== 'active' || since === undefined)) return undefined
  return { since, facts: { webhookId: id, url } }
}

function littleDisk({ freeBytes, diskHolds }: WatchedServer): Finding | undefined {
  if (freeBytes === undefined || freeBytes >= LITTLE_DISK_BYTES) return undefined
  return { facts: { mebibytes: Math.floor(freeBytes / MEBIBYTE), diskHolds } }
}

function wrongClock(station: WatchedStation): Finding | undefined {
  const { online, clockSkewMs } = station
  if (!online || clockSkewMs === undefined || Math.abs(clockSkewMs) <= CLOCK_TOLERANCE_MS) return undefined
  return { facts: { ...aboutStation(station), seconds: Math.round(clockSkewMs / 1000) } }
}

function clockPutBack({ newestRowAt }: WatchedServer, { now }: Moment): Finding | undefined {
  if (newestRowAt === undefined || newestRowAt <= now + CLOCK_TOLERANCE_MS) return undefined
  return { facts: { seconds: Math.round((now - newestRowAt) / 1000) } }
}

function withoutCertificate(station: WatchedStation): Finding | undefined {
  const { certificateFailure: failure } = station
  return failure && { since: failure.at, facts: { ...aboutStation(station), reason: failure.reason } }
}

function aboutStation({ id, name, labels }: WatchedStation): Finding['facts'] {
  const site = labels?.site
  return { stationId: id, stationName: name, site }
}

/** The rules that nearly every account needs (ALERT-A7). */
export interface SuggestedRule {
  readonly kind: AlertKind
  readonly afterSeconds: number
}

const SUGGESTED: readonly SuggestedRule[] = [
  { kind: 'offline', afterSeconds: 15 * 60 },
  { kind: 'faulted', afterSeconds: 5 * 60 },
  { kind: 'sessionWithoutEnergy', afterSeconds: 15 * 60 },
  { kind: 'webhookFailing', afterSeconds: 15 * 60 },
  { kind: 'disk', afterSeconds: 0 },
]

export function suggestedBeside(rules: readonly Pick<AlertRule, 'kind'>[]): readonly SuggestedRule[] {
  return SUGGESTED.filter(({ kind }) => !rules.some((rule) => rule.kind === kind))
}
