/** Our own commands as steps: only what was ordered for a session, or asked by a decision, had an effect on one. */
import { logIdTime } from '../../commands/log-id.ts'
import type { OcppVersion, Payload } from '../../ocpp/version.ts'
import type { Input } from '../../sessions/decision.ts'
import type { ChargePointState, RemoteStart, Session } from '../../sessions/model.ts'
import type { Command } from '../../storage/store.ts'
import { type RemoteAnswer, readRemoteAnswer } from '../remote-answer.ts'
import { responseOf, type Step } from './step.ts'

/** A stop that was ordered for a session is noted on it in the millisecond of its row; a process may be a little late. */
const SAME_MOMENT_MS = 2000

type Moment = Omit<Step, 'input'>

/** What the log has of one command: when it was asked, and when and how it was answered. */
interface Sent {
  readonly row: Command
  readonly request: Payload
  readonly asked: Moment
  readonly answered: Moment | undefined
  readonly answer: RemoteAnswer
}

/** @param sessions those of the charge point: whose remote start or stop it was */
export function sentSteps(row: Command, version: OcppVersion, sessions: readonly Session[]): readonly Step[] {
  const sent = readSent(row, version)
  const started = sessions.find((session) => startedBy(session, sent.request))
  if (started?.remoteStart) return startSteps(sent, started, started.remoteStart)
  const { transactionId } = row
  if (transactionId !== undefined && version.remoteStop(transactionId).method === row.method) {
    return stopSteps(sent, transactionId, sessions)
  }
  return askedSteps(sent, version)
}

function readSent(row: Command, version: OcppVersion): Sent {
  const at = (time: number): Moment => ({ at: time, order: row.id, cause: row.id })
  return {
    row,
    request: JSON.parse(row.request) as Payload,
    asked: at(logIdTime(row.id)),
    answered: row.answeredAt === undefined ? undefined : at(row.answeredAt),
    answer:
      row.status === 'success'
        ? readRemoteAnswer(version, { status: 'success', payload: responseOf(row) })
        : { outcome: 'rejected' },
  }
}

function startSteps({ asked, answered, answer }: Sent, session: Session, start: RemoteStart): readonly Step[] {
  const { id: sessionId, evseId, connectorId, externalReference } = session
  const { matched: _, ...remoteStart } = start
  const order: Input = {
    kind: 'remoteStartRequested',
    sessionId,
    ...(evseId !== undefined && { evseId }),
    ...(connectorId !== undefined && { connectorId }),
    ...(externalReference !== undefined && { externalReference }),
    remoteStart,
  }
  const came: Input = { kind: 'remoteStartAnswered', sessionId, ...answer }
  return [{ ...asked, input: () => order }, ...(answered ? [{ ...answered, input: () => came }] : [])]
}

/** Sent as a plain command it was no order for the session, but accepted it moved it (S2). */
function stopSteps(
  { row, asked, answered, answer: { outcome } }: Sent,
  transactionId: string,
  sessions: readonly Session[],
): readonly Step[] {
  const sessionOf = (state: ChargePointState): string | undefined => state.transactions.get(transactionId)?.sessionId
  const order: Step = {
    ...asked,
    input(state) {
      const sessionId = sessionOf(state)
      return sessionId === undefined ? undefined : { kind: 'remoteStopRequested', sessionId }
    },
  }
  const came = (moment: Moment): Step => ({
    ...moment,
    input(state) {
      const sessionId = sessionOf(state)
      return sessionId === undefined ? undefined : { kind: 'remoteStopAnswered', sessionId, outcome }
    },
  })
  const ordered = isOrdered(row, sessions)
  const moved = answered && (ordered || outcome === 'accepted')
  return [...(ordered ? [order] : []), ...(moved ? [came(answered)] : [])]
}

function askedSteps({ row, request, answered }: Sent, version: OcppVersion): readonly Step[] {
  if (row.status !== 'success' || !answered) return []
  const told = version.readAskAnswer({ method: row.method, request }, responseOf(row))
  return told ? [{ ...answered, input: () => told }] : []
}

function startedBy({ remoteStart }: Session, { idTag, remoteStartId }: Payload): boolean {
  if (!remoteStart) return false
  if (remoteStartId !== undefined) return remoteStart.remoteStartId === remoteStartId
  return typeof idTag === 'string' && remoteStart.virtualIdToken.toLowerCase() === idTag.toLowerCase()
}

/** The stop was ordered for its session, not sent as a plain command. */
function isOrdered(row: Command, sessions: readonly Session[]): boolean {
  const at = logIdTime(row.id)
  return sessions.some(
    ({ transactionId, stopRequestedAt }) =>
      transactionId === row.transactionId &&
      stopRequestedAt !== undefined &&
      Math.abs(stopRequestedAt - at) <= SAME_MOMENT_MS,
  )
}
