/**
 * Limits that a station of OCPP 2.1 enforces by itself (OCPP21-C3), and what it reports of a charge beside (OCPP21-B5,
 * OCPP21-B8). Our own stop stays as the backstop (limits.ts). Pure.
 */
import type { Outcome, Session } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import type { Draft } from '../draft.ts'
import { withTax } from '../figures/station-cost.ts'
import { isTerminal } from '../states/transition.ts'
import type { ReportedTerms, SessionLimitsChanged, StationLimitKind, StationLimits, StationTerms } from './records.ts'

type TransactionEvent = Extract<Input, { kind: 'transactionEvent' }>
type Name = keyof StationLimits

/** The member of each kind, its bit of what a station supports, and by how much a confirmation may be rounded. */
export const STATION_LIMITS: Readonly<
  Record<StationLimitKind, { readonly name: Name; readonly bit: number; readonly step: number }>
> = {
  energy: { name: 'energyMilliWh', bit: 1, step: 1000 },
  cost: { name: 'costMicros', bit: 2, step: 10_000 },
  duration: { name: 'durationMs', bit: 4, step: 1000 },
  stateOfCharge: { name: 'stateOfCharge', bit: 8, step: 1 },
}
const RULES = Object.values(STATION_LIMITS)
const ALL = 15

const REACHED: ReadonlyMap<string, StationLimitKind> = new Map([
  ['energylimitreached', 'energy'],
  ['costlimitreached', 'cost'],
  ['timelimitreached', 'duration'],
  ['soclimitreached', 'stateOfCharge'],
])

/** What a message says, with its session. @param isNewest none of a later place in the station's order came before */
export function withReport(session: Session, input: TransactionEvent, isNewest: boolean): Session {
  const { atStation: reported, event, at } = input
  if (!reported || (session.atStation === undefined && saysNothing(reported, input.trigger))) return session
  const before = session.atStation ?? {}
  const isFinal = event === 'ended'
  const keepsCost = reported.cost !== undefined && (isNewest || isFinal || before.cost === undefined)
  const after: StationTerms = {
    ...(isNewest ? withNewest(before, input) : before),
    tariffId: isNewest ? (reported.tariffId ?? before.tariffId) : (before.tariffId ?? reported.tariffId),
    cost: keepsCost && reported.cost ? { ...reported.cost, at: at.occurredAt, isFinal } : before.cost,
  }
  return isSame(before, after) ? session : { ...session, atStation: after }
}

function saysNothing({ limits, tariffId, cost }: ReportedTerms, trigger: string): boolean {
  if (limits !== undefined || tariffId !== undefined || cost !== undefined) return false
  const says = trigger.toLowerCase()
  return !REACHED.has(says) && says !== 'txresumed'
}

function withNewest(before: StationTerms, { atStation, trigger, activity, at }: TransactionEvent): StationTerms {
  const says = trigger.toLowerCase()
  const kind = REACHED.get(says)
  const limits = atStation?.limits && { ...before.limits, ...atStation.limits }
  const isResumed = says === 'txresumed'
  const reached = kind && kind !== before.reached?.kind ? { kind, at: at.occurredAt } : before.reached
  return {
    ...before,
    ...(limits && { limits, drivers: drivenBy(limits, before.sent?.limits) }),
    // One that goes on charging keeps no limit.
    reached: activity === 'charging' ? undefined : reached,
    // What it was sent may be lost (OCPP21-B8).
    ...(isResumed && { sent: undefined, resumedAt: at.occurredAt }),
  }
}

/** The driver's own: limits that are not as ours were sent. */
function drivenBy(limits: StationLimits, sent: StationLimits = {}): readonly Name[] | undefined {
  const own = RULES.filter(({ name, step }) => {
    const [reported, ours] = [limits[name], sent[name]]
    return reported !== undefined && (ours === undefined || Math.abs(reported - ours) > step)
  })
  return own.length > 0 ? own.map(({ name }) => name) : undefined
}

function isSame(before: StationTerms, after: StationTerms): boolean {
  const names = Object.keys({ ...before, ...after }) as readonly (keyof StationTerms)[]
  return names.every((name) => before[name] === after[name])
}

/** What the session cost when the station said what it reckons: both are of one moment. */
export function withOurCost(session: Session): Session {
  const { atStation, cost: ours } = session
  return atStation?.cost ? { ...session, atStation: { ...atStation, cost: { ...atStation.cost, ours } } } : session
}

/**
 * What is new or changed of ours and not lower already by the driver's will. @param supported bits; undefined: the
 * station did not say, so everything
 */
export function limitsDue(
  { limits = {}, tariff, atStation = {} }: Session,
  supported = ALL,
): StationLimits | undefined {
  const { sent, limits: reported = {}, drivers = [] } = atStation
  const { costMicros: net, energyMilliWh, durationMs } = limits
  const costMicros = net === undefined || !tariff ? undefined : (withTax(net, tariff) ?? net)
  const desired: StationLimits = { energyMilliWh, costMicros, durationMs }
  const due = RULES.flatMap(({ name, bit }): (readonly [Name, number])[] => {
    const limit = desired[name]
    if (limit === undefined || (supported & bit) === 0 || sent?.limits[name] === limit) return []
    const isLower = drivers.includes(name) && (reported[name] ?? limit) < limit
    return isLower ? [] : [[name, limit]]
  })
  return due.length > 0 ? Object.fromEntries(due) : undefined
}

/** For the answer; a message that is repeated gets what its first arrival got. */
export function answeredLimits(draft: Draft, input: TransactionEvent, isRepeated: boolean): StationLimits | undefined {
  const { atStation: reported, transactionId, sequenceNumber: by } = input
  const transaction = reported && draft.transaction(transactionId)
  const session = transaction && draft.session(transaction.sessionId)
  if (!transaction?.open || !session || isTerminal(session.state)) return undefined
  const { sent } = session.atStation ?? {}
  if (isRepeated) return sent?.by === by ? sent.last : undefined
  if (!session.limits || session.stopRequestedAt !== undefined) return undefined
  const model = draft.record('device_models', { chargePointId: draft.state.chargePointId })
  const last = limitsDue(session, model?.limits.chargeLimits)
  if (!last) return undefined
  draft.putSession({
    ...session,
    atStation: { ...session.atStation, sent: { limits: { ...sent?.limits, ...last }, last, by } },
  })
  return last
}

/** The station has suspended the charge at a limit: it goes on once the limit is raised, and no stop follows. */
export function isHeld({ state, suspendedBy, atStation }: Session): boolean {
  return atStation?.reached !== undefined && state === 'suspended' && suspendedBy === 'evse'
}

export function isEnforced({ atStation }: Session, kind: StationLimitKind): boolean {
  return atStation?.limits?.[STATION_LIMITS[kind].name] !== undefined
}

export function withBeyond(session: Session, beyondSince: number | undefined): Session {
  if (session.atStation?.beyondSince === beyondSince) return session
  return { ...session, atStation: { ...session.atStation, beyondSince } }
}

/** A limit can be changed, never removed (E16.FR.17). The next reading is judged by it. */
export function onSessionLimitsChanged(draft: Draft, { sessionId, limits }: SessionLimitsChanged): Outcome {
  const session = draft.session(sessionId)
  if (!session || isTerminal(session.state)) return { sessionId, refused: 'session_ended' }
  if (session.stopRequestedAt !== undefined) return { sessionId, refused: 'stop_requested' }
  draft.putSession({ ...session, limits: { ...session.limits, ...limits } })
  return { sessionId }
}
