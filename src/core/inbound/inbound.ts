import { lookups } from '../../domain/blocks/decide.ts'
import { refusedTariff } from '../../domain/intents/tariffs.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdTime } from '../../domain/message-log/log-id.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { ChangeSet, Command } from '../../domain/ports/storage-records.ts'
import type { Request } from '../../domain/sessions/decision.ts'
import { followsFromRow } from '../../domain/sessions/follows.ts'
import { stopDueUntil } from '../../domain/sessions/orders/stop-request.ts'
import { mask, maskText, maskUnreadable } from '../../ocpp/mask.ts'
import { errorText, type Frame, resultText } from '../../ocpp/rpc/frame.ts'
import { object, type Payload } from '../../ocpp/translate/payload.ts'
import type { Columns, OcppVersion } from '../../ocpp/version.ts'
import { onFirstMessage } from '../connections/first-word.ts'
import type { NotKept } from '../connections/row-count.ts'
import { watchClock } from '../connections/station-clock.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import { isNotOwner } from '../groups/store-refusals.ts'
import { isUnaccepted, type Station } from '../memory/station.ts'
import { watchDraw } from '../reconcile/charging/answer.ts'
import { afterCommit } from '../reconcile/subjects.ts'
import type { Later } from './late-answers.ts'
import {
  type Arrival,
  type ArrivedCall,
  frameProcessed,
  mayTalk,
  notAccepted,
  type ReadCall,
  type RefusedCall,
  readCall,
  refuseUnaccepted,
} from './read-call.ts'
import { type AnsweredRow, AnsweredRows } from './recent-answers.ts'

/** Enough to recognize the origin of a foreign text. */
const KEPT_CHARACTERS = 4096

/** Values of the log's method column that are no actions. */
export const MALFORMED_METHOD = 'Malformed'
export const UNANSWERED_METHOD = 'Unanswered'
const NOT_KEPT_METHOD = 'NotKept'
const NOT_STORED = 'The message could not be stored; send it again.'

export interface TextFacts {
  readonly stationId: string
  readonly version: OcppVersion
  readonly method: string
  readonly messageId?: string | undefined
  readonly code: string
  readonly description: string
}

export function textRow(context: CoreContext, facts: TextFacts, text: string): Command {
  return row(context, facts, JSON.stringify(shortMasked(text)))
}

export function notKeptJob(context: CoreContext, station: Station, { messages, bytes, since }: NotKept): Job {
  const { id: stationId, version } = station
  const description = `${messages} more messages were not kept: more came than are worth their place.`
  const until = isoTime(context.clock.now())
  const request = JSON.stringify({ messages, bytes, since: isoTime(since), until })
  return {
    stationId,
    decide() {
      if (!version) return undefined
      const facts = { stationId, version, method: NOT_KEPT_METHOD, code: 'GenericError', description }
      return { chargePointId: stationId, command: row(context, facts, request) }
    },
  }
}

/** The beginning of unparsable text, with possible secrets masked. */
function shortMasked(text: string): string {
  return maskUnreadable(text.slice(0, 2 * KEPT_CHARACTERS)).slice(0, KEPT_CHARACTERS)
}

function row(context: CoreContext, facts: TextFacts, request: string): Command {
  const now = context.clock.now()
  return {
    id: context.logIds.next(now),
    chargePointId: facts.stationId,
    direction: 'in',
    method: facts.method,
    messageId: facts.messageId ?? '-1',
    protocol: facts.version.protocol,
    status: 'error',
    request,
    error: { code: facts.code, description: facts.description, details: {} },
    answeredAt: now,
  }
}

/** A CALL on its way to an answer: read, validated, decided, stored with its answer, then answered (OCPP-DR5). */
interface Answer {
  readonly text: string
  readonly requests: readonly Request[]
  /** Neither refused nor repeated. */
  readonly accepted?: true
  /** A stop of its session is requested (SESSION-S10). */
  readonly isStopRequested?: boolean
  /** Decided again, and only then sent, when this is known. */
  readonly later?: { readonly ask: Later; readonly read: ReadCall }
}

