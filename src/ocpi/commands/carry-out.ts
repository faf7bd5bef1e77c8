/** Orders of partners, carried out as our own API's are, and what they came to in the words of OCPI (OCPI-A4). */
import { outletOf, unlockAt } from '../../application/partners/at-station.ts'
import { cancelReservation, findReservation, orderReservation } from '../../application/reservations/orders.ts'
import { isRecent } from '../../domain/due.ts'
import type { PartnerOfSession } from '../../domain/partners/records.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import type { OcpiContext } from '../wire/module.ts'
import type { Place } from './places.ts'
import { pause } from './results.ts'

type Result =
  | 'ACCEPTED'
  | 'EVSE_OCCUPIED'
  | 'EVSE_INOPERATIVE'
  | 'FAILED'
  | 'NOT_SUPPORTED'
  | 'REJECTED'
  | 'TIMEOUT'
  | 'UNKNOWN_RESERVATION'

export interface CommandResult {
  readonly result: Result
  readonly message?: readonly object[]
}

/** For the charge point's answer. */
const WAIT_MS = 30_000
const LOOK_MS = 250

export async function startAt(
  { core }: Pick<OcpiContext, 'core'>,
  { chargePoint, evse }: Place,
  partner: PartnerOfSession,
): Promise<CommandResult> {
  const { accountId, id: chargePointId } = chargePoint
  const outlet = outletOf(chargePoint, evse.ocppEvseId)
  const order = { accountId, chargePointId, ...outlet, idToken: partner.uid, partner, waitMs: WAIT_MS }
  const started = await core.startSession(order)
  if ('refused' in started) return refusedAs(started)
  const results = { accepted: 'ACCEPTED', rejected: 'REJECTED', timeout: 'TIMEOUT', dropped: 'FAILED' } as const
  return { result: started.answer ? results[started.answer] : 'TIMEOUT' }
}

export async function stop(context: OcpiContext, session: Session, signal: AbortSignal): Promise<CommandResult> {
  const stopped = await context.core.stopSession(session.accountId, session.id)
  if ('refused' in stopped) return refusedAs(stopped)
  const since = stopped.stopRequestedAt ?? 0
  const isDone = ({ state, stopAcceptedAt }: Session): boolean =>
    isTerminal(state) || (stopAcceptedAt !== undefined && stopAcceptedAt >= since)
  const read = async () => (await context.reads.findSession(session.id)) ?? stopped
  const after = await eventually(context, read, isDone, signal)
  return { result: after ? 'ACCEPTED' : 'TIMEOUT' }
}

export async function unlock({ core }: OcpiContext, { chargePoint, evse, connectorId }: Place): Promise<CommandResult> {
  const word = await unlockAt(core, chargePoint, { ocppEvseId: evse.ocppEvseId, connectorId }, WAIT_MS)
  if (typeof word !== 'string') return refusedAs(word)
  return { result: UNLOCKED[word] ?? 'FAILED' }
}

const UNLOCKED: Readonly<Record<string, Result>> = {
  Unlocked: 'ACCEPTED',
  NotSupported: 'NOT_SUPPORTED',
  NotImplemented: 'NOT_SUPPORTED',
  OngoingAuthorizedTransaction: 'REJECTED',
  timeout: 'TIMEOUT',
}

export interface ReservationRequest {
  readonly partner: PartnerOfSession
  readonly groupId: string | undefined
  /** The partner's number. */
  readonly reservationId: string
  readonly expiresAt: number
}

/** The same number of the same partner replaces what it named. */
export async function reserve(
  context: OcpiContext,
  { chargePoint, evse, locationId }: Place,
  { partner, groupId, reservationId, expiresAt }: ReservationRequest,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { writes, core, now } = context
  const { accountId, id: chargePointId } = chargePoint
  const { partnerId } = partner
  const name = { accountId, partnerId, reservationId }
  const before = await reservationOf(context, name)
  if (before && isOpen(before.state)) {
    const cancelled = await cancelReservation(context, before)
    if ('refused' in cancelled && cancelled.code !== 'reservation_over') return refusedAs(cancelled)
  }
  const type = partner.type === 'RFID' ? 'ISO14443' : 'Central'
  const outlet = outletOf(chargePoint, evse.ocppEvseId)
  const order = { ...outlet, idToken: partner.uid, idTokenType: type, groupId, expiresAt }
  const made = await orderReservation(context, chargePoint, order, undefined)
  if ('refused' in made) return refusedAs(made)
  await writes.putRecords('partner_reservations', [{ ...name, locationId, chargePointId, id: made.id, at: now() }])
  const input = { kind: 'partnerPermitted', partner, groupId } as const
  await core.decideBlock({ accountId, chargePointId, input })
  const read = async () => (await findReservation(context, made.id)) ?? made
  const after = await eventually(context, read, ({ state }) => state !== 'requested', signal)
  if (!after) return { result: 'TIMEOUT' }
  if (after.state === 'active' || after.state === 'used') return { result: 'ACCEPTED' }
  return { result: NOT_RESERVED[after.reason?.toLowerCase() ?? ''] ?? 'REJECTED' }
}

const NOT_RESERVED: Readonly<Record<string, Result>> = {
  occupied: 'EVSE_OCCUPIED',
  faulted: 'EVSE_INOPERATIVE',
  unavailable: 'EVSE_INOPERATIVE',
}

export async function cancel(
  context: OcpiContext,
  name: { readonly accountId: string; readonly partnerId: string; readonly reservationId: string },
  signal: AbortSignal,
): Promise<CommandResult> {
  const known = await reservationOf(context, name)
  if (!known || !isOpen(known.state)) return { result: 'UNKNOWN_RESERVATION' }
  const cancelled = await cancelReservation(context, known)
  if ('refused' in cancelled) return refusedAs(cancelled)
  const read = async () => (await findReservation(context, known.id)) ?? known
  const after = await eventually(context, read, ({ state }) => !isOpen(state), signal)
  return { result: after ? 'ACCEPTED' : 'TIMEOUT' }
}

async function reservationOf(context: OcpiContext, name: Parameters<typeof cancel>[1]) {
  const { accountId, partnerId, reservationId } = name
  const named = await context.reads.getRecord('partner_reservations', { accountId, partnerId, reservationId })
  return named && findReservation(context, named.id)
}

function isOpen(state: string): boolean {
  return state === 'requested' || state === 'active'
}

/** Undefined: it did not come in time. */
export async function eventually<Seen>(
  context: Pick<OcpiContext, 'now' | 'after'>,
  read: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const began = context.now()
  while (!signal.aborted) {
    const seen = await read()
    if (isDone(seen)) return seen
    if (!isRecent(began, context.now(), WAIT_MS)) return undefined
    await pause(context, LOOK_MS, signal)
  }
  return undefined
}

const REFUSED: Readonly<Record<string, Result>> = {
  charge_point_offline: 'FAILED',
  queue_full: 'FAILED',
  not_stored: 'FAILED',
  charge_point_pending: 'EVSE_INOPERATIVE',
  unsupported_method: 'NOT_SUPPORTED',
}

function refusedAs({ code, detail }: Refusal): CommandResult {
  return { result: REFUSED[code] ?? 'REJECTED', message: [{ language: 'en', text: detail.slice(0, 512) }] }
}
