/** Turns a decision into a change set: applied to memory, with the events and ledger entries that follow. */

import { createEmission, followingEventId, freshEventId, recordEvents } from '../../domain/events/emission.ts'
import { later } from '../../domain/locations/rules.ts'
import { logIdTime, newUuid } from '../../domain/message-log/log-id.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { NewEvent, SettlementEntry } from '../../domain/ports/storage-webhooks.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import { added } from '../../domain/sessions/draft.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import type { CoreContext, Decisions, SettledBy } from '../context.ts'
import { wakeTime } from './wake-ups.ts'

interface AppliedContext extends Pick<CoreContext, 'stations' | 'clock' | 'random' | 'wakeUps' | 'settings'> {
  readonly follow: (stationId: string, records: readonly RecordChange[]) => void
}

/** Of which the last change is remembered; far more than change within a millisecond. */
const MAX_LOCATIONS = 100_000

export function createDecisions(parts: AppliedContext): Decisions {
  const { stations, settings, random } = parts
  // One context is made for each message: what is the same for all is made once.
  const nextTransactionId = (): string => stations.nextTransactionId()
  const newSessionId = (now: number): string => newUuid(now, random)
  const changedAt = new Map<string, number>()
  const changeTime = (locationId: string, at: number): number => {
    const time = later(at, changedAt.get(locationId))
    keepNewest(changedAt, locationId, time, MAX_LOCATIONS)
    return time
  }
  const isUsedUp = (token: IdToken): boolean => stations.budgets.isUsedUp(token)
  return {
    contextOf: (
      { chargePoint: { accountId }, tariff, refusedTariffs, places, tariffVersions, automaticSettlement },
      now,
      commandId,
    ) => ({
      now,
      commandId,
      nextTransactionId,
      newSessionId,
      idTokens: stations.tokens(accountId),
      partnerTokens: stations.partnerTokens.isNone ? undefined : stations.partnerTokens.of(accountId),
      unknownIdTokens: settings.unknownIdTokens,
      isUsedUp,
      changeTime,
      transferAnswer: (vendorId) => stations.transferAnswers.find(accountId, vendorId),
      tariff,
      refusedTariffs,
      places,
      tariffVersions,
      automaticSettlement,
      settings: settings.sessions,
    }),
    applied: createApplied(parts),
  }
}

export function createApplied({
  stations,
  clock,
  random,
  wakeUps,
  settings,
  follow,
}: AppliedContext): Decisions['applied'] {
  const usual = createEmission(settings, freshEventId(random))
  const following = createEmission(settings, followingEventId)
  return (station, decision, row, settledBy, decidedBy) => {
    const state = station.state
    if (!state) throw new Error('The state of the charge point is not loaded.')
    const emission = decidedBy ? following : usual
    let events: NewEvent[] | undefined
    let settlements: SettlementEntry[] | undefined
    // Deciding again must give the same result (STORE-J6).
    const now = decidedBy && row ? logIdTime(row.id) : clock.now()
    const sessions = decision.changes.sessions?.map((after) => {
      const before = state.sessions.get(after.id)
      if (after.settlementCount !== before?.settlementCount) {
        settlements = added(settlements, ledgerEntry(after, now, settledBy))
      }
      const emitted = emission.ofSession(before, after, now, row?.id)
      if (emitted.event) events = added(events, emitted.event)
      if (emitted.suspect) events = added(events, emitted.suspect)
      return emitted.session
    })
    const { status, connectors, transactions, idTokens, records, events: happened } = decision.changes
    if (happened) {
      const at = { accountId: state.accountId, chargePointId: station.id }
      for (const event of happened) events = added(events, emission.ofDecision(event, at, now, row?.id))
    }
    if (records) {
      const at = { accountId: state.accountId, chargePointId: station.id }
      for (const event of recordEvents(records, state.records)) {
        events = added(events, emission.ofDecision(event, at, now, row?.id))
      }
      follow(station.id, records)
    }
    state.apply({ status, connectors, transactions, sessions, records })
    if (idTokens) stations.rememberTokens(state.accountId, idTokens)
    if (transactions?.some((transaction) => !transaction.open)) state.prune()
    if (sessions || transactions || records) wakeUps.set(station.id, wakeTime(state, settings.sessions, now))
    return {
      chargePointId: station.id,
      command: row && 'method' in row ? row : undefined,
      answer: row && 'method' in row ? undefined : row,
      status,
      connectors,
      transactions,
      sessions,
      idTokens,
      events,
      settlements,
      records,
      decidedBy,
    }
  }
}

/** COST-L5: the newest entry has the session's figures. */
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
