/** What the steps of the core share: its parts, its settings, and how a decision becomes a change set. */
import type { Clock } from '../clock.ts'
import { nextLogId } from '../commands/log-id.ts'
import type { Decision, DecisionContext, Request } from '../sessions/decision.ts'
import type { IdToken, Session } from '../sessions/model.ts'
import { sessionRecord, transactionRecord } from '../sessions/records.ts'
import type { ChangeSet, Command, CommandAnswer } from '../storage/store.ts'
import type { SessionEvent, SettlementEntry } from '../storage/webhook-store.ts'
import type { Emission } from '../webhooks/emission.ts'
import type { SocketEvents } from './core.ts'
import type { Engine } from './engine.ts'
import { wakeTime } from './figures.ts'
import type { CoreSettings } from './settings.ts'
import type { Station } from './station.ts'
import type { Stations } from './stations.ts'

export interface CoreLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface CoreCounters {
  messages: number
  callErrors: number
  malformedFrames: number
  repeatedMessages: number
}

/** Who decided a settlement, if not the rules themselves: they make the first one (L4) and correct it after a late stop (M5). */
export type SettledBy = Pick<SettlementEntry, 'by' | 'reason'>

export interface CoreContext {
  readonly clock: Clock
  readonly settings: CoreSettings
  readonly sockets: SocketEvents
  readonly log: CoreLog
  readonly counters: CoreCounters
  /** At the row's time; a clock that stepped back gives the newest time so far. */
  readonly nextLogId: (now: number) => number
  /** Mixed into public command ids (commands/log-id.ts). */
  readonly salt: bigint
  readonly engine: Engine
  readonly stations: Stations
  readonly decisionContext: (station: Station, now: number) => DecisionContext
  /** Applies a decision to memory and returns what must be stored with it. */
  readonly applied: (
    station: Station,
    decision: Decision,
    row?: Command | CommandAnswer,
    settledBy?: SettledBy,
  ) => ChangeSet
  /** Sends what a decision asked for, where version and connection allow. */
  readonly ask: (station: Station, request: Request) => void
  readonly findIdToken: (accountId: string, id: string) => Promise<IdToken | undefined>
}

export function createApplied(
  stations: Stations,
  clock: Clock,
  emission: Emission | undefined,
  wake: (station: Station, at: number | undefined) => void,
  settings: CoreSettings,
): CoreContext['applied'] {
  return (station, decision, row, settledBy) => {
    const state = station.state
    if (!state) throw new Error('The state of the charge point is not loaded.')
    const events: SessionEvent[] = []
    const settlements: SettlementEntry[] = []
    const now = clock.now()
    const sessions = decision.changes.sessions?.map((after) => {
      const before = state.sessions.get(after.id)
      if (after.settlementCount !== before?.settlementCount) settlements.push(ledgerEntry(after, now, settledBy))
      const emitted = emission?.(before, after, now, row?.id)
      if (emitted?.event) events.push(emitted.event)
      return sessionRecord(emitted?.session ?? after)
    })
    const { status, connectors, idTokens } = decision.changes
    const transactions = decision.changes.transactions?.map(transactionRecord)
    state.apply({ status, connectors, transactions, sessions })
    if (idTokens) stations.rememberTokens(state.accountId, idTokens)
    if (transactions?.some((transaction) => !transaction.open)) state.prune()
    if (sessions || transactions) wake(station, wakeTime(state, settings.sessions))
    return {
      chargePointId: station.id,
      command: row && 'method' in row ? row : undefined,
      answer: row && 'method' in row ? undefined : row,
      status,
      connectors,
      transactions,
      sessions,
      idTokens,
      events: events.length > 0 ? events : undefined,
      settlements: settlements.length > 0 ? settlements : undefined,
    }
  }
}

/** L5: the ledger's newest entry has the figures that the session shows. */
function ledgerEntry(session: Session, at: number, settledBy: SettledBy | undefined): SettlementEntry {
  const { id, settlementCount = 1, energyMilliWh, cost } = session
  const byRule = { by: 'pilotwire', reason: settlementCount === 1 ? 'automatic settlement' : 'late stop' }
  return {
    sessionId: id,
    number: settlementCount,
    energyMilliWh,
    ...(cost && { costMicros: cost.micros, currency: cost.currency }),
    at,
    ...(settledBy ?? byRule),
  }
}

/** Log ids in commit order: the core decides in the order in which it commits (Q6). */
export function createLogIds(last: number): (now: number) => number {
  let newest = last
  return (now) => {
    newest = nextLogId(newest, now)
    return newest
  }
}