/** @param stored one whose row is stored, and whose answer was not known until now */
export function inboundCall(context: CoreContext, arrived: ArrivedCall, stored?: ReadCall): Job {
  const { frame, connection, version } = arrived
  let read: ReadCall | RefusedCall | undefined = stored
  let answer: Answer | undefined
  const settled = (): void => {
    frameProcessed(context.sockets, arrived.arrival)
    arrived.settled?.()
  }
  return {
    stationId: arrived.stationId,
    bytes: frame.payloadText.length,
    prepare(station) {
      read ??= refuseUnaccepted(station, arrived) ?? readCall(context, station, arrived)
      return read.ok ? lookups(read.input) : undefined
    },
    decide(station) {
      if (!read) throw new Error('A call was decided before it was read.')
      const step = decideCall(context, station, arrived, read)
      answer = step.answer
      return isUnaccepted(station) ? limitLogRow(context, station, arrived, step.changes) : step.changes
    },
    rolledBack(station) {
      if (answer?.accepted) station.recent.forget(frame.messageId)
    },
    committed(station) {
      if (answer?.later) return decideLater(context, arrived, answer.later)
      settled()
      if (!answer) return
      // OCPP-RP14: it was accepted or set back while connected.
      const isBoot = frame.action === 'BootNotification'
      if (isBoot && station.updateLimits()) context.sockets.setLimits(connection, station.hasUnacceptedLimits)
      if (!frame.isSend) context.sockets.send(connection, answer.text)
      if (read && !read.ok && read.closes) context.sockets.close(connection, 1008, read.description)
      for (const request of answer.requests) context.outgoing.ask(station, request)
      if (station.awaitsFirstMessage) onFirstMessage(context, station, connection)
      if (isBoot) afterCommit(context, station, 'booted')
      if (answer.isStopRequested) afterCommit(context, station, 'stopRequested')
    },
    failed(error, station) {
      station?.recent.forget(frame.messageId)
      // The socket closes soon; the station repeats the call where it reconnects.
      if (isNotOwner(error)) return settled()
      context.counters.callErrors++
      const code = version.code('internal') ?? 'InternalError'
      if (!frame.isSend) context.sockets.send(connection, errorText(frame.idText, code, NOT_STORED))
      settled()
      context.log.error({ chargePoint: arrived.stationId, action: frame.action, error: error.message }, 'not stored')
    },
  }
}

/** OCPP-RP14: calls of unaccepted charge points are decided like any other, but the log has little room for them. */
function limitLogRow(
  context: CoreContext,
  station: Station,
  { version, frame }: ArrivedCall,
  changes: ChangeSet,
): ChangeSet | undefined {
  // A shortened row is not decided again.
  const { command, decidedBy: _, ...rest } = changes
  const isKept = command && context.rowLimit.mayKeep(station, frame.payloadText.length)
  if (isKept) return { ...rest, command: unacceptedRow(command, version) }
  return rest.status || rest.connectors || rest.records ? rest : undefined
}

function decideLater(context: CoreContext, arrived: ArrivedCall, { ask, read }: NonNullable<Answer['later']>): void {
  context.lateAnswers.ask(ask, (input) => context.engine.enqueue(inboundCall(context, arrived, { ...read, input })))
}

interface Step {
  readonly answer: Answer
  readonly changes: ChangeSet
}

function decideCall(context: CoreContext, station: Station, arrived: ArrivedCall, read: ReadCall | RefusedCall): Step {
  const { frame, version } = arrived
  if (!read.ok) return refuse(context, arrived, read)
  if (read.storedAs !== undefined) return accept(context, station, arrived, read)
  const known = read.handler.repeatable
    ? station.recent.find(frame.messageId, frame.action, frame.payloadText)
    : undefined
  if (known !== undefined) return repeat(context, arrived, read, known)
  if (!mayTalk(station, read.handler)) return refuse(context, arrived, notAccepted(version))
  const later = arrived.settled && context.lateAnswers.before(station, read)
  return later ? postpone(context, arrived, read, later) : accept(context, station, arrived, read)
}

