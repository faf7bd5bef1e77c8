/**
 * Our own CALLs: the pending row is committed before the CALL leaves, the answer's row before anybody hears of it.
 * One open CALL per connection (RP4), a time-out that a late answer may still correct (RP7, RP8), `dropped` when the
 * connection ends or the wait was too long (RP9, O5).
 */
import { logIdToUuid } from '../commands/log-id.ts'
import { mask } from '../ocpp/mask.ts'
import { callText } from '../ocpp/rpc/frame.ts'
import type { OcppVersion, OutgoingCall } from '../ocpp/version.ts'
import { decide, lookups } from '../sessions/decide.ts'
import type { Decision, Input, Request } from '../sessions/decision.ts'
import type { Command, CommandAnswer } from '../storage/store.ts'
import type { CoreContext } from './context.ts'
import type { OutgoingCommand, Settlement } from './outgoing.ts'
import type { Station } from './station.ts'

/** Consequences of our own decisions are pointless when the station does not come back soon. */
const ASK_TTL_MS = 60_000

const NOTHING: Decision = { outcome: {}, changes: {} }

export interface CommandOrder {
  readonly stationId: string
  readonly call: OutgoingCall
  readonly priority: OutgoingCommand['priority']
  readonly expiresAt: number
  /** Decided and committed together with the pending row (a remote start's session). */
  readonly input?: Input
  /** Asked before it is sent: true, and it never is. */
  readonly isOver?: () => boolean
  /** What the answer means for a session. */
  readonly followUp?: (settlement: Settlement) => Input | undefined
  readonly onSettled?: (row: Command, settlement: Settlement, late: boolean) => void
}

/** The order does not fit the state it met in the queue; nothing was stored. */
export class OrderRefused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Commits the pending row and queues the CALL; resolves with the row. */
export function enqueueCommand(context: CoreContext, order: CommandOrder): Promise<Command> {
  return new Promise((resolve, reject) => {
    let row: Command | undefined
    let refused: string | undefined
    context.engine.enqueue({
      stationId: order.stationId,
      prepare: () => (order.input ? lookups(order.input) : undefined),
      decide(station) {
        const decision = order.input ? decideOn(context, station, order.input) : NOTHING
        refused = decision.outcome.refused ?? (station.version ? undefined : 'charge_point_offline')
        if (refused === undefined && !station.outgoing.reserve()) refused = 'queue_full'
        if (refused !== undefined || !station.version) return undefined
        row = pendingRow(context, station.id, station.version, order.call)
        return context.applied(station, decision, row)
      },
      takenBack(station) {
        if (row) station.outgoing.release()
        row = undefined
      },
      committed(station) {
        if (!row) return reject(new OrderRefused(refused ?? 'refused'))
        const stored = row
        const command: OutgoingCommand = {
          id: stored.id,
          messageId: stored.messageId,
          call: order.call,
          protocol: stored.protocol,
          priority: order.priority,
          expiresAt: order.expiresAt,
          ...(order.isOver && { isOver: order.isOver }),
          ...(order.followUp && { followUp: order.followUp }),
          settled: (settlement, late, answer) => order.onSettled?.({ ...stored, ...answer }, settlement, late),
        }
        station.outgoing.add(command)
        resolve(stored)
        pump(context, station)
      },
      failed(error, station) {
        if (row) station?.outgoing.release()
        row = undefined
        reject(error)
      },
    })
  })
}

/** Sends the next waiting CALL when the connection is free. */
export function pump(context: CoreContext, station: Station): void {
  dropExpired(context, station)
  const { connection, version } = station
  if (connection === undefined || !version) return
  // A charge point may come back with new firmware that speaks another version; what waited for the old one is no message of it.
  const needless = [...station.outgoing.takeForeign(version.protocol), ...station.outgoing.takeOver()]
  for (const command of needless) settle(context, station, command, { status: 'dropped', unsent: true }, false)
  const command = station.outgoing.takeNext(({ call }) => mayBeSent(station, call.method))
  if (!command) return
  watchExpiry(context, station)
  context.sockets.send(connection, callText(command.messageId, command.call.method, command.call.request))
  station.cancelCallTimeout?.()
  station.cancelCallTimeout = context.clock.after(context.settings.callTimeoutMs, () => {
    const timedOut = station.outgoing.takeTimedOut(command.messageId)
    if (timedOut) settle(context, station, timedOut, { status: 'timeout' }, false)
    pump(context, station)
  })
}

/** O4: nothing is sent to a rejected charge point, and little to one that is not accepted yet; the rest waits for that. */
function mayBeSent({ chargePoint, state, version }: Station, method: string): boolean {
  if (chargePoint.registrationStatus === 'Rejected') return false
  const booted = state === undefined || state.status.bootedAt !== undefined
  return (
    (chargePoint.registrationStatus === 'Accepted' && booted) ||
    version?.toChargePoint[method]?.allowedWhilePending === true
  )
}

