/** Decides a charge point's steps again, in memory, by the same rules (HOOK-B3). */

import { decide, lookups, nextWake } from '../../domain/blocks/decide.ts'
import { changeKind } from '../../domain/events/emission.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { ChargePointState, FrozenTariff, Session } from '../../domain/ports/sessions.ts'
import type { ChargePoint, Command } from '../../domain/ports/storage-records.ts'
import type { EventRecord } from '../../domain/ports/storage-webhooks.ts'
import type { Decision, DecisionContext, Input, SessionSettings } from '../../domain/sessions/decision.ts'
import { representationsDiffer } from '../../domain/sessions/figures/representation.ts'
import type { Payload } from '../../ocpp/translate/payload.ts'
import { StationState } from '../memory/station.ts'

export interface Snapshot {
  readonly at: number
  readonly cause?: number
  readonly kind: EventRecord['kind']
  readonly session: Session
}

interface ReplayContext {
  readonly chargePoint: ChargePoint
  readonly steps: readonly Step[]
  /** The tariff of the rebuilt session, for sessions that start (COST-L1). */
  readonly tariff?: FrozenTariff
  readonly automaticSettlement?: true
  /** Known before the first step (ENERGY-N3). */
  readonly relativeMeter: boolean
  readonly settings: SessionSettings
  readonly until: number
}

export interface Replayed {
  readonly state: StationState
  readonly snapshots: ReadonlyMap<string, readonly Snapshot[]>
}

export function replay(parts: ReplayContext): Replayed {
  const { chargePoint, steps, relativeMeter, settings, until } = parts
  const status = relativeMeter ? { relativeMeter } : {}
  const state = new StationState({ chargePoint, status, connectors: [], transactions: [], sessions: [] })
  // Whatever it is today: an answered message came from an accepted charge point.
  state.registrationStatus = 'Accepted'
  const snapshots = new Map<string, Snapshot[]>()
  let sessions = 0
  let numbers = 0
  const contextOf = (now: number, input: Input, step?: Step): DecisionContext => ({
    now,
    nextTransactionId: () => step?.transactionId ?? `unanswered-${++numbers}`,
    newSessionId: () => `rebuilt-${++sessions}`,
    idTokens: step?.tokens?.(lookups(input).idTokens) ?? new Map(),
    unknownIdTokens: 'reject',
    tariff: parts.tariff,
    automaticSettlement: parts.automaticSettlement,
    settings,
  })
  const apply = ({ changes }: Decision, at: number, cause?: number): void => {
    for (const after of changes.sessions ?? []) {
      const before = state.sessions.get(after.id)
      if (before && !representationsDiffer(before, after)) continue
      const snapshot = { at, kind: changeKind(before, after), session: after, cause }
      const kept = snapshots.get(after.id)
      if (kept) kept.push(snapshot)
      else snapshots.set(after.id, [snapshot])
    }
    state.apply(changes)
  }
  const passTime = (to: number): void => {
    for (;;) {
      const wake = nextWake(state, settings)
      if (wake === undefined || wake > to) return
      const input: Input = { kind: 'tick' }
      const decision = decide(state, input, contextOf(wake, input))
      // A wake-up without a change would repeat forever.
      if (!decision.changes.sessions && !decision.changes.transactions) return
      apply(decision, wake)
    }
  }
  for (const step of [...steps].sort((a, b) => a.at - b.at || a.order - b.order)) {
    passTime(step.at - 1)
    const input = step.input(state)
    if (input) apply(decide(state, input, contextOf(step.at, input, step)), step.at, step.cause)
  }
  passTime(until)
  return { state, snapshots }
}

/** One thing that happened to a charge point, to be decided again (HOOK-B3). */
export interface Step {
  readonly at: number
  /** Log order within one millisecond. */
  readonly order: number
  /** Log id of the events' cause. */
  readonly cause?: number
  readonly input: (state: ChargePointState) => Input | undefined
  readonly transactionId?: string
  /** The tokens as they were then, from the answers about them. */
  readonly tokens?: (ids: readonly string[]) => ReadonlyMap<string, IdToken>
}

export function responseOf({ response = '{}' }: Command): Payload {
  return JSON.parse(response) as Payload
}
