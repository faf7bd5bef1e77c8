/** Orders a CALL: its row, record and effect on a session are committed before it leaves (SESSION-O1, OCPP-RP15). */

import { lookups } from '../../domain/blocks/decide.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import { sentCall } from '../../domain/outgoing-calls/rules.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { mask } from '../../ocpp/mask.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { type CoreContext, decideOn, NO_CHANGES } from '../context.ts'
import { OrderRefused } from '../operations/find-station.ts'
import type { CallOutcome } from './call-outcome.ts'
import { mayLeaveAtOnce, pump, sendNow } from './outbound.ts'
import type { Claim, QueuedCall } from './outgoing-queue.ts'
import { ruleOf } from './purpose-rule.ts'
import { puts, storedCall, withRecord } from './stored-call.ts'

export interface CallOrder {
  readonly stationId: string
  readonly call: OutgoingCall
  readonly purpose: Purpose
  readonly expiresAt: number
  /** Decided and committed with the pending row (a remote start's session). */
  readonly input?: Input
  /** As `input`, where it needs the command's public id. */
  readonly inputOf?: (commandId: string) => Input
  readonly answered?: (row: Command, outcome: CallOutcome, late: boolean) => void
}

/** Commits the pending row, then queues the CALL. */
export function orderCall(context: CoreContext, order: CallOrder): Promise<Command> {
  const { call, purpose, expiresAt } = order
  const priority = ruleOf(context.outgoing.purposes, purpose).priority?.(call) ?? 'rest'
  return new Promise((resolve, reject) => {
    let row: Command | undefined
    let queued: QueuedCall | undefined
    let refused: string | undefined
    let claim: Claim | undefined
    context.engine.enqueue({
      stationId: order.stationId,
      prepare: () => (order.input ? lookups(order.input) : undefined),
      decide(station) {
        const { version } = station
        const made = version && pendingRow(context, station.id, version, call)
        const input = order.input ?? (made && order.inputOf?.(made.messageId))
        const decision = input ? decideOn(context, station, input) : NO_CHANGES
        refused = decision.outcome.refused ?? (version ? undefined : 'charge_point_offline')
        // Leaves with this commit if nothing is queued before it; else with its own.
        const place = mayLeaveAtOnce(station, call.method)
        claim = refused === undefined && place !== undefined ? station.outgoing.claimAtOnce(place) : undefined
        if (refused === undefined && !station.outgoing.reserve()) refused = 'queue_full'
        if (refused !== undefined || !made) return undefined
        const pending = made
        const stored = storedCall(context.sealed.calls, pending, { call, purpose, priority, expiresAt })
        row = pending
        queued = {
          stored,
          call,
          connection: station.connection,
          answered: (answer, outcome, late) => order.answered?.({ ...pending, ...answer }, outcome, late),
        }
        const put = puts(claim ? sentCall(stored, context.clock.now()) : stored)
        return context.decisions.applied(station, withRecord(decision, put), pending)
      },
      rolledBack(station) {
        if (claim) station.outgoing.giveUp(claim)
        if (row) station.outgoing.release()
        row = undefined
      },
      committed(station) {
        if (!row || !queued) return reject(new OrderRefused(refused ?? 'refused'))
        station.outgoing.add(queued)
        resolve(row)
        if (claim) sendNow(context, station, claim, queued)
        else pump(context, station)
      },
      failed(error, station) {
        if (claim) station?.outgoing.giveUp(claim)
        if (row) station?.outgoing.release()
        row = undefined
        reject(error)
        if (claim && station) pump(context, station)
      },
    })
  })
}

function pendingRow(context: CoreContext, chargePointId: string, version: OcppVersion, call: OutgoingCall): Command {
  const id = context.logIds.next(context.clock.now())
  const text = JSON.stringify(call.request)
  return {
    id,
    chargePointId,
    direction: 'out',
    method: call.method,
    messageId: logIdToUuid(id, context.logIds.salt),
    protocol: version.protocol,
    ...version.toChargePoint[call.method]?.columns(call.request),
    status: 'pending',
    request: mask(text, call.request),
  }
}
