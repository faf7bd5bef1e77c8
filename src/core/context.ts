import { decide } from '../domain/blocks/decide.ts'
import { nextLogId } from '../domain/message-log/log-id.ts'
import type { Priority, Purpose } from '../domain/outgoing-calls/records.ts'
import type { ConfigurationOrder, DesiredName } from '../domain/ports/blocks.ts'
import type { CertificateSigner, Clock, CoreStatistics, Log, SocketEvents } from '../domain/ports/core.ts'
import type { Ownership } from '../domain/ports/nodes.ts'
import type { CoreStore, Writes } from '../domain/ports/storage.ts'
import type { ChangeSet, Command, CommandAnswer, DecidedBy } from '../domain/ports/storage-records.ts'
import type { SettlementEntry } from '../domain/ports/storage-webhooks.ts'
import type { RecordKind } from '../domain/records/records.ts'
import type { Decision, DecisionContext, Input, Request } from '../domain/sessions/decision.ts'
import type { OutgoingCall } from '../ocpp/translate/payload.ts'
import type { OcppVersion } from '../ocpp/version.ts'
import type { SealedBox } from '../secrets/sealed-box.ts'
import type { RowLimit } from './connections/row-limit.ts'
import type { CoreSettings } from './core-settings.ts'
import type { Engine } from './groups/engine.ts'
import type { WakeUps } from './groups/wake-ups.ts'
import type { LateAnswers } from './inbound/late-answers.ts'
import type { Station, StationState } from './memory/station.ts'
import type { Stations } from './memory/stations.ts'
import type { CallOutcome } from './outbound/call-outcome.ts'

export type CoreCounters = {
  -readonly [Name in 'messages' | 'callErrors' | 'malformedFrames' | 'repeatedMessages']: CoreStatistics[Name]
}

/** Absent where the rules decide: they make the first settlement (COST-L4) and correct a late stop's (HOOK-M5). */
export type SettledBy = Pick<SettlementEntry, 'by' | 'reason'>

export interface Decisions {
  readonly contextOf: (station: Station, now: number, commandId?: number) => DecisionContext
  readonly applied: (
    station: Station,
    decision: Decision,
    row?: Command | CommandAnswer,
    settledBy?: SettledBy,
    decidedBy?: DecidedBy,
  ) => ChangeSet
}

export interface CallFor<P extends Purpose = Purpose> {
  readonly station: Station
  readonly call: OutgoingCall
  readonly version: OcppVersion
  readonly purpose: P
  /** Public id of its row in the log. */
  readonly commandId: string
}

export interface PurposeRule<P extends Purpose> {
  /** Absent: `rest`. */
  readonly priority?: (call: OutgoingCall) => Priority
  /** Through reconnects and restarts. Absent: it leaves on this connection or never. */
  readonly waitsUntil?: 'expiry'
  /** Asked before it is sent. True: what it was for came about without it, and it never is. */
  readonly isOver?: (call: CallFor<P>, state: StationState) => boolean
  readonly input?: (call: CallFor<P>, outcome: CallOutcome) => Input | undefined
  /** Its outcome was committed; also the one that comes after a time-out. */
  readonly settled?: (context: CoreContext, call: CallFor<P>, outcome: CallOutcome, answer: CommandAnswer) => void
}

export type PurposeOf<Kind extends Purpose['kind']> = Extract<Purpose, { readonly kind: Kind }>
export type Purposes = { readonly [Kind in Purpose['kind']]: PurposeRule<PurposeOf<Kind>> }

interface Configurations {
  /** Derives these stations' desired state from the configurations. Resolves when committed. */
  settle(order: ConfigurationOrder): Promise<void>
  look(station: Station): void
  /** One of them was changed; without its name any of them may have been. */
  changed(accountId: string, desired?: DesiredName): void
}

interface Reconciler {
  /** @param changed looks only at what a record of this kind may make due */
  wake(station: Station, changed?: RecordKind): void
  answered(station: Station, purpose: Purpose['kind']): void
  /** It has a new connection. @returns whether something waits for the first word on it */
  reconnected(station: Station): boolean
  /** At start, and when a node has ended. @param goesOn this process has it already, and its work goes on */
  resume(goesOn: (chargePointId: string) => boolean): Promise<void>
  stop(): void
}

export interface CoreContext {
  readonly clock: Clock
  readonly random: (bytes: number) => Buffer
  readonly settings: CoreSettings
  readonly log: Log
  readonly sockets: SocketEvents
  readonly counters: CoreCounters
  readonly store: CoreStore
  readonly writes: Writes
  readonly signer: CertificateSigner
  readonly lateAnswers: LateAnswers
  /** There is a service that knows VAT numbers (OCPP21-C8). */
  readonly asksNumbers: boolean
  /** `salt` goes into public command ids (domain/message-log/log-id.ts). */
  readonly logIds: LogIds & { readonly salt: bigint }
  /** Set where several nodes share the database (STORE-N8). */
  readonly nodes: {
    readonly ownership: Ownership | undefined
    /** Another node owns it, or did for a while: drops its memory and sockets. */
    readonly lose: (stationId: string) => void
  }
  /** For requests of calls that are kept (OCPP-RP16), and for desired values that are secrets (CONFIG-A10). */
  readonly sealed: { readonly calls: SealedBox; readonly values: SealedBox }
  readonly engine: Engine
  readonly stations: Stations
  readonly decisions: Decisions
  readonly wakeUps: WakeUps
  readonly rowLimit: RowLimit
  readonly outgoing: {
    readonly purposes: Purposes
    readonly ask: (station: Station, request: Request) => void
  }
  readonly desired: {
    readonly reconciler: Reconciler
    readonly configurations: Configurations
    readonly placing: { wake(stationId: string): void; wakeAll(): Promise<void>; stop(): void }
  }
}

export const NO_CHANGES: Decision = { outcome: {}, changes: {} }

/** @throws when the station's state is not loaded, which the engine ensures */
export function decideOn(
  context: CoreContext,
  station: Station,
  input: Input,
  now: number = context.clock.now(),
  commandId?: number,
  ...also: readonly Input[]
): Decision {
  if (!station.state) throw new Error('The state of the charge point is not loaded.')
  return decide(station.state, input, context.decisions.contextOf(station, now, commandId), ...also)
}

/** Log ids in commit order: the core decides in the order in which it commits (SEARCH-Q6). */
interface LogIds {
  /** At the row's time; after a clock step back, the newest time so far. */
  next(now: number): number
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
