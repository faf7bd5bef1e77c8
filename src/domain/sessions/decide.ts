/** The session state machine (SESSION-S1 to SESSION-S10): one input, one decision. Pure; a file per kind of input. */

import { blocksAfterBoot, bootedInBlocks, decideBlock, followInBlocks, tickBlocks } from '../blocks/rules.ts'
import { answerTransfer } from '../data-transfers/rules.ts'
import type { Activity, ChargePointState, Outcome } from '../ports/sessions.ts'
import { reservationLostAt } from '../reservations/rules.ts'
import { onCostAnswered } from '../running-costs/rules.ts'
import type { Decision, DecisionContext, Input, SessionSettings } from './decision.ts'
import { Draft } from './draft.ts'
import { onSettled, settleDue } from './figures/settlement.ts'
import { foreseenAt, onBudgetUsedUp, stopAtLimits } from './limits/limits.ts'
import { authoriseShown } from './orders/authorise.ts'
import {
  expireRemoteStarts,
  onRemoteStartAnswered,
  onRemoteStartRequested,
  onRemoteStopAnswered,
  onRemoteStopRequested,
  remoteStartExpiry,
} from './orders/remote.ts'
import { keepSampled, keepSignedSamples, onSignedValuesSent } from './signed-values.ts'
import { onConnectorStatus } from './states/connector-status.ts'
import { onBooted } from './transactions/boot.ts'
import { closeAll, closeOverdue, orphanAt } from './transactions/orphans.ts'
import { onSampled } from './transactions/samples.ts'
import { onStarted } from './transactions/start.ts'
import { onStopped } from './transactions/stop.ts'
import { onTransactionEvent } from './transactions/transaction-event.ts'
import { onTransactionStatusAnswered } from './transactions/transaction-status.ts'

export { lookups } from './lookups.ts'

/**
 * What an input changes and what is answered to it. The state must hold what `lookups` named; the caller applies the
 * changes and commits them before the answer leaves (OCPP-DR5). Never throws for anything a charge point may send
 * (OCPP-DR4).
 *
 * @param also what the same message tells other blocks; it is not answered
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
  return followInBlocks(draft, decision.changes) ? draft.decision(outcome) : decision
}

function outcomeOf(draft: Draft, input: Input): Outcome {
  switch (input.kind) {
    case 'sampled':
      keepSampled(draft, input)
      onSampled(draft, input)
      return NOTHING
    case 'transactionEvent':
      return withSigned(draft, input, onTransactionEvent(draft, input))
    case 'connectorStatus':
      if (input.evseId === undefined && LOSING.has(input.activity)) {
        reservationLostAt(draft, input)
      }
      return onConnectorStatus(draft, input)
    case 'connectorStatuses':
      for (const [part, report] of input.reports.entries()) onConnectorStatus(draft, report, part)
      return input.known ? decideBlock(draft, { kind: 'eventsNotified', ...input.known }) : {}
    case 'started':
      return onStarted(draft, input)
    case 'stopped':
      return withSigned(draft, input, onStopped(draft, input))
    case 'authorise':
      return { authorisation: authoriseShown(draft, input.idToken) }
    case 'booted': {
      const outcome = onBooted(draft, input)
      bootedInBlocks(draft, input.firmwareVersion)
      return afterBoot(draft, outcome)
    }
    case 'noted':
      return {}
    case 'dataTransferReceived':
      if (input.signed) onSignedValuesSent(draft, input.signed)
      return answerTransfer(draft, input, draft.context.transferAnswer?.(input.vendorId))
    case 'remoteStartRequested':
      return onRemoteStartRequested(draft, input)
    case 'remoteStartAnswered':
      return onRemoteStartAnswered(draft, input)
    case 'remoteStopRequested':
      return onRemoteStopRequested(draft, input)
    case 'remoteStopAnswered':
      return onRemoteStopAnswered(draft, input)
    case 'budgetUsedUp':
      onBudgetUsedUp(draft, input.sessionId, input.reached)
      return {}
    case 'transactionStatusAnswered':
      return onTransactionStatusAnswered(draft, input)
    case 'costAnswered':
      return onCostAnswered(draft, input)
    case 'settled':
      return onSettled(draft, input)
    case 'tick':
      expireRemoteStarts(draft)
      // Before the orphan rule: what completes now is settled by a decision of its own (COST-L4).
      settleDue(draft)
      stopAtLimits(draft)
      closeOverdue(draft)
      tickBlocks(draft)
      return {}
    case 'removed':
      expireRemoteStarts(draft, Number.POSITIVE_INFINITY)
      closeAll(draft)
      return {}
    default:
      return decideBlock(draft, input)
  }
}

const NOTHING: Outcome = {}
/** RESERVATION-A5 */
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

/** A stop names no connector. */
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
