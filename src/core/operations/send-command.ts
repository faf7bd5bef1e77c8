/**
 * What the API may ask of a charge point: one command, validated strictly before it is queued (OCPP-RP13, SESSION-O1,
 * SESSION-O4 to SESSION-O6, SESSION-O11).
 */

import type { Capability } from '../../domain/ports/capability.ts'
import type { SendCommandOrder, SentCommand } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Command } from '../../domain/ports/storage.ts'
import type { OutgoingCall } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import { orderCall } from '../outbound/order-call.ts'
import { abandonPassword, beginPasswordChange } from '../outbound/password-change.ts'
import { refusalOf, refuse } from './core-refusals.ts'
import { type FoundStation, findStation, refuseWhenAway } from './find-station.ts'
import { joined, partsOf } from './send-parts.ts'

/** SESSION-O9: never queued for a charge point that is away, unless the caller gives a ttl. */
const REFUSED_OFFLINE = new Set([
  'RemoteStartTransaction',
  'RequestStartTransaction',
  'UnlockConnector',
  'Reset',
  'ReserveNow',
  'TriggerMessage',
  'ExtendedTriggerMessage',
])
/** How long other commands stay queued for a charge point that is away. */
const DEFAULT_TTL_MS = 24 * 3600_000

export async function sendCommand(context: CoreContext, order: SendCommandOrder): Promise<SentCommand | Refusal> {
  const found = await findStation(context, order.accountId, order.chargePointId)
  if ('refused' in found) return found
  const refusal = refuseCommand(found, order)
  if (refusal) return refusal
  const { method, request } = order
  const rule = found.version.toChargePoint[method]?.list
  const calls = partsOf(found.station, { method, request }, rule)
  if ('refused' in calls) return calls
  const rows = await Promise.all(calls.map((call) => sendOne(context, found, order, call)))
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
        ...(password && { password }),
        ...(order.grantId !== undefined && { grantId: order.grantId }),
      },
      expiresAt: context.clock.now() + (order.ttlMs ?? DEFAULT_TTL_MS),
      answered,
    })
    return (await whenAnswered) ?? row
  } catch (error) {
    // Never sent, so the station cannot have taken the new password: only the old one stays valid.
    if (password) abandonPassword(context, found, call, password)
    return refusalOf(error)
  }
}

function refuseCommand({ station, version }: FoundStation, order: SendCommandOrder): Refusal | undefined {
  const action = version.toChargePoint[order.method]
  if (!action) {
    const known = Object.keys(version.toChargePoint).join(', ')
    return refuse(
      400,
      'unsupported_method',
      `${version.protocol} has no such command to a charge point. It has: ${known}.`,
      [{ pointer: '/method', message: `is not a command of ${version.protocol}` }],
    )
  }
  const capability = action.capability(order.request)
  if (order.capabilities && !order.capabilities.includes(capability)) return beyondCaller(order, capability)
  const faults = version.validateRequest(order.method, order.request)
  if (faults.length > 0) {
    const errors = faults.map(({ pointer, message }) => ({ pointer: `/request${pointer}`, message }))
    return refuse(
      400,
      'invalid_request',
      `The request does not fit the ${version.protocol} schema of ${order.method}.`,
      errors,
    )
  }
  const { registrationStatus } = station.chargePoint
  if (registrationStatus === 'Rejected') {
    return refuse(409, 'charge_point_rejected', 'Nothing is sent to a rejected charge point.')
  }
  const booted = registrationStatus === 'Accepted' && station.state?.status.bootedAt !== undefined
  if (!booted && !action.allowedWhilePending) {
    return refuse(
      409,
      'charge_point_pending',
      'The charge point is not accepted yet; only configuration, reports and triggers may be sent.',
    )
  }
  return REFUSED_OFFLINE.has(order.method) ? refuseWhenAway(station, order.ttlMs) : undefined
}

/** OIDC-C11 */
function beyondCaller({ method, capabilities = [] }: SendCommandOrder, capability: Capability): Refusal {
  const covered = capabilities.length > 0 ? capabilities.join(', ') : 'no command'
  const detail =
    capability === 'connection'
      ? `No access token may set a charge point’s password or address, as this ${method} does: use an API credential.`
      : `This ${method} needs ${capability}; the access token covers ${covered}. An API credential of the account may send it.`
  return refuse(403, 'insufficient_scope', detail, [{ pointer: '/method', message: `needs ${capability}` }])
}

/** SESSION-O1: the row as answered, or undefined when the wait is over first. */
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
