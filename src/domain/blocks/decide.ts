/** The session state machine (SESSION-S1 to SESSION-S10): one input, one decision. Pure; a file per kind of input. */

import { answerTransfer } from '../data-transfers/rules.ts'
import { withBoot } from '../energy/meter.ts'
import { followPartners } from '../partners/cdr.ts'
import { onPaymentSettled } from '../payments/rules.ts'
import type { Activity, ChargePointState, Outcome, Session } from '../ports/sessions.ts'
import type { BlockInput } from '../records/records.ts'
import { reservationLostAt } from '../reservations/rules.ts'
import { onCostAnswered } from '../running-costs/rules.ts'
import type { Decision, DecisionContext, Input, SessionSettings } from '../sessions/decision.ts'
import { Draft } from '../sessions/draft.ts'
import { figuresDiffer } from '../sessions/figures/representation.ts'
import { onSessionLimitsChanged } from '../sessions/limits/at-station.ts'
import { foreseenAt, onBudgetUsedUp, stopAtLimits } from '../sessions/limits/limits.ts'
import { authoriseShown } from '../sessions/orders/authorise.ts'
import {
  expireRemoteStarts,
  onRemoteStartAnswered,
  onRemoteStartRequested,
  onRemoteStopAnswered,
  onRemoteStopRequested,
  remoteStartExpiry,
} from '../sessions/orders/remote.ts'
import { keepSampled, keepSignedSamples, onSignedValuesSent } from '../sessions/signed-values.ts'
import { onConnectorStatus } from '../sessions/states/connector-status.ts'
import { putFlagged } from '../sessions/transactions/follow.ts'
import { closeAll, closeOverdue, doubted, orphanAt, timed, trusted } from '../sessions/transactions/orphans.ts'
import { onSampled } from '../sessions/transactions/samples.ts'
import { onStarted } from '../sessions/transactions/start.ts'
import { onStopped } from '../sessions/transactions/stop.ts'
import { onTransactionEvent } from '../sessions/transactions/transaction-event.ts'
import { noteBoot } from '../timeline/rules.ts'
import { blocksAfterBoot, bootedInBlocks, decideBlock, followInBlocks, type Rule, tickBlocks } from './rules.ts'

export { lookups } from '../sessions/lookups.ts'

/**
 * What an input changes, and its answer. The state must hold what `lookups` named; the changes are committed before the
 * answer leaves (OCPP-DR5). Never throws for a charge point's message (OCPP-DR4). @param also for other blocks; it is
 * not answered
 */
export function decide(
  state: ChargePointState,
  input: Input,
  context: DecisionContext,
  ...also: readonly Input[]
): Decision {
  const draft = new Draft(state, context)
  const outcome = outcomeOf(draft, input)
  for (const one of also) outcomeOf(draft, one)
  const decision = draft.decision(outcome)
  const isFollowed = followInBlocks(draft, decision.changes)
  const { sessions } = decision.changes
  const isBilled = sessions?.some(({ partner }) => partner) && followPartners(draft, sessions)
  return isFollowed || isBilled ? draft.decision(outcome) : decision
}

function outcomeOf(draft: Draft, input: Input): Outcome {
  const rule = RULES[input.kind as keyof typeof RULES] as Rule<Input, Draft> | undefined
  return rule ? (rule(draft, input) ?? NOTHING) : decideBlock(draft, input as BlockInput)
}

