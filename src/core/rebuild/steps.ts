/**
 * What happened to a charge point, in the order in which the core decided it (B3): the rows of its log as inputs, with
 * what only their answers tell (the number we gave, whether a token was accepted).
 */
import { hash } from 'node:crypto'
import { logIdTime } from '../../commands/log-id.ts'
import type { OcppVersion, Payload } from '../../ocpp/version.ts'
import { versions } from '../../ocpp/versions.ts'
import type { Input } from '../../sessions/decision.ts'
import type { ChargePointState, IdToken, Session } from '../../sessions/model.ts'
import type { ChargePoint, Command } from '../../storage/store.ts'
import type { SettlementEntry } from '../../storage/webhook-store.ts'
import { RecentAnswers } from '../recent-answers.ts'

export interface Step {
  readonly at: number
  /** Among steps of one millisecond: the log's order. */
  readonly order: number
  /** Log id that the step's events name as their cause. */
  readonly cause?: number
  readonly input: (state: ChargePointState) => Input | undefined
  /** The transaction number that we gave in the answer. */
  readonly transactionId?: string
  /** The tokens of the input as they were then: what was answered about them. */
  readonly tokens?: (ids: readonly string[]) => ReadonlyMap<string, IdToken>
}

/** A stop that was ordered for a session is noted on it in the millisecond of its row; a process may be a little late. */
const SAME_MOMENT_MS = 2000

/** @param sessions those of the charge point as they are stored: whose remote start or stop a command was */
export function stepsOf(
  rows: readonly Command[],
  chargePoint: Pick<ChargePoint, 'accountId' | 'validation'>,
  sessions: readonly Session[],
): readonly Step[] {
  const repeats = repetitions()
  return rows.flatMap((row) => {
    const version = Object.hasOwn(versions, row.protocol) ? versions[row.protocol as keyof typeof versions] : undefined
    if (!version) return []
    if (row.direction === 'out') return sent(row, version, sessions)
    return repeats(row, version) ? [] : received(row, version, chargePoint)
  })
}

/** RP6: what came again while its answer was remembered got that answer, and was not decided a second time. */
function repetitions(): (row: Command, version: OcppVersion) => boolean {
  let recent = new RecentAnswers()
  return ({ messageId, method, request, response, status }, version) => {
    if (status !== 'success' || response === undefined) return false
    // A station that booted may count its message ids from the start again.
    if (method === 'BootNotification') recent = new RecentAnswers()
    if (!version.fromChargePoint[method]?.repeatable) return false
    if (recent.find(messageId, method, request) === response) return true
    recent.remember({ messageId, action: method, payloadText: request, answerText: response })
    return false
  }
}

