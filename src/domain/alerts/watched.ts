import type { CoreStatistics } from '../ports/core.ts'
import type { Connector, Session } from '../ports/sessions.ts'
import type { Subscription } from '../ports/storage-webhooks.ts'
import type { Selectable } from '../selector.ts'
import type { AlertFacts } from './records.ts'

export interface CertificateFailure {
  readonly at: number
  readonly reason: string | undefined
}

export interface WatchedStation extends Selectable {
  readonly name?: string | undefined
  readonly createdAt: number
  readonly online: boolean
  readonly lastSeenAt?: number | undefined
  readonly connectors: readonly Pick<Connector, 'connectorId' | 'evseId' | 'status' | 'errorCode'>[]
  readonly clockSkewMs?: number | undefined
  /** Why it waits in vain for a certificate, since when (CERT-C27). Read where a rule of the account asks for it. */
  readonly certificateFailure?: CertificateFailure | undefined
}

export type WatchedSession = Pick<
  Session,
  'id' | 'chargePointId' | 'state' | 'energyMilliWh' | 'startedAt' | 'createdAt'
>

export type WatchedWebhook = Pick<
  Subscription,
  'id' | 'url' | 'status' | 'disabledReason' | 'disabledAt' | 'failingSince'
>

export interface WatchedServer {
  readonly freeBytes?: number | undefined
  /** What that disk holds. With PostgreSQL the database is on another machine's. */
  readonly diskHolds: 'database' | 'files'
  readonly newestRowAt?: number | undefined
  /** Messages of late, and how many of them were answered with an error. */
  readonly messages: number
  readonly errors: number
}

export interface Moment {
  readonly now: number
  /** The server runs since then: before that it could not see whether a station was online. */
  readonly runningSince: number
}

export interface Finding {
  readonly since?: number | undefined
  readonly facts: AlertFacts
}

/** How many messages of the last five minutes were answered with an error: differences of counters that only rise. */
const WINDOW_MS = 5 * 60_000

type Counted = Pick<CoreStatistics, 'messages' | 'callErrors'>

interface ErrorWindow {
  add(at: number, counted: Counted): { readonly messages: number; readonly errors: number }
}

export function errorWindow(): ErrorWindow {
  let samples: readonly (Counted & { readonly at: number })[] = []
  return {
    add(at, { messages, callErrors }) {
      // The newest one from before the window is where it begins.
      const begin = Math.max(
        0,
        samples.findLastIndex((sample) => sample.at <= at - WINDOW_MS),
      )
      samples = [...samples.slice(begin), { at, messages, callErrors }]
      const [first] = samples
      return { messages: messages - (first?.messages ?? 0), errors: callErrors - (first?.callErrors ?? 0) }
    },
  }
}