/** Of everything but blocks. */
const RULES: {
  readonly [Kind in Exclude<Input, BlockInput>['kind']]: Rule<Extract<Input, { readonly kind: Kind }>, Draft>
} = {
  sampled(draft, input) {
    keepSampled(draft, input)
    onSampled(draft, input)
  },
  transactionEvent: (draft, input) => withSigned(draft, input, onTransactionEvent(draft, input)),
  connectorStatus(draft, input) {
    if (input.evseId === undefined && LOSING.has(input.activity)) reservationLostAt(draft, input)
    return onConnectorStatus(draft, input)
  },
  connectorStatuses(draft, { reports, known }) {
    for (const [part, report] of reports.entries()) onConnectorStatus(draft, report, part)
    return known && decideBlock(draft, { kind: 'eventsNotified', ...known })
  },
  started: onStarted,
  stopped: (draft, input) => withSigned(draft, input, onStopped(draft, input)),
  authorise: (draft, { idToken, verdict }) => ({ authorisation: authoriseShown(draft, idToken, verdict) }),
  booted(draft, input) {
    const outcome = onBooted(draft, input)
    bootedInBlocks(draft, input.firmwareVersion)
    return afterBoot(draft, outcome)
  },
  noted: () => undefined,
  dataTransferReceived(draft, input) {
    if (input.signed) onSignedValuesSent(draft, input.signed)
    return answerTransfer(draft, input, draft.context.transferAnswer?.(input.vendorId))
  },
  paymentSettled: onPaymentSettled,
  vatNumberChecked: (_draft, vatNumberCheck) => ({ vatNumberCheck }),
  remoteStartRequested: onRemoteStartRequested,
  remoteStartAnswered: onRemoteStartAnswered,
  remoteStopRequested: onRemoteStopRequested,
  remoteStopAnswered: onRemoteStopAnswered,
  sessionLimitsChanged: onSessionLimitsChanged,
  budgetUsedUp: (draft, { sessionId, reached }) => onBudgetUsedUp(draft, sessionId, reached),
  transactionStatusAnswered: onTransactionStatusAnswered,
  costAnswered: onCostAnswered,
  settled: onSettled,
  tick(draft) {
    expireRemoteStarts(draft)
    // Before the orphan rule: what completes now is settled by a decision of its own (COST-L4).
    settleDue(draft)
    stopAtLimits(draft)
    closeOverdue(draft)
    tickBlocks(draft)
  },
  removed(draft) {
    expireRemoteStarts(draft, Number.POSITIVE_INFINITY)
    closeAll(draft)
  },
}

const NOTHING: Outcome = {}
const LOSING: ReadonlySet<Activity> = new Set<Activity>(['faulted', 'unavailable'])

/** SIGNED-F1: also of a message that was repeated: what is kept already stays as it is. */
function withSigned(
  draft: Draft,
  input: Extract<Input, { kind: 'stopped' | 'transactionEvent' }>,
  outcome: Outcome,
): Outcome {
  keepSignedSamples(draft, input.samples, input.kind === 'stopped' ? NOWHERE : input, outcome.sessionId)
  return outcome
}

const NOWHERE = {}

function afterBoot(draft: Draft, outcome: Outcome): Outcome {
  if (outcome.registration === 'Accepted') blocksAfterBoot(draft, draft.status.firmwareVersion)
  return outcome
}

/** When the next `tick` can change something: an expiry, a settlement, a limit, the orphan rule. Undefined: never. */
export function nextWake(state: ChargePointState, settings: SessionSettings): number | undefined {
  let wake = Number.POSITIVE_INFINITY
  for (const session of state.sessions.values()) {
    wake = Math.min(wake, remoteStartExpiry(session) ?? wake, session.settlementDueAt ?? wake)
    if (session.limits) wake = Math.min(wake, foreseenAt(session) ?? wake)
  }
  for (const transaction of state.transactions.values()) {
    if (transaction.open) wake = Math.min(wake, orphanAt(transaction, settings))
  }
  return wake === Number.POSITIVE_INFINITY ? undefined : wake
}

/** GetTransactionStatus answered (SESSION-B5, SESSION-B12): what the station says of a transaction in doubt. */
type StatusAnswered = Extract<Input, { kind: 'transactionStatusAnswered' }>

/** SESSION-B5: messages that wait in a station's queue are waited for this long. */
const QUEUE_TIMEOUT_MS = 24 * 3600_000