/** A CALLRESULT or CALLERROR arrived. Unmatched ids are logged, never answered (RP8). */
export function answered(context: CoreContext, station: Station, messageId: string, settlement: Settlement): void {
  const taken = station.outgoing.takeAnswered(messageId)
  if (!taken) {
    context.log.warn({ chargePoint: station.id, messageId: messageId.slice(0, 60) }, 'answer to a call we do not know')
    return
  }
  settle(context, station, taken.command, settlement, taken.late)
  pump(context, station)
}

/** RP9: the connection ended with a CALL open; its outcome is unknown. */
export function dropOpenCall(context: CoreContext, station: Station): void {
  station.cancelCallTimeout?.()
  const command = station.outgoing.takeDropped()
  if (command) settle(context, station, command, { status: 'dropped' }, false)
}

/** The charge point is deleted: what was sent has an unknown outcome, the rest is never sent. */
export function dropOutgoing(context: CoreContext, station: Station): void {
  dropOpenCall(context, station)
  station.cancelExpiry?.()
  for (const command of station.outgoing.takeAll()) {
    settle(context, station, command, { status: 'dropped', unsent: true }, false)
  }
}

/** Commands nobody will send any more: expired, or their charge point is gone. */
export function dropExpired(context: CoreContext, station: Station): void {
  for (const command of station.outgoing.takeExpired(context.clock.now())) {
    settle(context, station, command, { status: 'dropped', unsent: true }, false)
  }
  watchExpiry(context, station)
}

/** Also while the charge point is away: whoever waits for the row, and a password it was to set, must know. */
function watchExpiry(context: CoreContext, station: Station): void {
  station.cancelExpiry?.()
  const next = station.outgoing.nextExpiry
  station.cancelExpiry =
    next === undefined
      ? undefined
      : context.clock.after(Math.max(0, next - context.clock.now()), () => dropExpired(context, station))
}

/** Sends what a decision asked for; a charge point that is away will tell by itself when it is back. */
export function ask(context: CoreContext, station: Station, request: Request): void {
  const call = station.version?.ask(request)
  const { version, connection } = station
  if (!call || !version || connection === undefined) return
  enqueueCommand(context, {
    stationId: station.id,
    call,
    priority: 'rest',
    expiresAt: context.clock.now() + ASK_TTL_MS,
    followUp: (settlement) =>
      settlement.status === 'success' ? version.readAskAnswer(call, asObject(settlement.payload)) : undefined,
  }).catch((error: Error) => context.log.warn({ chargePoint: station.id, error: error.message }, 'could not ask'))
}

export function asObject(payload: unknown): Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? (payload as Readonly<Record<string, unknown>>)
    : {}
}

function settle(
  context: CoreContext,
  station: Station,
  command: OutgoingCommand,
  settlement: Settlement,
  late: boolean,
): void {
  const input = command.followUp?.(settlement)
  let requests: readonly Request[] = []
  let answer: CommandAnswer | undefined
  context.engine.enqueue({
    stationId: station.id,
    prepare: () => (input ? lookups(input) : undefined),
    decide(current) {
      answer = answerRow(context, current, command, settlement)
      const decision = input ? decideOn(context, current, input) : NOTHING
      requests = decision.requests ?? []
      return context.applied(current, decision, answer)
    },
    committed(current) {
      if (answer) command.settled(settlement, late, answer)
      for (const request of requests) context.ask(current, request)
    },
    failed(error) {
      context.log.error({ chargePoint: station.id, error: error.message }, 'an answer could not be stored')
    },
  })
}

function decideOn(context: CoreContext, station: Station, input: Input): Decision {
  if (!station.state) throw new Error('The state of the charge point is not loaded.')
  return decide(station.state, input, context.decisionContext(station, context.clock.now()))
}

function pendingRow(context: CoreContext, chargePointId: string, version: OcppVersion, call: OutgoingCall): Command {
  const id = context.nextLogId(context.clock.now())
  const text = JSON.stringify(call.request)
  return {
    id,
    chargePointId,
    direction: 'out',
    method: call.method,
    messageId: logIdToUuid(id, context.salt),
    protocol: version.protocol,
    ...version.toChargePoint[call.method]?.columns(call.request),
    status: 'pending',
    request: mask(text, call.request),
  }
}

function answerRow(
  context: CoreContext,
  station: Station,
  command: OutgoingCommand,
  settlement: Settlement,
): CommandAnswer {
  const { id, call } = command
  const answeredAt = context.clock.now()
  if (settlement.status === 'success') {
    // LG3: a remote start's row is found by the transaction that its answer names.
    const { transactionId } = station.version?.toChargePoint[call.method]?.columns(asObject(settlement.payload)) ?? {}
    return {
      id,
      status: 'success',
      response: mask(settlement.payloadText, settlement.payload),
      answeredAt,
      ...(transactionId !== undefined && { transactionId }),
    }
  }
  if (settlement.status === 'error') {
    const { code, description } = settlement
    // LG5: some stations echo what they refuse.
    const masked = mask(JSON.stringify(settlement.details), settlement.details)
    return { id, status: 'error', error: { code, description, details: JSON.parse(masked) as unknown }, answeredAt }
  }
  return { id, status: settlement.status }
}
