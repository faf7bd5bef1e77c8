/** What the API may ask of a charge point: one command, validated strictly before it is queued (RP13, O1, O4-O6). */

import type { OcppVersion, OutgoingCall, Protocol } from '../ocpp/version.ts'
import { versions } from '../ocpp/versions.ts'
import type { Command } from '../storage/store.ts'
import type { CoreContext } from './context.ts'
import type { Refusal, SendCommandOrder } from './core.ts'
import { asObject, type CommandOrder, enqueueCommand, OrderRefused } from './outbound.ts'
import type { OutgoingCommand } from './outgoing.ts'
import type { PasswordStore } from './password-change.ts'
import { changesPassword } from './password-change.ts'
import type { Station } from './station.ts'

/** Section 5: never queued for a charge point that is away, unless the caller gives a ttl. */
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

export async function sendCommand(
  context: CoreContext,
  passwords: PasswordStore,
  order: SendCommandOrder,
): Promise<Command | Refusal> {
  const found = await findStation(context, order.accountId, order.chargePointId)
  if ('refused' in found) return found
  const { station, version } = found
  const refusal = refuseCommand(station, version, order)
  if (refusal) return refusal
  const call = { method: order.method, request: order.request }
  const password = await changesPassword(context, passwords, station, version, call)
  station.askedFor.add(call)
  const { onSettled, answered } = waiting(context, order.waitMs)
  const followUp = stopFollowUp(station, version, call)
  try {
    const row = await enqueueCommand(context, {
      stationId: station.id,
      call,
      priority: priorityOf(order.method),
      expiresAt: context.clock.now() + (order.ttlMs ?? DEFAULT_TTL_MS),
      ...(followUp && { followUp }),
      onSettled(settled, settlement, late) {
        if (settlement.status === 'success' && version.validateResponse(call.method, settlement.payload)) {
          context.log.warn({ chargePoint: station.id, method: call.method }, 'the answer does not fit its schema')
        }
        password?.settled(settlement)
        onSettled(settled, settlement, late)
      },
    })
    return (await answered) ?? row
  } catch (error) {
    // Never sent, so the station cannot have taken the new password: only the old one stays valid.
    password?.abandoned()
    return refusalOf(error)
  }
}

/** S2: a stop that the charge point accepted moves the session of its transaction, whichever way it was sent. */
function stopFollowUp(station: Station, version: OcppVersion, call: OutgoingCall): CommandOrder['followUp'] {
  if (priorityOf(call.method) !== 'stop') return undefined
  const { transactionId } = version.toChargePoint[call.method]?.columns(call.request) ?? {}
  return (settlement) => {
    if (settlement.status !== 'success' || transactionId === undefined) return undefined
    const sessionId = station.state?.transactions.get(transactionId)?.sessionId
    const { accepted } = version.readRemoteAnswer(asObject(settlement.payload))
    return accepted && sessionId !== undefined
      ? { kind: 'remoteStopAnswered', sessionId, outcome: 'accepted' }
      : undefined
  }
}

/** The charge point of the account, and the version it speaks now or spoke last. */
export async function findStation(
  context: CoreContext,
  accountId: string,
  chargePointId: string,
): Promise<{ readonly station: Station; readonly version: OcppVersion } | Refusal> {
  const station = context.stations.current(chargePointId) ?? (await context.stations.load(chargePointId))
  if (!station || station.chargePoint.accountId !== accountId) {
    return refuse(404, 'not_found', 'There is no such charge point.')
  }
  const last = station.state?.status.protocol
  station.version ??= last === undefined ? undefined : versions[last as Protocol]
  if (!station.version) {
    return refuse(
      409,
      'charge_point_offline',
      'The charge point has never connected, so its OCPP version is not known.',
    )
  }
  return { station, version: station.version }
}

export function refuse(status: Refusal['status'], code: string, detail: string, errors?: Refusal['errors']): Refusal {
  return { refused: true, status, code, detail, ...(errors && { errors }) }
}

/** Errors of the queue as refusals; anything else is a fault of ours or of the disk. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof OrderRefused) {
    if (error.code === 'queue_full') {
      return refuse(429, 'queue_full', 'Too many commands wait for this charge point; try again when some are done.')
    }
    return refuse(409, error.code, 'The order does not fit the present state.')
  }
  return refuse(503, 'not_stored', 'The order could not be stored; nothing was sent. Try again later.')
}

/** Commands other than starts and stops may be sent in any state of the charge point that O4 allows. */
export function refuseWhenAway(station: Station, ttlMs: number | undefined): Refusal | undefined {
  if (station.connection !== undefined || ttlMs !== undefined) return undefined
  return refuse(409, 'charge_point_offline', 'The charge point is not connected; give a ttl to wait for it.')
}

function refuseCommand(station: Station, version: OcppVersion, order: SendCommandOrder): Refusal | undefined {
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

function priorityOf(method: string): OutgoingCommand['priority'] {
  if (method === 'RemoteStopTransaction' || method === 'RequestStopTransaction') return 'stop'
  if (method === 'RemoteStartTransaction' || method === 'RequestStartTransaction') return 'start'
  return 'rest'
}

/** O1: the row as answered, or undefined when the wait is over first. */
function waiting(
  context: CoreContext,
  waitMs: number,
): { onSettled: (row: Command, settlement: unknown, late: boolean) => void; answered: Promise<Command | undefined> } {
  let resolve: (row: Command | undefined) => void = () => undefined
  const answered = new Promise<Command | undefined>((done) => {
    resolve = done
  })
  const cancel = waitMs > 0 ? context.clock.after(waitMs, () => resolve(undefined)) : undefined
  if (waitMs <= 0) resolve(undefined)
  return {
    answered,
    onSettled(row) {
      cancel?.()
      resolve(row)
    },
  }
}
