/** What one charge may come to at most (SESSION-L1 to SESSION-L4). Pure; a charge without limits costs one look. */
import { isoTime } from '../../iso-time.ts'
import type { Budget, ChargeLimits, IdToken } from '../../ports/id-tokens.ts'
import type { FrozenTariff, LimitReached, Session, SessionLimits, StationTime } from '../../ports/sessions.ts'
import { localTariff } from '../../tariffs/places.ts'
import { withoutTax } from '../../tax.ts'
import { type Draft, happenedAt, happenedBefore } from '../draft.ts'
import { roundCost } from '../figures/cost.ts'
import { simpleAmount } from '../figures/priced.ts'
import { withStopRequest } from '../orders/stop-request.ts'
import { isTerminal } from '../states/transition.ts'
import { isEnforced, isHeld, withBeyond } from './at-station.ts'
import type { StationLimits, StationTerms } from './records.ts'

/** SESSION-L2: of two limits the smaller holds. Undefined where neither limits anything. */
export function tighter(a: SessionLimits | undefined, b: SessionLimits | undefined): SessionLimits | undefined {
  if (!a || !b) return a ?? b
  return {
    ...a,
    ...b,
    ...smaller('energyMilliWh', a, b),
    ...smaller('costMicros', a, b),
    ...smaller('durationMs', a, b),
  }
}

function smaller<Name extends keyof ChargeLimits>(name: Name, a: ChargeLimits, b: ChargeLimits): ChargeLimits {
  const [one, other] = [a[name], b[name]]
  return one === undefined || other === undefined ? {} : { [name]: Math.min(one, other) }
}

export function limitsOfToken({ id, sessionLimits, budget }: IdToken): SessionLimits | undefined {
  return budget ? { ...sessionLimits, budgetOf: id.toLowerCase() } : sessionLimits
}

/** TARIFF-A1: the first card that has a tariff of its own prices the charge. */
export function tariffByToken(
  { context: { places, settings } }: Draft,
  { tariff, evseId, connectorId }: Pick<Session, 'tariff' | 'evseId' | 'connectorId'>,
  own: FrozenTariff | undefined,
): FrozenTariff | undefined {
  if (!own || tariff?.isOfDriver) return tariff
  return { ...localTariff(own, places, { evseId, connectorId }, settings.timeZone), isOfDriver: true }
}

/** Limits and tariff of the shown card hold, but for what was ordered. @param at when shown @param began its charge */
export function limitByToken(
  draft: Draft,
  session: Session,
  idToken: string,
  at: StationTime,
  began: StationTime = at,
): Session {
  const token = draft.context.idTokens.get(idToken.toLowerCase())
  if (!token) return session
  const known = limitsOfToken({ ...token, budget: budgetThen(draft, token, at) })
  const isLate = session.limits?.budgetOf === undefined && happenedBefore(draft, began, session.createdAt)
  const limits = known?.budgetOf && isLate ? { ...known, budgetAt: happenedAt(began, draft.status) } : known
  const priority = session.priority ?? token.priority
  const tariff = tariffByToken(draft, session, token.tariff)
  if (!limits && priority === session.priority && tariff === session.tariff) return session
  return { ...session, limits: tighter(session.limits, limits), priority, tariff }
}

/** SESSION-T3: one that the card was given later is none of this charge. */
export function budgetThen(draft: Draft, { budget }: IdToken, at: StationTime): Budget | undefined {
  return budget?.since !== undefined && happenedBefore(draft, at, budget.since) ? undefined : budget
}

/** OCPP21-C3: what a station that enforces a limit by itself has to say so after our figures have reached it. */
const STATION_TIMEOUT_MS = 3000

/** SESSION-L1: its figures have reached a limit: it is stopped, unless its station keeps the limit. */
export function stoppedAtLimit(session: Session, now: number): Session {
  if (session.limits === undefined || !mayStop(session)) return session
  const reached = isHeld(session) ? undefined : reachedBy(session, session.limits, now)
  if (!reached) return withBeyond(session, undefined)
  const { beyondSince = now } = session.atStation ?? {}
  const mayWait = isEnforced(session, reached.kind) && now < beyondSince + STATION_TIMEOUT_MS
  return mayWait ? withBeyond(session, beyondSince) : stopped(session, reached, now)
}

/** What waits in a queue follows within this time. */
const QUEUE_PAUSE_MS = 5 * 60_000

/** SESSION-T5: figures of a late message are those of then. @param at station time of the message */
export function stoppedAtLimitThen(draft: Draft, session: Session, at: number): Session {
  const { now } = draft
  const said = { occurredAt: at, receivedAt: now, original: '' }
  if (session.limits === undefined || !happenedBefore(draft, said, now)) return stoppedAtLimit(session, now)
  const queued = { ...session, limits: { ...session.limits, queuedUntil: now + QUEUE_PAUSE_MS } }
  return stoppedAtLimit(queued, happenedAt(said, draft.status))
}

/** TOKEN-Z6: another one decided that its budget is used up. */
export function onBudgetUsedUp(draft: Draft, sessionId: string, reached: LimitReached): void {
  const session = draft.session(sessionId)
  if (session && mayStop(session)) draft.putSession(stopped(session, reached, draft.now))
}

/** SESSION-L3: no message comes when the time is over. */
export function stopAtLimits(draft: Draft): void {
  for (const session of draft.sessions()) {
    if ((foreseenAt(session) ?? Number.POSITIVE_INFINITY) > draft.now) continue
    draft.putSession(stoppedAtLimit(session, draft.now))
  }
}

