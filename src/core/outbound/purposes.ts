/** What follows from a call's purpose, typed so that each has its rule; rules read only stored data (OCPP-RP15). */

import type { JobAnswer } from '../../domain/logs/records.ts'
import type { Priority } from '../../domain/outgoing-calls/records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { isOpenQuestion } from '../../domain/sessions/transactions/orphans.ts'
import { type OutgoingCall, object, type Payload, text } from '../../ocpp/translate/payload.ts'
import type { CallFor, CoreContext, PurposeOf, Purposes } from '../context.ts'
import type { StationState } from '../memory/station.ts'
import { CHARGING_PURPOSE } from '../reconcile/charging/answer.ts'
import { isPassed, isPasswordOver, passwordInput, stepInput } from '../reconcile/profile-jobs.ts'
import { stopSettled } from '../reconcile/stops.ts'
import { BLOCK_PURPOSES, reportedValues } from './block-purposes.ts'
import { type CallOutcome, isUnsent, isUnsupported, readRemoteAnswer } from './call-outcome.ts'
import { settlePasswords } from './order-call.ts'

const JOB_PURPOSES: Pick<Purposes, 'log' | 'firmware' | 'firmwareProgress'> = {
  log: {
    isOver: ({ purpose: { requestId } }, { chargePointId, records }) =>
      records.find('log_requests', { chargePointId, requestId }) === undefined,
    input: ({ call, purpose: { requestId } }, outcome) => ({
      kind: 'logAnswered',
      requestId,
      answer: jobAnswer(call.method, outcome),
    }),
  },
  firmware: {
    // FIRMWARE-U6: cancelled while it waited.
    isOver: ({ purpose: { requestId } }, { chargePointId, records }) => {
      const update = records.find('firmware_updates', { chargePointId, requestId })
      return update === undefined || update.recalled !== undefined
    },
    input: ({ call, purpose: { requestId } }, outcome) => ({
      kind: 'firmwareAnswered',
      requestId,
      answer: jobAnswer(call.method, outcome),
    }),
  },
  firmwareProgress: {
    isOver: ({ purpose: { requestId } }, { chargePointId, records }) =>
      records.find('firmware_updates', { chargePointId, requestId })?.isAsked === false,
  },
}

function jobAnswer(method: CallFor['call']['method'], outcome: CallOutcome): JobAnswer {
  switch (outcome.status) {
    case 'success':
      return readJobAnswer(method, object(outcome.payload))
    case 'error':
      return { outcome: 'rejected', status: outcome.code, reason: refusedWith(method, outcome) }
    default:
      return { outcome: isUnsent(outcome) ? 'unsent' : 'silent' }
  }
}

function refusedWith(method: string, outcome: Extract<CallOutcome, { readonly status: 'error' }>): string {
  const { code, description } = outcome
  if (isUnsupported(outcome)) return `The charge point does not support ${method}.`
  const said = description.slice(0, 200)
  return `The charge point answered ${method} with ${code.slice(0, 50)}${said && `: ${said}`}.`
}

/** `AcceptedCanceled` also ends an older order. 1.6: UpdateFirmware has no status, GetDiagnostics may name a file. */
function readJobAnswer(method: string, response: Payload): JobAnswer {
  const status = text(response.status)
  if (status === undefined) {
    return method !== 'GetDiagnostics' || text(response.fileName) !== undefined
      ? { outcome: 'accepted' }
      : { outcome: 'rejected', reason: 'The charge point has nothing to upload.' }
  }
  const said = status.toLowerCase()
  if (said === 'accepted' || said === 'acceptedcanceled') return { outcome: 'accepted', status }
  return { outcome: 'rejected', status, reason: `The charge point answered ${status.slice(0, 50)}.` }
}

const STOPS = new Set(['RemoteStopTransaction', 'RequestStopTransaction'])
/** What announces a start leaves before it. */
const STARTS = new Set(['RemoteStartTransaction', 'RequestStartTransaction', 'NotifyWebPaymentStarted'])

/** OCPP-RP4: commands that a driver is waiting for go first. */
function priorityOf({ method }: OutgoingCall): Priority {
  if (STOPS.has(method)) return 'stop'
  return STARTS.has(method) ? 'start' : 'rest'
}