/** A closed transaction that misses messages stays `incomplete` until they come. */
function onTransactionStatusAnswered(draft: Draft, input: StatusAnswered): Outcome {
  const transaction = draft.transaction(input.transactionId)
  if (!transaction?.open) return {}
  if (input.ongoing) putFlagged(draft, trusted({ ...transaction }, draft.now))
  else if (input.messagesInQueue) {
    putFlagged(draft, { ...timed(transaction, draft.now), queueExpectedUntil: draft.now + QUEUE_TIMEOUT_MS })
  } else if (input.ongoing === false) putFlagged(draft, timed(transaction, draft.now))
  return {}
}

/** BootNotification (SESSION-A15, OCPP-DR9, OCPP-DR10): open transactions become suspect, but a boot closes none. */
type Booted = Extract<Input, { kind: 'booted' }>

function onBooted(draft: Draft, input: Booted): Outcome {
  const registration = draft.state.registrationStatus
  const accepted = registration === 'Accepted'
  const { vendor, model, serialNumber, firmwareVersion } = input
  draft.status = {
    ...draft.status,
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(serialNumber !== undefined && { serialNumber }),
    ...(firmwareVersion !== undefined && { firmwareVersion }),
    // Answered otherwise it takes itself for not accepted, whatever is decided about it until it boots again (B02,
    // B03).
    bootedAt: accepted ? draft.now : undefined,
  }
  noteBoot(draft, draft.status)
  if (accepted) doubtOpenTransactions(draft)
  return { registration }
}

/** The stop may still lie in the station's queue (PowerLoss, Reboot): wait for it, and ask what is going on. */
function doubtOpenTransactions(draft: Draft): void {
  for (const transaction of draft.transactions()) {
    if (!transaction.open) continue
    putFlagged(draft, doubted({ ...transaction, meter: withBoot(transaction.meter, draft.now) }))
    const { transactionId, evseId, connectorId } = transaction
    draft.ask(
      transaction.sequence
        ? { kind: 'transactionStatus', transactionId }
        : { kind: 'triggerStatus', evseId, connectorId },
    )
  }
}

/** Figures that an operator decided (COST-L2, COST-L3, COST-CO3), or those of the completion (COST-L4). */
type Settled = Extract<Input, { kind: 'settled' }>

/**
 * The first settlement counts 1, a later one only if it changes a figure. Figures left out keep their value. @returns
 * `refused`: `session_not_found`, `session_not_completed`, `currency_mismatch` or `currency_required`.
 */
function onSettled(draft: Draft, input: Settled): Outcome {
  const { sessionId } = input
  const session = draft.session(sessionId)
  if (!session) return { refused: 'session_not_found' }
  if (session.state !== 'completed') return { sessionId, refused: 'session_not_completed' }
  const known = session.cost?.currency ?? session.tariff?.currency
  if (known !== undefined && input.currency !== undefined && input.currency !== known) {
    return { sessionId, refused: 'currency_mismatch' }
  }
  const currency = known ?? input.currency
  if (input.costMicros !== undefined && currency === undefined) return { sessionId, refused: 'currency_required' }
  const settled = withFigures(session, input, currency)
  if (session.settlementCount === undefined || figuresDiffer(session, settled)) {
    draft.putSession({
      ...settled,
      suspectMilliWh: undefined,
      settlementDueAt: undefined,
      settlementCount: (session.settlementCount ?? 0) + 1,
    })
  }
  return { sessionId }
}

/** COST-L4: with the figures they have. What was settled meanwhile keeps its count. */
function settleDue(draft: Draft): void {
  for (const session of draft.sessions()) {
    const { settlementDueAt, settlementCount = 1 } = session
    if (settlementDueAt === undefined || settlementDueAt > draft.now) continue
    draft.putSession({ ...session, settlementDueAt: undefined, settlementCount })
  }
}

function withFigures(session: Session, input: Settled, currency: string | undefined): Session {
  const { costMicros, energyMilliWh } = input
  return {
    ...session,
    ...(energyMilliWh !== undefined && { energyMilliWh }),
    ...(costMicros !== undefined &&
      currency !== undefined && { cost: { micros: costMicros, currency }, costFixed: true as const }),
  }
}