/** Refused messages had no effect. */
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
  const input = handler.input(call.payload, {
    messageId: row.messageId,
    receivedAt: at,
    raw: row.request,
    digest: () => hash('sha256', row.request).slice(0, 24),
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

/** Only what was ordered for a session, or asked by a decision, had an effect on one. */
function sent(row: Command, version: OcppVersion, sessions: readonly Session[]): readonly Step[] {
  const request = JSON.parse(row.request) as Payload
  const asked = { at: logIdTime(row.id), order: row.id, cause: row.id }
  const { answeredAt } = row
  const answered = answeredAt === undefined ? undefined : { at: answeredAt, order: row.id, cause: row.id }
  const answer = row.status === 'success' ? responseOf(row) : undefined
  const read = answer && version.readRemoteAnswer(answer)
  const outcome = read?.accepted ? 'accepted' : 'rejected'

  const started = sessions.find((session) => startedBy(session, request))
  if (started?.remoteStart) {
    const { id: sessionId, evseId, connectorId, externalReference, remoteStart } = started
    const { matched: _, ...waiting } = remoteStart
    const order: Input = {
      kind: 'remoteStartRequested',
      sessionId,
      ...(evseId !== undefined && { evseId }),
      ...(connectorId !== undefined && { connectorId }),
      ...(externalReference !== undefined && { externalReference }),
      remoteStart: waiting,
    }
    const came: Input = {
      kind: 'remoteStartAnswered',
      sessionId,
      outcome,
      ...(read?.transactionId !== undefined && { transactionId: read.transactionId }),
    }
    return [{ ...asked, input: () => order }, ...(answered ? [{ ...answered, input: () => came }] : [])]
  }

  const { transactionId } = row
  if (transactionId !== undefined && version.remoteStop(transactionId).method === row.method) {
    const of = (state: ChargePointState): string | undefined => state.transactions.get(transactionId)?.sessionId
    const order: Step = { ...asked, input: (state) => stopInput(of(state), 'remoteStopRequested', outcome) }
    const came = (at: Omit<Step, 'input'>): Step => ({
      ...at,
      input: (state) => stopInput(of(state), 'remoteStopAnswered', outcome),
    })
    // Sent as a plain command it was no order for the session, but accepted it moved it (S2).
    const ordered = stopsSession(row, sessions)
    const moved = answered && (ordered || read?.accepted)
    return [...(ordered ? [order] : []), ...(moved ? [came(answered)] : [])]
  }

  const told = answer && version.readAskAnswer({ method: row.method, request }, answer)
  return told && answered ? [{ ...answered, input: () => told }] : []
}

function startedBy({ remoteStart }: Session, { idTag, remoteStartId }: Payload): boolean {
  if (!remoteStart) return false
  if (remoteStartId !== undefined) return remoteStart.remoteStartId === remoteStartId
  return typeof idTag === 'string' && remoteStart.virtualIdToken.toLowerCase() === idTag.toLowerCase()
}

/** The stop was ordered for its session, not sent as a plain command. */
function stopsSession(row: Command, sessions: readonly Session[]): boolean {
  const at = logIdTime(row.id)
  return sessions.some(
    ({ transactionId, stopRequestedAt }) =>
      transactionId === row.transactionId &&
      stopRequestedAt !== undefined &&
      Math.abs(stopRequestedAt - at) <= SAME_MOMENT_MS,
  )
}

function stopInput(
  sessionId: string | undefined,
  kind: 'remoteStopRequested' | 'remoteStopAnswered',
  outcome: 'accepted' | 'rejected',
): Input | undefined {
  if (sessionId === undefined) return undefined
  return kind === 'remoteStopRequested' ? { kind, sessionId } : { kind, sessionId, outcome }
}

/** The ledger's entries that somebody made; those of the rules follow from the rest (L4, M5). */
export function settlementSteps(
  entries: readonly SettlementEntry[],
  find: (state: ChargePointState) => Session | undefined,
): readonly Step[] {
  return entries
    .filter(({ by }) => by !== 'pilotwire')
    .map(({ at, energyMilliWh, costMicros, currency }) => ({
      at,
      // After the messages of that millisecond: it was completed by one of them.
      order: Number.MAX_SAFE_INTEGER,
      input: (state: ChargePointState) => {
        const session = find(state)
        if (!session) return undefined
        // The entry has all figures; what did not change was left out by whoever settled, and is not fixed by that.
        const newCost = costMicros !== undefined && costMicros !== session.cost?.micros
        return {
          kind: 'settled',
          sessionId: session.id,
          ...(energyMilliWh !== session.energyMilliWh && { energyMilliWh }),
          ...(newCost && { costMicros }),
          ...(newCost && currency !== undefined && { currency }),
        }
      },
    }))
}

function responseOf({ response = '{}' }: Command): Payload {
  return JSON.parse(response) as Payload
}

const STATUSES = ['Accepted', 'Blocked', 'Expired', 'Invalid', 'NoCredit'] as const

/** Both versions answer with a status and a group, under names of their own. No token: it was unknown. */
function answeredTokens(
  ids: readonly string[],
  accountId: string,
  { idTagInfo, idTokenInfo }: Payload,
): ReadonlyMap<string, IdToken> {
  const told = (idTagInfo ?? idTokenInfo ?? {}) as {
    readonly status?: unknown
    readonly parentIdTag?: unknown
    readonly groupIdToken?: { readonly idToken?: unknown }
  }
  const status = STATUSES.find((known) => known === told.status)
  const groupId = told.parentIdTag ?? told.groupIdToken?.idToken
  if (!status) return new Map()
  return new Map(
    ids.map((id) => [
      id.toLowerCase(),
      { accountId, id, type: '', status, createdAt: 0, ...(typeof groupId === 'string' && { groupId }) },
    ]),
  )
}
