/**
 * An order to send a CALL: the pending row is committed, with what it means for a session, before the CALL may leave
 * (SESSION-O1). From there on outbound.ts takes care of it.
 */
import { logIdToUuid } from '../../commands/log-id.ts'
import { mask } from '../../ocpp/mask.ts'
import type { OcppVersion, OutgoingCall } from '../../ocpp/version.ts'
import type { Command } from '../../ports/storage.ts'
import { lookups } from '../../sessions/decide.ts'
import type { Input } from '../../sessions/decision.ts'
import { type CoreContext, decideOn, NO_CHANGES } from '../context.ts'
import { pump } from '../outbound/outbound.ts'
import type { OutgoingCommand, Settlement } from '../outbound/outgoing.ts'
import { OrderRefused } from './refusal.ts'

export interface CommandOrder {
  readonly stationId: string
  readonly call: OutgoingCall
  readonly priority: OutgoingCommand['priority']
  readonly expiresAt: number
  /** The transaction that it is to stop. */
  readonly stops?: string
  /** Decided and committed together with the pending row (a remote start's session). */
  readonly input?: Input
  /** Asked before it is sent: true, and it never is. */
  readonly isOver?: () => boolean
  /** What the answer means for a session. */
  readonly followUp?: (settlement: Settlement) => Input | undefined
  readonly onSettled?: (row: Command, settlement: Settlement, late: boolean) => void
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
        const decision = order.input ? decideOn(context, station, order.input) : NO_CHANGES
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
          ...(order.stops !== undefined && { stops: order.stops }),
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
