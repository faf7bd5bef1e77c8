/** What the steps of the core share: its parts, its settings, and the one way to a decision. */

import { nextLogId } from '../domain/message-log/log-id.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { SocketEvents } from '../domain/ports/core.ts'
import type { Log } from '../domain/ports/log.ts'
import type { Ownership } from '../domain/ports/nodes.ts'
import type { IdToken } from '../domain/ports/sessions.ts'
import type { ChangeSet, Command, CommandAnswer, Writes } from '../domain/ports/storage.ts'
import type { SettlementEntry } from '../domain/ports/storage-webhooks.ts'
import { decide } from '../domain/sessions/decide.ts'
import type { Decision, DecisionContext, Input, Request } from '../domain/sessions/decision.ts'
import type { SealedBox } from '../secrets/sealed-box.ts'
import type { RowLimit } from './connections/row-limit.ts'
import type { CoreSettings } from './core-settings.ts'
import type { Engine } from './groups/engine.ts'
import type { Station } from './memory/station.ts'
import type { Stations } from './memory/stations.ts'
import type { Purposes } from './outbound/purpose-rule.ts'
import type { PasswordChanges } from './reconcile/password-changes.ts'
import type { ProfileJobs } from './reconcile/profile-jobs.ts'
import type { CertificateRenewal } from './reconcile/renewal.ts'
import type { CertificateWork } from './reconcile/signing.ts'

export interface CoreCounters {
  messages: number
  callErrors: number
  malformedFrames: number
  repeatedMessages: number
}

/**
 * Who decided a settlement, if not the rules themselves: they make the first one (COST-L4) and correct it after a late
 * stop (HOOK-M5).
 */
export type SettledBy = Pick<SettlementEntry, 'by' | 'reason'>

export interface CoreContext {
  readonly clock: Clock
  readonly settings: CoreSettings
  readonly sockets: SocketEvents
  readonly log: Log
  readonly counters: CoreCounters
  /** At the row's time; a clock that stepped back gives the newest time so far. */
  readonly nextLogId: (now: number) => number
  /** Mixed into public command ids (domain/message-log/log-id.ts). */
  readonly salt: bigint
  /** Where several nodes share the database (STORE-N8). */
  readonly ownership: Ownership | undefined
  /** It belongs to another node, or did for a while: memory and sockets of it end. */
  readonly lose: (stationId: string) => void
  readonly engine: Engine
  readonly rowLimit: RowLimit
  readonly stations: Stations
  /** What follows from the purpose of an outgoing call (purposes.ts). */
  readonly purposes: Purposes
  /** For what is kept of their requests (OCPP-RP16). */
  readonly sealedCalls: SealedBox
  /** OCPP-AU6 */
  readonly passwords: Pick<Writes, 'updateChargePoint'>
  readonly decisionContext: (station: Station, now: number, commandId?: number) => DecisionContext
  /** Applies a decision to memory and returns what must be stored with it (applied.ts). */
  readonly applied: (
    station: Station,
    decision: Decision,
    row?: Command | CommandAnswer,
    settledBy?: SettledBy,
  ) => ChangeSet
  /** For desired values that are secrets (CONFIG-A10). */
  readonly sealedValues: SealedBox
  /** Sends what is wanted of it, if something is due (intents.ts). */
  readonly reconcileIntents: (station: Station) => void
  /** Asks for the report that is due or wanted (reports.ts). */
  readonly reconcileReports: (station: Station) => void
  /** A connection of it was heard for the first time. */
  readonly greeted: (station: Station) => void
  /** Asks what a decision wants to know, where it is not told by itself (questions.ts). */
  readonly ask: (station: Station, request: Request) => void
  readonly certificates: CertificateWork
  readonly renewal: CertificateRenewal
  readonly profileJobs: ProfileJobs
  readonly passwordChanges: PasswordChanges
  readonly findIdToken: (accountId: string, id: string) => Promise<IdToken | undefined>
}

/** For what is stored without anything to decide. */
export const NO_CHANGES: Decision = { outcome: {}, changes: {} }

/** Decides on the station's state as it is now. @throws when that is not loaded, which the engine sees to */
export function decideOn(
  context: CoreContext,
  station: Station,
  input: Input,
  now: number = context.clock.now(),
  commandId?: number,
  also?: Input,
): Decision {
  if (!station.state) throw new Error('The state of the charge point is not loaded.')
  return decide(station.state, input, context.decisionContext(station, now, commandId), also)
}

/** Log ids in commit order: the core decides in the order in which it commits (SEARCH-Q6). */
export interface LogIds {
  next(now: number): number
  /** Somebody else gave this one to a charge point that is ours now. */
  raise(id: number): void
}

/** @param slot of this node beside others (STORE-I1) */
export function createLogIds(last: number, slot?: () => number): LogIds {
  let newest = last
  return {
    next(now) {
      newest = nextLogId(newest, now, slot?.())
      return newest
    },
    raise(id) {
      newest = Math.max(newest, id)
    },
  }
}