export const PURPOSES: Purposes = {
  ...JOB_PURPOSES,
  ...BLOCK_PURPOSES,
  charging: CHARGING_PURPOSE,
  command: {
    priority: priorityOf,
    waitsUntil: 'expiry',
    input: commandInput,
    settled(context, { station, call, version, purpose: { password } }, outcome, { schemaErrors }) {
      if (schemaErrors !== undefined) {
        context.log.warn({ chargePoint: station.id, method: call.method }, 'the answer does not match its schema')
      }
      if (password) settlePasswords(context, station, version, call, password, outcome)
    },
  },
  remoteStart: {
    priority: () => 'start',
    waitsUntil: 'expiry',
    // SESSION-S9: cancelled before it left. Ended sessions leave memory eventually.
    isOver: ({ purpose }, state) => isGone(state, purpose.sessionId),
    input: ({ version, purpose: { sessionId } }, outcome) => ({
      kind: 'remoteStartAnswered',
      sessionId,
      ...readRemoteAnswer(version, outcome),
    }),
  },
  stop: {
    priority: () => 'stop',
    waitsUntil: 'expiry',
    isOver: saidToBeOver,
    input: ({ version, purpose: { sessionId } }, outcome) => ({
      kind: 'remoteStopAnswered',
      sessionId,
      outcome: readRemoteAnswer(version, outcome).outcome,
    }),
    settled(context, { station, version, purpose: { transactionId } }, outcome) {
      const answer = isUnsent(outcome) ? 'unsent' : readRemoteAnswer(version, outcome).outcome
      stopSettled(context, station, transactionId, answer)
    },
  },
  stopBeforeItBegins: {
    priority: () => 'stop',
    waitsUntil: 'expiry',
    isOver: ({ purpose }, { transactions }) => transactions.get(purpose.transactionId)?.endedBy === 'station',
    input: ({ station, version, purpose }, outcome) =>
      stopAnswered(station.state, purpose.transactionId, readRemoteAnswer(version, outcome).outcome),
  },
  question: {
    isOver: ({ purpose }, state) => !isOpenQuestion(state, purpose.question),
    input: readAskAnswer,
  },
  certificate: {
    waitsUntil: 'expiry',
    // CERT-C29: a newer request replaced it.
    isOver: ({ purpose: { requestId: id } }, { chargePointId, records }) =>
      records.find('certificate_requests', { chargePointId, id })?.state !== 'signed',
    input: certificateInput,
    settled: certificateSettled,
  },
  certificateTrigger: { settled: certificateSettled },
  profileStep: {
    waitsUntil: 'expiry',
    isOver: isPassed,
    input: stepInput,
  },
  password: {
    isOver: isPasswordOver,
    input: passwordInput,
    settled(context, { station, call, version, purpose: { password } }, outcome) {
      settlePasswords(context, station, version, call, password, outcome)
    },
  },
  bootTrigger: {
    isOver: ({ station }) => !station.neverBooted,
    settled(context, { station, version }, outcome, { status }) {
      if (outcome.status === 'dropped' || readRemoteAnswer(version, outcome).outcome === 'accepted') return
      const fields = { chargePoint: station.id, status }
      context.log.warn(fields, 'the charge point has never booted here and ignored a trigger: restart it')
    },
  },
}

/** CERT-C30: a lost one may have been accepted. */
function certificateInput(
  { version, purpose: { requestId: id } }: CallFor<PurposeOf<'certificate'>>,
  outcome: CallOutcome,
): Input | undefined {
  if (outcome.status === 'error') {
    const code = `${outcome.code} ${outcome.description}`.trim().slice(0, 300)
    return { kind: 'certificateNotTaken', id, reason: `the charge point did not take the certificate: ${code}` }
  }
  if (outcome.status !== 'success' || readRemoteAnswer(version, outcome).outcome === 'accepted') return undefined
  const said = text(object(outcome.payload).status) ?? 'an answer without a status'
  return {
    kind: 'certificateNotTaken',
    id,
    reason: `the charge point did not take the certificate: ${said.slice(0, 100)}`,
  }
}

/** A loop of requests would not help, so the operator is notified (CERT-C9). */
function certificateSettled(context: CoreContext, of: CallFor, outcome: CallOutcome): void {
  if (outcome.status === 'dropped' || readRemoteAnswer(of.version, outcome).outcome === 'accepted') return
  const fields = { chargePoint: of.station.id, method: of.call.method, status: outcome.status }
  context.log.warn(fields, 'the charge point refused a step toward its certificate')
}

/** A raw command counts for its session, too: an accepted stop (SESSION-S2), one in doubt (SESSION-B5). */
function commandInput(of: CallFor, outcome: CallOutcome): Input | undefined {
  const { station, call, version } = of
  if (priorityOf(call) !== 'stop') {
    return readAskAnswer(of, outcome) ?? reportedValues(of, outcome) ?? meddled(of, outcome)
  }
  const { transactionId } = version.toChargePoint[call.method]?.columns(call.request) ?? {}
  const answer = readRemoteAnswer(version, outcome)
  if (answer.outcome !== 'accepted' || transactionId === undefined) return undefined
  return stopAnswered(station.state, transactionId, answer.outcome)
}

function stopAnswered(
  state: StationState | undefined,
  transactionId: string,
  outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped',
): Input | undefined {
  const sessionId = state?.transactions.get(transactionId)?.sessionId
  return sessionId === undefined ? undefined : { kind: 'remoteStopAnswered', sessionId, outcome }
}

/** CHARGING-S4: a raw profile command may have changed what our profiles rest on. */
function meddled({ station: { state }, version, call }: CallFor, outcome: CallOutcome): Input | undefined {
  if ((state?.records.all('charging_stations').length ?? 0) === 0) return undefined
  const order = version.charging.readOrder(call)
  // An unanswered one may have been accepted.
  if (!order || isUnsent(outcome) || readRemoteAnswer(version, outcome).outcome === 'rejected') return undefined
  return { kind: 'profilesMeddled', order }
}

function readAskAnswer({ version, call }: CallFor, outcome: CallOutcome): Input | undefined {
  return outcome.status === 'success' ? version.readAskAnswer(call, object(outcome.payload)) : undefined
}

/** SESSION-O10: a stop waits until its transaction ends. One closed only by the orphan rule may still run. */
function saidToBeOver(
  { purpose: { transactionId, sessionId } }: CallFor<PurposeOf<'stop'>>,
  state: StationState,
): boolean {
  const transaction = state.transactions.get(transactionId)
  if (transaction?.sessionId === sessionId) return transaction.endedBy === 'station'
  // Its number may name the next one by now.
  return isGone(state, sessionId)
}

function isGone({ sessions }: StationState, sessionId: string): boolean {
  const session = sessions.get(sessionId)
  return session === undefined || isTerminal(session.state)
}
