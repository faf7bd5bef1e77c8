/** Our own commands as steps, if ordered for a session or asked by a decision: others had no effect on one. */
import { logIdTime } from '../../domain/message-log/log-id.ts'
import type { RemoteStart, Session } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { Payload } from '../../ocpp/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { type RemoteAnswer, readRemoteAnswer } from '../outbound/remote-answer.ts'
import { responseOf, type Step } from './step.ts'

type Moment = Omit<Step, 'input'>

interface Sent {
  readonly row: Command
  readonly request: Payload
  readonly asked: Moment
  readonly answered: Moment | undefined
  readonly answer: RemoteAnswer
}

export function sentSteps(row: Command, version: OcppVersion, sessions: readonly Session[]): readonly Step[] {
  const sent = readSent(row, version)
  const started = sessions.find((session) => startedBy(session, sent.request))
  if (started?.remoteStart) return startSteps(sent, started, started.remoteStart)
  const { transactionId } = row
  if (transactionId !== undefined && version.remoteStop(transactionId).method === row.method) {
    return stopSteps(sent, transactionId)
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
  const { id: sessionId, evseId, connectorId, externalReference, idToken, limits, priority } = session
  const { matched: _, ...remoteStart } = start
  const order: Input = {
    kind: 'remoteStartRequested',
    sessionId,
    evseId,
    connectorId,
    externalReference,
    idToken,
    limits,
    priority,
    remoteStart,
  }
  const came: Input = { kind: 'remoteStartAnswered', sessionId, ...answer }
  return [{ ...asked, input: () => order }, ...(answered ? [{ ...answered, input: () => came }] : [])]
}

/** Once accepted it moves its session (SESSION-S2), whatever its origin; see also stop-request-steps.ts. */
function stopSteps({ answered, answer: { outcome } }: Sent, transactionId: string): readonly Step[] {
  if (!answered || outcome !== 'accepted') return []
  return [
    {
      ...answered,
      input(state) {
        const sessionId = state.transactions.get(transactionId)?.sessionId
        return sessionId === undefined ? undefined : { kind: 'remoteStopAnswered', sessionId, outcome }
      },
    },
  ]
}

function askedSteps({ row, request, answered }: Sent, version: OcppVersion): readonly Step[] {
  if (row.status !== 'success' || !answered) return []
  const reported = version.readAskAnswer({ method: row.method, request }, responseOf(row))
  return reported ? [{ ...answered, input: () => reported }] : []
}

function startedBy({ remoteStart }: Session, { idTag, remoteStartId }: Payload): boolean {
  if (!remoteStart) return false
  if (remoteStartId !== undefined) return remoteStart.remoteStartId === remoteStartId
  return typeof idTag === 'string' && remoteStart.virtualIdToken.toLowerCase() === idTag.toLowerCase()
}
