/**
 * Our own CALLs on the wire: one open per connection (OCPP-RP4), a time-out that a late answer may still correct
 * (OCPP-RP7, OCPP-RP8), `dropped` when the connection ends or the wait was too long (OCPP-RP9, SESSION-O5). What came
 * of one is committed before anybody hears of it.
 */
import { mask } from '../../ocpp/mask.ts'
import { maskText } from '../../ocpp/mask-text.ts'
import { callText } from '../../ocpp/rpc/frame.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { CommandAnswer } from '../../ports/storage.ts'
import { lookups } from '../../sessions/decide.ts'
import type { Request } from '../../sessions/decision.ts'
import { type CoreContext, decideOn, NO_CHANGES } from '../context.ts'
import type { Station } from '../memory/station.ts'
import type { OutgoingCommand, Settlement } from './outgoing.ts'

/** It will never be sent. */
const UNSENT: Settlement = { status: 'dropped', unsent: true }

/** Sends the next waiting CALL when the connection is free. */
export function pump(context: CoreContext, station: Station): void {
  dropExpired(context, station)
  const { connection, version } = station
  if (connection === undefined || !version || station.held === connection) return
  // A charge point may come back with new firmware that speaks another version; what waited for the old one is no
  // message of it.
  for (const foreign of station.outgoing.takeForeign(version.protocol)) settle(context, station, foreign, UNSENT)
  dropNeedless(context, station)
  const command = station.outgoing.takeNext(({ call }) => mayBeSent(station, call.method))
  if (!command) return
  watchExpiry(context, station)
  context.sockets.send(connection, callText(command.messageId, command.call.method, command.call.request))
  station.cancelCallTimeout?.()
  station.cancelCallTimeout = context.clock.after(context.settings.callTimeoutMs, () => {
    const timedOut = station.outgoing.takeTimedOut(command.messageId)
    if (timedOut) settle(context, station, timedOut, { status: 'timeout' })
    pump(context, station)
  })
}

/**
 * SESSION-O4: nothing is sent to a rejected charge point, and little to one that is not accepted yet; the rest waits
 * for that.
 */
function mayBeSent({ chargePoint, state, version }: Station, method: string): boolean {
  if (chargePoint.registrationStatus === 'Rejected') return false
  const booted = state === undefined || state.status.bootedAt !== undefined
  return (
    (chargePoint.registrationStatus === 'Accepted' && booted) ||
    version?.toChargePoint[method]?.allowedWhilePending === true
  )
}

/**
 * A CALLRESULT or CALLERROR arrived. @returns false for an id that is no call of ours; it is not answered (OCPP-RP8)
 */
export function answered(context: CoreContext, station: Station, messageId: string, settlement: Settlement): boolean {
  const taken = station.outgoing.takeAnswered(messageId)
  if (!taken) return false
  settle(context, station, taken.command, settlement, taken.late)
  pump(context, station)
  return true
}

/** OCPP-RP9: the connection ended with a CALL open; its outcome is unknown. */
export function dropOpenCall(context: CoreContext, station: Station): void {
  station.cancelCallTimeout?.()
  const command = station.outgoing.takeDropped()
  if (command) settle(context, station, command, { status: 'dropped' })
}

/** The charge point is deleted: what was sent has an unknown outcome, the rest is never sent. */
export function dropOutgoing(context: CoreContext, station: Station): void {
  dropOpenCall(context, station)
  station.cancelExpiry?.()
  for (const command of station.outgoing.takeAll()) {
    settle(context, station, command, UNSENT)
  }
}

/** What they were for is over: also while the charge point is away, whoever waits for the row must know. */
export function dropNeedless(context: CoreContext, station: Station): void {
  for (const command of station.outgoing.takeOver()) settle(context, station, command, UNSENT)
}

/** Commands nobody will send any more: expired, or their charge point is gone. */
function dropExpired(context: CoreContext, station: Station): void {
  for (const command of station.outgoing.takeExpired(context.clock.now())) {
    settle(context, station, command, UNSENT)
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

function settle(
  context: CoreContext,
  station: Station,
  command: OutgoingCommand,
  settlement: Settlement,
  late = false,
): void {
  const input = command.followUp?.(settlement)
  let requests: readonly Request[] = []
  let answer: CommandAnswer | undefined
  context.engine.enqueue({
    stationId: station.id,
    prepare: () => (input ? lookups(input) : undefined),
    decide(current) {
      answer = answerRow(context, current, command, settlement)
      const decision = input ? decideOn(context, current, input) : NO_CHANGES
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

function answerRow(
  context: CoreContext,
  station: Station,
  command: OutgoingCommand,
  settlement: Settlement,
): CommandAnswer {
  const { id, call } = command
  const answeredAt = context.clock.now()
  if (settlement.status === 'success') {
    // OCPP-LG3: a remote start's row is found by the transaction that its answer names.
    const { transactionId } = station.version?.toChargePoint[call.method]?.columns(object(settlement.payload)) ?? {}
    const schemaErrors = station.version?.validateResponse(call.method, settlement.payload)
    return {
      id,
      status: 'success',
      response: mask(settlement.payloadText, settlement.payload),
      answeredAt,
      ...(transactionId !== undefined && { transactionId }),
      ...(schemaErrors !== undefined && { schemaErrors }),
    }
  }
  if (settlement.status === 'error') {
    // OCPP-LG5: some stations echo what they refuse.
    const description = maskText(settlement.description)
    const masked = mask(JSON.stringify(settlement.details), settlement.details)
    const error = { code: settlement.code, description, details: JSON.parse(masked) as unknown }
    return { id, status: 'error', error, answeredAt }
  }
  return { id, status: settlement.status }
}
