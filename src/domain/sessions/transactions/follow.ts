/** A session follows its transaction: while it is open, when it ends, and when facts arrive after its end. */

import { credibleEnergy, isRising, lastSampleAt } from '../../energy/meter.ts'
import type { Session, SessionState } from '../../ports/sessions.ts'
import { type Draft, type MeteredTransaction, setFlag, withFlags } from '../draft.ts'
import { withPoint } from '../figures/course.ts'
import { costOf, type FinalFigures, finalFigures, finalFiguresDiffer, startOf } from '../figures/figures.ts'
import { figuresDiffer } from '../figures/representation.ts'
import { finallyReached, stoppedAtLimitThen } from '../limits/limits.ts'
import { sameToken } from '../orders/authorise.ts'
import { sessionRecord, type Writable } from '../records.ts'
import { firstChargingAt, idleOf, seenState, suspendedBy } from '../states/activities.ts'
import { type Ending, isTerminal, isUnauthorised, next } from '../states/transition.ts'

/** Brings a session up to date. @param at station time, for the cost of time @param stopping accepted or under way */
export function followOpen(draft: Draft, transaction: MeteredTransaction, at: number, stopping = false): void {
  const session = draft.session(transaction.sessionId)
  const before = draft.transaction(transaction.transactionId)
  const running = credibleEnergy(transaction.meter)
  const flags = setFlag(withFlags(transaction.flags, running.flags), 'estimated', running.estimated)
  const followed = session?.tariff?.elements ? withCourse(transaction, running.energyMilliWh) : transaction
  const flagged = flags === followed.flags ? followed : { ...followed, flags }
  draft.putTransaction(flagged)
  if (!session || isTerminal(session.state)) return
  const energyMilliWh = Math.max(session.energyMilliWh, running.energyMilliWh)
  const stopAcceptedAt = stopping ? draft.now : session.stopAcceptedAt
  const says = before?.activities !== flagged.activities
  const state =
    stopAcceptedAt === undefined ? openState(session, flagged, energyMilliWh, says) : next(session.state, 'finishing')
  const known = withFacts(session, flagged)
  known.stopAcceptedAt = stopAcceptedAt
  known.state = state
  known.energyMilliWh = energyMilliWh
  addTimes(known, flagged, at)
  draft.putSession(stoppedAtLimitThen(draft, known, at))
}

/** Ends the session of a just closed transaction, or corrects it; terminal states stay (SESSION-S3). */
export function followClosed(
  draft: Draft,
  closed: MeteredTransaction,
  ending: (transaction: MeteredTransaction, energyMilliWh: number) => Ending,
): void {
  const before = draft.transaction(closed.transactionId)
  const figures = finalFigures(closed)
  const flags = setFlag(withFlags(closed.flags, figures.flags), 'estimated', figures.estimated)
  const transaction = flags === closed.flags ? closed : { ...closed, flags }
  draft.putTransaction(transaction)
  rememberRelativeMeter(draft, figures)
  const session = draft.session(transaction.sessionId)
  if (!session) return
  const { state, endReason } = ending(transaction, figures.energyMilliWh)
  if (!isTerminal(session.state)) {
    // An estimate does not take back what was counted; the station's own final figure may (HOOK-M6).
    const energyMilliWh =
      transaction.endedBy === 'station' ? figures.energyMilliWh : Math.max(session.energyMilliWh, figures.energyMilliWh)
    const known = { ...withFacts(session, transaction), state, endReason }
    draft.putSession(dueForSettlement(draft, finallyReached(ended(known, { ...figures, energyMilliWh }, transaction))))
    return
  }
  const reason = state === session.state ? endReason : session.endReason
  const known = { ...withFacts(session, transaction), endReason: reason ?? session.endReason }
  // A settlement by an operator stays, unless the transaction's own figures have changed.
  const moved = !before || before.open || finalFiguresDiffer(finalFigures(before), figures)
  draft.putSession(moved ? corrected(session, ended(known, figures, transaction)) : known)
}

/** SESSION-B6: what the transaction knows of its place and its card, as soon as it does, also after its end. */
function withFacts(session: Session, transaction: MeteredTransaction): Writable<Session> {
  const known = sessionRecord(session)
  known.evseId = transaction.evseId ?? session.evseId
  known.connectorId = transaction.connectorId ?? session.connectorId
  known.idToken ??= cardOf(transaction, session)
  known.flags = transaction.flags
  return known
}

/** CONSOLE-C2: what the station says back of our own single-use token is no card. */
function cardOf({ idToken }: MeteredTransaction, { remoteStart }: Session): string | undefined {
  if (!idToken || idToken.id === '') return undefined
  return remoteStart && sameToken(remoteStart.virtualIdToken, idToken.id) ? undefined : idToken.id
}

/** Stores a transaction whose findings or facts changed, and shows them on its session. */
export function putFlagged(draft: Draft, transaction: MeteredTransaction): void {
  draft.putTransaction(transaction)
  const session = draft.session(transaction.sessionId)
  if (session) draft.putSession(withFacts(session, transaction))
}