/** OCPP21-C8: without an answer until the service has said something; after a crash the station asks again. */
function postpone(context: CoreContext, arrived: ArrivedCall, read: ReadCall, ask: Later): Step {
  const { handler, payload, schemaErrors, valid } = read
  const columns = handler.columns(payload, {}, arrived.frame.payloadText)
  const facts = { status: 'dropped', columns, schemaErrors, valid } as const
  const command = { ...commandRow(context, arrived, context.clock.now(), facts), answeredAt: undefined }
  return {
    answer: { text: '', requests: [], later: { ask, read: { ...read, storedAs: command.id } } },
    changes: { chargePointId: arrived.stationId, command },
  }
}

function accept(context: CoreContext, station: Station, arrived: ArrivedCall, read: ReadCall): Step {
  const { frame } = arrived
  const now = context.clock.now()
  const commandId = read.storedAs ?? context.logIds.next(now)
  const decided = decideOn(context, station, read.input, now, commandId)
  const decision = watchClock(context.log, station, read.input, decided)
  const response = read.handler.answer(read.payload, decision.outcome, {
    now,
    heartbeatIntervalSeconds: context.settings.heartbeatIntervalSeconds,
    bootRetrySeconds: context.settings.bootRetrySeconds,
  })
  const responseText = JSON.stringify(response)
  if (read.handler.repeatable) {
    station.recent.remember({
      messageId: frame.messageId,
      action: frame.action,
      payloadText: frame.payloadText,
      answerText: responseText,
    })
  }
  if (frame.action === 'BootNotification') station.recent.clear()
  station.askedFor?.arrived(frame.action, read.payload)
  if (station.state?.records.all('charging_demands').length) watchDraw(context, station, read.input)
  const row = commandRow(context, arrived, now, {
    id: commandId,
    status: 'success',
    response: frame.isSend ? undefined : mask(responseText, response),
    columns: read.handler.columns(read.payload, decision.outcome, frame.payloadText),
    schemaErrors: read.schemaErrors,
    valid: read.valid,
  })
  if (arrived.version.abilities.hasSend) {
    station.answeredRows ??= new AnsweredRows()
    station.answeredRows.add(frame.messageId, answerOf(row))
  }
  const isAsCame = row.request === frame.payloadText && row.schemaErrors === undefined && row.answeredAt === now
  const { state } = station
  const follows = isAsCame && state !== undefined && followsFromRow(state, read.input, decision)
  const { receivedAt } = arrived
  const decidedBy = follows ? { receivedAt, status: state.status, settings: context.settings } : undefined
  const written = read.storedAs === undefined ? row : { status: row.status, ...answerOf(row) }
  const changes = context.decisions.applied(station, decision, written, undefined, decidedBy)
  const isStopRequested = decision.changes.sessions?.some(
    (session) => session.stopRequestedAt !== undefined && stopDueUntil(session) !== undefined,
  )
  return {
    answer: {
      text: resultText(frame.idText, responseText),
      requests: decision.requests ?? [],
      accepted: true,
      isStopRequested,
    },
    changes,
  }
}

function answerOf({ id, response, answeredAt, schemaErrors, transactionId }: Command): AnsweredRow {
  return { id, response, answeredAt, schemaErrors, transactionId }
}

function repeat(context: CoreContext, arrived: ArrivedCall, read: ReadCall, responseText: string): Step {
  context.counters.repeatedMessages++
  const { frame } = arrived
  const response = JSON.parse(responseText) as Payload
  const { transactionId } = response
  // OCPP-LG3: the number that we assigned appears only in the answer.
  const outcome: Outcome = typeof transactionId === 'number' ? { transactionId: String(transactionId) } : {}
  const command = commandRow(context, arrived, context.clock.now(), {
    status: 'success',
    response: frame.isSend ? undefined : mask(responseText, response),
    columns: read.handler.columns(read.payload, outcome, frame.payloadText),
    schemaErrors: read.schemaErrors,
  })
  return {
    answer: { text: resultText(frame.idText, responseText), requests: [] },
    changes: { chargePointId: arrived.stationId, command },
  }
}

