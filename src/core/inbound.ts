/**
 * A CALL from a charge point on its way to an answer: read, validated, translated, decided, stored with its answer, and
 * answered after the commit (DR5). This file is the order of those steps; each step lives in its own room.
 */
import { hash } from 'node:crypto'
import { logIdTime } from '../commands/log-id.ts'
import { mask } from '../ocpp/mask.ts'
import type { Frame } from '../ocpp/rpc/frame.ts'
import { errorText, resultText } from '../ocpp/rpc/frame.ts'
import type { Columns, ErrorCode, FromChargePoint, OcppVersion, Payload } from '../ocpp/version.ts'
import { decide, lookups } from '../sessions/decide.ts'
import type { Input, Request } from '../sessions/decision.ts'
import type { Outcome } from '../sessions/model.ts'
import type { ChangeSet, Command } from '../storage/store.ts'
import type { CoreContext } from './context.ts'
import type { Job } from './engine.ts'
import { asObject, pump } from './outbound.ts'
import type { Station } from './station.ts'

type CallFrame = Extract<Frame, { type: 'call' }>

interface Arrived {
  readonly connection: number
  readonly stationId: string
  readonly version: OcppVersion
  readonly frame: CallFrame
  readonly receivedAt: number
}

interface Accepted {
  readonly ok: true
  readonly handler: FromChargePoint
  readonly payload: Payload
  readonly input: Input
  readonly schemaErrors?: string
}

interface Refused {
  readonly ok: false
  readonly code: ErrorCode
  readonly description: string
}

/** What leaves once the group is durable. */
interface Answer {
  readonly text: string
  readonly requests: readonly Request[]
  /** It was neither refused nor a repetition. */
  readonly accepted?: true
}

export function inboundCall(context: CoreContext, arrived: Arrived): Job {
  const { frame, connection, version } = arrived
  let read: Accepted | Refused | undefined
  let answer: Answer | undefined
  return {
    stationId: arrived.stationId,
    prepare(station) {
      read ??= readCall(context, station, arrived)
      return read.ok ? lookups(read.input) : undefined
    },
    decide(station) {
      if (!read) throw new Error('A call was decided before it was read.')
      const repeated = read.ok && read.handler.repeatable ? repeatedAnswer(station, frame) : undefined
      const step = repeated
        ? repeat(context, station, arrived, read, repeated)
        : read.ok && mayTalk(station, frame.action)
          ? accept(context, station, arrived, read)
          : refuse(context, station, arrived, read.ok ? notAccepted(version) : read)
      answer = step.answer
      return step.changes
    },
    takenBack(station) {
      if (answer?.accepted) station.recent.forget(frame.messageId)
    },
    committed(station) {
      if (!answer) return
      context.sockets.send(connection, answer.text)
      for (const request of answer.requests) context.ask(station, request)
      // O4: what waited until the charge point was accepted.
      if (frame.action === 'BootNotification') pump(context, station)
    },
    failed(error, station) {
      station?.recent.forget(frame.messageId)
      context.counters.callErrors++
      const code = version.code('internal') ?? 'InternalError'
      context.sockets.send(connection, errorText(frame.idText, code, 'The message could not be stored; send it again.'))
      context.log.error({ chargePoint: arrived.stationId, action: frame.action, error: error.message }, 'not stored')
    },
  }
}

function readCall(context: CoreContext, station: Station, { version, frame, receivedAt }: Arrived): Accepted | Refused {
  const code = version.refuseAction(frame.action)
  if (code) return { ok: false, code, description: `${frame.action.slice(0, 60)} is not supported here.` }
  const mode = station.chargePoint.validation ?? context.settings.validation
  const valid = version.validateCall(frame.action, frame.payload, mode)
  if (!valid.ok) return valid
  const handler = version.fromChargePoint[frame.action]
  if (!handler) return { ok: false, code: 'NotImplemented', description: 'The action is not known.' }
  const input = handler.input(valid.payload, {
    receivedAt,
    raw: frame.payloadText,
    digest: () => hash('sha256', frame.payloadText).slice(0, 24),
    messageId: frame.messageId,
  })
  return {
    ok: true,
    handler,
    payload: valid.payload,
    input,
    ...schemaErrorsOf(frame, valid.schemaErrors),
  }
}