/** COST-L4, ENERGY-N7: a decision of its own, as the completion's event has no count and the settlement's has one. */
function dueForSettlement({ context, now }: Draft, session: Session): Session {
  // OCPI-A5: what is billed to a partner waits for no operator.
  const isAutomatic = context.automaticSettlement || session.partner !== undefined
  const isDue = isAutomatic && session.state === 'completed' && session.suspectMilliWh === undefined
  return isDue ? { ...session, settlementDueAt: now } : session
}

/** HOOK-M5, COST-CO4: once settled, every change of the figures is a correction. */
function corrected(before: Session, after: Session): Session {
  const { settlementCount } = before
  if (settlementCount === undefined || !figuresDiffer(before, after)) return after
  return { ...after, settlementCount: settlementCount + 1 }
}

/** @param says the message tells what the station does now, not only what was metered. */
function openState(
  { state, stopRequestedAt }: Session,
  transaction: MeteredTransaction,
  energy: number,
  says: boolean,
): SessionState {
  const charged = firstChargingAt(transaction.activities) !== undefined
  const hasCharged = charged || energy > 0 || risesImplausibly(transaction)
  // A token that was refused or not presented yet keeps the session pending, whatever the cable's state is, unless
  // energy has flowed.
  const mayCharge = transaction.authorised || hasCharged || transaction.flags.includes('recovered')
  // SESSION-S3: the standby consumption of a plugged cable is no charge, so it cannot have ended.
  const seen = mayCharge ? seenState(transaction.activities, charged) : undefined
  const now = next(state, seen ?? state, says && stopRequestedAt === undefined)
  return now === 'pending' && hasCharged ? 'charging' : now
}

/** SESSION-S2: an implausible register leaves the figure out, not the transition. */
function risesImplausibly({ authorised, meter }: MeteredTransaction): boolean {
  return authorised && isRising(meter)
}

/** TARIFF-A2: where its energy stood at its newest sample. */
function withCourse(transaction: MeteredTransaction, energyMilliWh: number): MeteredTransaction {
  const at = lastSampleAt(transaction.meter)
  if (at === undefined) return transaction
  const course = withPoint(transaction.course, [at, energyMilliWh])
  return course === transaction.course ? transaction : { ...transaction, course }
}

function addTimes(session: Writable<Session>, transaction: MeteredTransaction, at: number): void {
  if (session.state === 'pending') return
  session.suspendedBy = session.state === 'suspended' ? suspendedBy(transaction) : undefined
  if (!hasBegun(session, transaction)) return
  const startedAt = startOf(transaction)
  session.startedAt = startedAt
  if (!session.tariff) return
  const until = Math.max(at, startedAt)
  const idleMs = idleOf(transaction.activities, until, session.energyMilliWh)
  const isEnergyOnly = isUnauthorised(transaction)
  const basis = { energyMilliWh: session.energyMilliWh, startedAt, until, idleMs, isEnergyOnly }
  const cost = costOf(session, basis, transaction)
  // A message that comes late does not take back what was shown.
  if (cost && !(session.cost && session.cost.micros > cost.micros)) session.cost = cost
  if (idleMs > 0) session.idleMs = idleMs
}

/** SESSION-S6: a station that numbers its transactions may suspend or stop before charging begins. */
function hasBegun({ energyMilliWh }: Session, transaction: MeteredTransaction): boolean {
  const { sequence, activities, flags } = transaction
  if (!sequence || energyMilliWh > 0 || flags.includes('recovered')) return true
  return firstChargingAt(activities) !== undefined || risesImplausibly(transaction)
}

/** A failed session that delivered nothing has no times of charging and costs nothing. */
function ended(session: Session, figures: FinalFigures, transaction: MeteredTransaction): Session {
  const rest = { ...session, suspendedBy: undefined, cost: undefined, idleMs: undefined }
  const { energyMilliWh, startedAt, stoppedAt, isEnergyOnly, suspectMilliWh } = figures
  if (session.state === 'failed' && energyMilliWh === 0) {
    const shown = session.startedAt
    return {
      ...rest,
      energyMilliWh,
      suspectMilliWh,
      stoppedAt: shown === undefined ? session.stoppedAt : Math.max(shown, stoppedAt),
    }
  }
  const basis = { energyMilliWh, startedAt, until: stoppedAt, idleMs: figures.idleMs, isEnergyOnly }
  const cost = costOf(session, basis, transaction)
  return {
    ...rest,
    energyMilliWh,
    suspectMilliWh,
    startedAt,
    stoppedAt,
    idleMs: figures.idleMs > 0 ? figures.idleMs : undefined,
    cost,
  }
}

/** ENERGY-N3: a station whose samples count from the start of the session will do so again. */
function rememberRelativeMeter(draft: Draft, { relative }: FinalFigures): void {
  if (relative && !draft.status.relativeMeter) draft.status = { ...draft.status, relativeMeter: true }
}
