/** A charge point's log as inputs, in decision order (HOOK-B3), with what only answers have (numbers, verdicts). */

import { logIdTime } from '../../domain/message-log/log-id.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { RemoteStart, Session } from '../../domain/ports/sessions.ts'
import type { ChargePoint, Command } from '../../domain/ports/storage-records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { inputOf } from '../../ocpp/admission.ts'
import type { Payload } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { RecentAnswers } from '../inbound/recent-answers.ts'
import { type RemoteAnswer, readRemoteAnswer } from '../outbound/call-outcome.ts'
import { responseOf, type Step } from './replay.ts'

/** @param sessions of the charge point, to find the session of a remote start or stop */
export function stepsOf(
  rows: readonly Command[],
  chargePoint: Pick<ChargePoint, 'accountId' | 'validation'>,
  sessions: readonly Session[],
): readonly Step[] {
  const repeats = repetitions()
  return rows.flatMap((row) => {
    const version = versionOf(row.protocol)
    if (!version) return []
    if (row.direction === 'out') return sentSteps(row, version, sessions)
    return repeats(row, version) ? [] : received(row, version, chargePoint)
  })
}

/** OCPP-RP6: a repetition got the remembered answer and was not decided again. */
function repetitions(): (row: Command, version: OcppVersion) => boolean {
  let recent = new RecentAnswers()
  return ({ messageId, method, request, response, status }, version) => {
    if (status !== 'success' || response === undefined) return false
    // A booted station may restart its message ids.
    if (method === 'BootNotification') recent = new RecentAnswers()
    if (!version.fromChargePoint[method]?.repeatable) return false
    if (recent.find(messageId, method, request) === response) return true
    recent.remember({ messageId, action: method, payloadText: request, answerText: response })
    return false
  }
}

function received(
  row: Command,
  version: OcppVersion,
  { accountId, validation = 'lenient' }: Pick<ChargePoint, 'accountId' | 'validation'>,
): readonly Step[] {
  const handler = version.fromChargePoint[row.method]
  if (!handler || row.status !== 'success') return []
  const call = version.validateCall(
    row.method,
    JSON.parse(row.request),
    validation === 'strict' ? 'lenient' : validation,
  )
  if (!call.ok) return []
  const at = logIdTime(row.id)
  const input = inputOf(handler, call.payload, {
    messageId: row.messageId,
    payloadText: row.request,
    receivedAt: at,
  })
  const response = responseOf(row)
  const { transactionId } = response
  return [
    {
      at,
      order: row.id,
      cause: row.id,
      input: () => input,
      tokens: (ids) => answeredTokens(ids, accountId, response),
      ...(typeof transactionId === 'number' && { transactionId: String(transactionId) }),
    },
  ]
}

const STATUSES = ['Accepted', 'Blocked', 'Expired', 'Invalid', 'NoCredit'] as const

/** Both versions answer with a status and a group, under different names. No token: it was unknown. */
function answeredTokens(
  ids: readonly string[],
  accountId: string,
  { idTagInfo, idTokenInfo }: Payload,
): ReadonlyMap<string, IdToken> {
  const reported = (idTagInfo ?? idTokenInfo ?? {}) as {
    readonly status?: unknown
    readonly parentIdTag?: unknown
    readonly groupIdToken?: { readonly idToken?: unknown }
  }
  const status = STATUSES.find((known) => known === reported.status)
  const groupId = reported.parentIdTag ?? reported.groupIdToken?.idToken
  if (!status) return new Map()
  return new Map(
    ids.map((id) => [
      id.toLowerCase(),
      { accountId, id, type: '', status, createdAt: 0, ...(typeof groupId === 'string' && { groupId }) },
    ]),
  )
}

/** Our own commands as steps, if ordered for a session or asked by a decision: others had no effect on one. */
type Moment = Omit<Step, 'input'>

interface Sent {
  readonly row: Command
  readonly request: Payload
  readonly asked: Moment
  readonly answered: Moment | undefined
  readonly answer: RemoteAnswer
}

function sentSteps(row: Command, version: OcppVersion, sessions: readonly Session[]): readonly Step[] {
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

/** Once accepted it moves its session (SESSION-S2), whatever its origin. */
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
