/**
 * Records of one shape: every member, absent ones spelled `undefined`, in one order: V8 reads members of one shape at a
 * known place, while dozens of shapes took a tenth of a message's time, and spreads that add a member a seventh. What
 * is born in a decision, comes from the database or enters the state is spelled out here.
 */
import type { Session, Transaction } from '../ports/sessions.ts'

/** One that a decision has just made and nothing else refers to. */
export type Writable<Record> = { -readonly [Name in keyof Record]: Record[Name] }

/** A session with its members always in one order, so that V8 gives all sessions one shape. */
export function sessionRecord(facts: Session, version = facts.version): Writable<Session> {
  return {
    id: facts.id,
    accountId: facts.accountId,
    chargePointId: facts.chargePointId,
    state: facts.state,
    energyMilliWh: facts.energyMilliWh,
    externalReference: facts.externalReference,
    cost: facts.cost,
    settlementCount: facts.settlementCount,
    startedAt: facts.startedAt,
    stoppedAt: facts.stoppedAt,
    createdAt: facts.createdAt,
    version,
    evseId: facts.evseId,
    connectorId: facts.connectorId,
    idToken: facts.idToken,
    transactionId: facts.transactionId,
    endReason: facts.endReason,
    suspendedBy: facts.suspendedBy,
    flags: facts.flags,
    remoteStart: facts.remoteStart,
    stopRequestedAt: facts.stopRequestedAt,
    stopWantedUntil: facts.stopWantedUntil,
    stopAcceptedAt: facts.stopAcceptedAt,
    costFixed: facts.costFixed,
    tariff: facts.tariff,
    suspectMilliWh: facts.suspectMilliWh,
    idleMs: facts.idleMs,
    lastEventAt: facts.lastEventAt,
    figuresSentAt: facts.figuresSentAt,
    figuresDueAt: facts.figuresDueAt,
    settlementDueAt: facts.settlementDueAt,
    limits: facts.limits,
    priority: facts.priority,
    limitReached: facts.limitReached,
    shownCost: facts.shownCost,
    atStation: facts.atStation,
    payment: facts.payment,
    partner: facts.partner,
    place: facts.place,
    billed: facts.billed,
  } satisfies Whole<Session>
}

/** A transaction with its members always in one order, for the same reason. */
export function transactionRecord<Meter>(facts: Transaction<Meter>): Writable<Transaction<Meter>> {
  return {
    chargePointId: facts.chargePointId,
    transactionId: facts.transactionId,
    sessionId: facts.sessionId,
    open: facts.open,
    evseId: facts.evseId,
    connectorId: facts.connectorId,
    idToken: facts.idToken,
    stopIdToken: facts.stopIdToken,
    groupId: facts.groupId,
    startedAt: facts.startedAt,
    stoppedAt: facts.stoppedAt,
    stopReason: facts.stopReason,
    endedBy: facts.endedBy,
    stopRegisterMilliWh: facts.stopRegisterMilliWh,
    activities: facts.activities,
    startKey: facts.startKey,
    startOutcome: facts.startOutcome,
    startMessageId: facts.startMessageId,
    stopDigest: facts.stopDigest,
    suspectSince: facts.suspectSince,
    queueExpectedUntil: facts.queueExpectedUntil,
    earlier: facts.earlier,
    followedAt: facts.followedAt,
    authorised: facts.authorised,
    flags: facts.flags,
    // Last what each sample changes: what stands before it is not written to PostgreSQL's log again (STORE-N19).
    meter: facts.meter,
    sequence: facts.sequence,
    course: facts.course,
    lastSignOfLifeAt: facts.lastSignOfLifeAt,
  } satisfies Whole<Transaction<Meter>>
}

/** A member that is forgotten above does not compile. */
type Whole<Record> = { readonly [Name in keyof Required<Record>]: Record[Name] }

/**
 * Under which a charge point's connectors are kept: OCPP 1.6 names no EVSE, OCPP 2.0.1 counts connectors within one.
 */
export function connectorKey(evseId: number | undefined, connectorId: number): string {
  return `${evseId ?? ''}/${connectorId}`
}