/** When time alone makes it reach a limit; undefined: never, or it was stopped. */
export function foreseenAt(session: Session): number | undefined {
  const { limits, startedAt } = session
  if (limits === undefined || startedAt === undefined || !mayStop(session) || isHeld(session)) return undefined
  const { beyondSince } = session.atStation ?? {}
  if (beyondSince !== undefined) return beyondSince + STATION_TIMEOUT_MS
  const { durationMs = Number.POSITIVE_INFINITY } = limits
  const after = Math.min(durationMs, paidFor(session, limits))
  return after === Number.POSITIVE_INFINITY ? undefined : Math.max(startedAt + after, limits.queuedUntil ?? 0)
}

/** For how long the limit of cost pays the minutes, whatever else stays as it is. */
function paidFor({ tariff, cost, energyMilliWh, idleMs = 0 }: Session, limits: SessionLimits): number {
  if (limits.costMicros === undefined || !tariff?.perMinuteMicros || !cost) return Number.POSITIVE_INFINITY
  const { netMicros } = simpleAmount(tariff, { energyMilliWh, elapsedMs: 0, idleMs }, false)
  const perMinute = withoutTax(tariff.perMinuteMicros, tariff)
  return Math.ceil((Math.max(0, limits.costMicros - netMicros) / perMinute) * 60_000)
}

/** Reported with the final figures (SESSION-L4); a budget with the figures when it was used up. */
export function finallyReached(session: Session): Session {
  const { limitReached: reported, startedAt, stoppedAt } = session
  if (!reported || reported.per) return session
  const lasted = startedAt === undefined || stoppedAt === undefined ? 0 : stoppedAt - startedAt
  const figures = { energy: session.energyMilliWh, cost: session.cost?.micros ?? 0, duration: lasted }
  const reached = Math.max(reported.reached, figures[reported.kind])
  return reached === reported.reached ? session : { ...session, limitReached: { ...reported, reached } }
}

function mayStop({ state, stopRequestedAt }: Session): boolean {
  return stopRequestedAt === undefined && !isTerminal(state)
}

function stopped(session: Session, limitReached: LimitReached, now: number): Session {
  return withStopRequest({ ...session, limitReached }, now)
}

function reachedBy(session: Session, limits: SessionLimits, now: number): LimitReached | undefined {
  const { energyMilliWh, startedAt } = session
  if (limits.energyMilliWh !== undefined && energyMilliWh >= limits.energyMilliWh) {
    return { kind: 'energy', limit: limits.energyMilliWh, reached: energyMilliWh }
  }
  const cost = costAt(session, now)
  if (limits.costMicros !== undefined && cost >= limits.costMicros) {
    return { kind: 'cost', limit: limits.costMicros, reached: cost }
  }
  const lasted = startedAt === undefined ? 0 : now - startedAt
  if (limits.durationMs !== undefined && lasted >= limits.durationMs) {
    return { kind: 'duration', limit: limits.durationMs, reached: lasted }
  }
  return undefined
}

/** What is shown, or more where minutes cost something: they pass without a message. */
function costAt({ tariff, cost, energyMilliWh, startedAt, idleMs = 0 }: Session, now: number): number {
  if (!cost || !tariff?.perMinuteMicros || startedAt === undefined) return cost?.micros ?? 0
  const elapsedMs = Math.max(0, now - startedAt)
  return Math.max(cost.micros, simpleAmount(tariff, { energyMilliWh, elapsedMs, idleMs }, false).netMicros)
}

/** Limits and budgets as the API and the pages show them: kilowatt-hours, amounts, seconds. */
const MILLIONTHS = 1_000_000

export function showLimits({ energyMilliWh, costMicros, durationMs }: ChargeLimits) {
  if (energyMilliWh === undefined && costMicros === undefined && durationMs === undefined) return undefined
  return {
    ...(energyMilliWh !== undefined && { energyKwh: energyMilliWh / MILLIONTHS }),
    ...(costMicros !== undefined && { cost: costMicros / MILLIONTHS }),
    ...(durationMs !== undefined && { durationSeconds: durationMs / 1000 }),
  }
}

export function showBudget({ per, energyMilliWh, costMicros }: Budget) {
  return { ...showLimits({ energyMilliWh, costMicros }), per }
}

/** Figures as those of a session are shown (API-G1). */
export function showReached({ kind, limit, reached, per }: LimitReached, currency = 'EUR') {
  return {
    kind,
    limit: kind === 'duration' ? limit / 1000 : limit / MILLIONTHS,
    reached: shownFigure(kind, reached, currency),
    per,
  }
}

/** OCPP21-C3: as the station enforces them; the cost is with tax. */
export function showStationLimits(limits: StationLimits, currency = 'EUR') {
  return {
    ...showLimits({ ...limits, costMicros: undefined }),
    ...(limits.costMicros !== undefined && { cost: roundCost(limits.costMicros, currency) }),
    ...(limits.stateOfCharge !== undefined && { stateOfCharge: limits.stateOfCharge }),
  }
}

/** The limit at which the station suspends the charge, which goes on once it is raised. */
export function showHeld({ reached, limits = {} }: StationTerms, currency?: string) {
  if (!reached) return undefined
  const { energyKwh, cost, durationSeconds, stateOfCharge } = showStationLimits(limits, currency)
  const limit = { energy: energyKwh, cost, duration: durationSeconds, stateOfCharge }[reached.kind]
  return { kind: reached.kind, limit, at: isoTime(reached.at) }
}

function shownFigure(kind: LimitReached['kind'], value: number, currency: string): number {
  if (kind === 'cost') return roundCost(value, currency)
  return Math.round(value / 1000) / (kind === 'energy' ? 1000 : 1)
}