function refuse(context: CoreContext, arrived: ArrivedCall, { code, description }: RefusedCall): Step {
  context.counters.callErrors++
  const { frame, version } = arrived
  // OCPP-LG3: refused calls are searchable by transaction, too.
  const columns = version.fromChargePoint[frame.action]?.columns(object(frame.payload), {}, frame.payloadText)
  const command = commandRow(context, arrived, context.clock.now(), {
    status: 'error',
    error: { code, description, details: {} },
    columns,
  })
  return {
    answer: { text: errorText(frame.idText, code, description), requests: [] },
    changes: { chargePointId: arrived.stationId, command },
  }
}

interface AnswerFacts {
  /** Assigned before the decision; absent: the next one. */
  readonly id?: number
  readonly status: Command['status']
  readonly response?: string | undefined
  readonly error?: NonNullable<Command['error']>
  readonly columns?: Columns | undefined
  readonly schemaErrors?: string | undefined
  readonly valid?: string | undefined
}

/** OCPP21-A3: noted in the row of the message it answers; what the answer caused stays. */
export function answerRefused(
  context: CoreContext,
  stationId: string,
  row: AnsweredRow,
  frame: Extract<Frame, { readonly type: 'error' | 'resultError' }>,
  arrival: Arrival,
): Job {
  const { code, details } = frame
  const masked = JSON.parse(mask(JSON.stringify(details), details)) as unknown
  const error = { code, description: maskText(frame.description), details: masked }
  const settled = (): void => frameProcessed(context.sockets, arrival)
  return {
    stationId,
    decide(station) {
      // OCPP21-C9: it cannot read the driver's tariff, whatever else it may have minded.
      const tariff = object(object(JSON.parse(row.response ?? '{}')).tariff)
      if (typeof tariff.tariffId === 'string')
        station.refusedTariffs.add(refusedTariff(tariff.tariffId, station.state?.status.firmwareVersion))
      return { chargePointId: stationId, answer: { ...row, status: 'success', error } }
    },
    committed: settled,
    failed: settled,
  }
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

/** Never answered before its id was assigned. Spreading its members took 4 % CPU. */
function commandRow(
  context: CoreContext,
  { stationId, version, frame }: ArrivedCall,
  now: number,
  { id = context.logIds.next(now), status, response, error, columns, schemaErrors, valid }: AnswerFacts,
): Command {
  const row: Growing<Command> = {
    id,
    chargePointId: stationId,
    direction: 'in',
    method: frame.action,
    messageId: frame.messageId,
    protocol: version.protocol,
    status,
    request: frame.tooDeep
      ? JSON.stringify(shortMasked(frame.payloadText))
      : mask(frame.payloadText, frame.payload, valid),
    answeredAt: Math.max(now, logIdTime(id)),
  }
  if (response !== undefined) row.response = response
  if (error !== undefined) row.error = error
  if (columns?.connectorId !== undefined) row.connectorId = columns.connectorId
  if (columns?.evseId !== undefined) row.evseId = columns.evseId
  if (columns?.transactionId !== undefined) row.transactionId = columns.transactionId
  if (schemaErrors !== undefined) row.schemaErrors = schemaErrors
  return row
}

// OCPP-RP14: the row of an unaccepted charge point's call takes a few kilobytes, whatever it sent.

/** A boot has a tenth of it. */
const REQUEST_BYTES = 4096
/** No official id is longer. */
const TRANSACTION_ID_CHARACTERS = 64
/** Replaces invented actions: the log remembers each method name forever. */
const UNKNOWN_METHOD = 'UnknownAction'

function unacceptedRow(row: Command, version: OcppVersion): Command {
  const { transactionId, ...rest } = row
  const method = version.fromChargePoint[row.method] || version.toChargePoint[row.method] ? row.method : UNKNOWN_METHOD
  return {
    ...rest,
    method,
    request: cut(row.request),
    ...(transactionId !== undefined && transactionId.length <= TRANSACTION_ID_CHARACTERS && { transactionId }),
  }
}

function cut(json: string): string {
  if (Buffer.byteLength(json) <= REQUEST_BYTES) return json
  let length = REQUEST_BYTES
  for (;;) {
    const text = JSON.stringify(json.slice(0, length))
    if (Buffer.byteLength(text) <= REQUEST_BYTES) return text
    length = Math.floor(length * 0.9)
  }
}