function schemaErrorsOf({ mended }: CallFrame, found: string | undefined): { readonly schemaErrors?: string } {
  const schemaErrors = mended ? ['The message was not JSON.', found].join(' ').trim() : found
  return schemaErrors === undefined ? {} : { schemaErrors }
}

/** DR9: before its BootNotification is accepted a station may only boot, or send what we triggered. */
function mayTalk(station: Station, action: string): boolean {
  if (action === 'BootNotification') return true
  const { state, chargePoint } = station
  if (chargePoint.registrationStatus === 'Accepted' && state?.status.bootedAt !== undefined) return true
  return station.askedFor.includes(action)
}

function notAccepted(version: OcppVersion): Refused {
  return {
    ok: false,
    code: version.code('notAccepted') ?? 'SecurityError',
    description: 'The charge point is not accepted yet: send a BootNotification first.',
  }
}

function repeatedAnswer(station: Station, frame: CallFrame): string | undefined {
  return station.recent.find(frame.messageId, frame.action, frame.payloadText)
}

interface Step {
  readonly answer: Answer
  readonly changes: ChangeSet
}

function accept(context: CoreContext, station: Station, arrived: Arrived, read: Accepted): Step {
  const { frame } = arrived
  const now = context.clock.now()
  if (!station.state) throw new Error('The state of the charge point is not loaded.')
  const decision = decide(station.state, read.input, context.decisionContext(station, now))
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
  station.askedFor.arrived(frame.action, read.payload)
  const changes = context.applied(
    station,
    decision,
    commandRow(context, arrived, now, {
      status: 'success',
      response: mask(responseText, response),
      columns: read.handler.columns(read.payload, decision.outcome, frame.payloadText),
      schemaErrors: read.schemaErrors,
    }),
  )
  return {
    answer: { text: resultText(frame.idText, responseText), requests: decision.requests ?? [], accepted: true },
    changes,
  }
}

function repeat(
  context: CoreContext,
  station: Station,
  arrived: Arrived,
  read: Accepted | Refused,
  responseText: string,
): Step {
  context.counters.repeatedMessages++
  const { frame } = arrived
  const response = JSON.parse(responseText) as Payload
  const { transactionId } = response
  // LG3: the number that we gave stands only in the answer.
  const outcome: Outcome = typeof transactionId === 'number' ? { transactionId: String(transactionId) } : {}
  const command = commandRow(context, arrived, context.clock.now(), {
    status: 'success',
    response: mask(responseText, response),
    columns: read.ok ? read.handler.columns(read.payload, outcome, frame.payloadText) : undefined,
    schemaErrors: read.ok ? read.schemaErrors : undefined,
  })
  return {
    answer: { text: resultText(frame.idText, responseText), requests: [] },
    changes: { chargePointId: station.id, command },
  }
}

function refuse(context: CoreContext, station: Station, arrived: Arrived, { code, description }: Refused): Step {
  context.counters.callErrors++
  const { frame, version } = arrived
  // LG3: what was refused is looked for by its transaction like anything else.
  const columns = version.fromChargePoint[frame.action]?.columns(asObject(frame.payload), {}, frame.payloadText)
  const command = commandRow(context, arrived, context.clock.now(), {
    status: 'error',
    error: { code, description, details: {} },
    columns,
  })
  return {
    answer: { text: errorText(arrived.frame.idText, code, description), requests: [] },
    changes: { chargePointId: station.id, command },
  }
}

interface AnswerFacts {
  readonly status: Command['status']
  readonly response?: string
  readonly error?: NonNullable<Command['error']>
  readonly columns?: Columns | undefined
  readonly schemaErrors?: string | undefined
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * The row of an answered call. Its id was given now, so it is not answered before it was created, whatever the clock
 * does. Optional members are added one by one: spreading them took 4 % of the core's CPU.
 */
function commandRow(
  context: CoreContext,
  { stationId, version, frame }: Arrived,
  now: number,
  { status, response, error, columns, schemaErrors }: AnswerFacts,
): Command {
  const id = context.nextLogId(now)
  const row: Growing<Command> = {
    id,
    chargePointId: stationId,
    direction: 'in',
    method: frame.action,
    messageId: frame.messageId,
    protocol: version.protocol,
    status,
    request: mask(frame.payloadText, frame.payload),
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
