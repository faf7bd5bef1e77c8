/** One command, validated before it is queued (OCPP-RP13, SESSION-O1, SESSION-O4 to SESSION-O6, SESSION-O11). */

import type { SendCommandOrder, SentCommand } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Command } from '../../domain/ports/storage.ts'
import { mayWait, objectionTo } from '../../ocpp/orders/objection.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'
import type { CoreContext } from '../context.ts'
import { orderCall } from '../outbound/order-call.ts'
import { abandonPassword, beginPasswordChange } from '../outbound/password-change.ts'
import { chargingObjection } from './charging-objection.ts'
import { refusalOf } from './core-refusals.ts'
import { type FoundStation, findStation, refuseWhenAway } from './find-station.ts'
import { joined, partsOf } from './send-parts.ts'

const DEFAULT_TTL_MS = 24 * 3600_000

export async function sendCommand(context: CoreContext, order: SendCommandOrder): Promise<SentCommand | Refusal> {
  const found = await findStation(context, order.accountId, order.chargePointId)
  if ('refused' in found) return found
  const refusal = refuseCommand(context, found, order)
  if (refusal) return refusal
  const { method, request } = order
  const rule = found.version.toChargePoint[method]?.list
  const calls = partsOf(found.station, { method, request }, rule)
  if ('refused' in calls) return calls
  // The outcome of a bulk order is in its last part: until that is stored, all parts are sent again.
  const last = calls.length - 1
  const rows = await Promise.all(
    calls.map((call, index) => sendOne(context, found, order, call, index === last ? order.bulkOrderId : undefined)),
  )
  const sent: Command[] = []
  for (const row of rows) {
    if ('refused' in row) return row
    sent.push(row)
  }
  return joined(sent, rule)
}

async function sendOne(
  context: CoreContext,
  found: FoundStation,
  order: SendCommandOrder,
  call: OutgoingCall,
  bulkOrderId: string | undefined,
): Promise<Command | Refusal> {
  const { station } = found
  const password = await beginPasswordChange(context, found, call)
  const { answered, whenAnswered } = waiting(context, order.waitMs)
  try {
    const row = await orderCall(context, {
      stationId: station.id,
      call,
      purpose: {
        kind: 'command',
        password,
        grantId: order.grantId,
        bulkOrderId,
      },
      ...(bulkOrderId !== undefined && {
        inputOf: (commandId) => ({ kind: 'bulkSent', orderId: bulkOrderId, commandId }),
      }),
      expiresAt: context.clock.now() + (order.ttlMs ?? DEFAULT_TTL_MS),
      answered,
    })
    return (await whenAnswered) ?? row
  } catch (error) {
    // Never sent, so the station cannot have the new password: only the old one stays valid.
    if (password) abandonPassword(context, found, call, password)
    return refusalOf(error)
  }
}

function refuseCommand(
  context: CoreContext,
  { station, version }: FoundStation,
  order: SendCommandOrder,
): Refusal | undefined {
  const { registrationStatus } = station.chargePoint
  const isBooted = station.state?.status.bootedAt !== undefined
  const objection = objectionTo(order, version, { registrationStatus, isBooted }, order.capabilities)
  const { pointer, readOrder } = version.charging
  const charging = chargingObjection(
    context,
    station,
    version,
    readOrder(order),
    false,
    (at) => `/request${pointer(at, order)}`,
  )
  return objection ?? charging ?? (mayWait(order.method) ? undefined : refuseWhenAway(station, order.ttlMs))
}

/** SESSION-O1: the answered row; undefined on a time-out. */
function waiting(
  context: CoreContext,
  waitMs: number,
): { answered: (row: Command) => void; whenAnswered: Promise<Command | undefined> } {
  let resolve: (row: Command | undefined) => void = () => undefined
  const whenAnswered = new Promise<Command | undefined>((done) => {
    resolve = done
  })
  const cancel = waitMs > 0 ? context.clock.after(waitMs, () => resolve(undefined)) : undefined
  if (waitMs <= 0) resolve(undefined)
  return {
    whenAnswered,
    answered(row) {
      cancel?.()
      resolve(row)
    },
  }
}
