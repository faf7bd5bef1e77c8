/** What becomes of a reservation (RESERVATION-A1 to RESERVATION-A6). Pure. */
import { isWaiting } from '../intents/states.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome, StationTime } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { refuse } from '../refuse.ts'
import type { ConnectorReport } from '../sessions/decision.ts'
import { happenedBefore } from '../sessions/draft.ts'
import { unspecifiedOrEqual } from '../sessions/orders/authorise.ts'
import type { Reservation, ReservationState } from './records.ts'

/** After it has expired: what the charge point says of its end may be under way. */
const GRACE_MS = 60_000
const PAUSE_MS = 60_000
/** Of those that are over the newest stay. */
const OVER_KEPT = 50
const MAX_OPEN = 50

const kept = recordsOf('reservations')

/** RESERVATION-A1: of a charge point without a connection, as of a start (SESSION-O9). */
export const KEEPS_NOTHING = refuse(
  409,
  'charge_point_offline',
  'The charge point is not connected, so it can keep nothing now.',
)

export function isOpen({ state }: Pick<Reservation, 'state'>): boolean {
  return state === 'requested' || state === 'active'
}

export function onReservationOrdered(
  draft: BlockDraft,
  { id, reservationId, order, grantId }: InputOf<'reservationOrdered'>,
): Outcome | undefined {
  const { chargePointId, accountId, records } = draft.state
  const all = records.all('reservations')
  if (all.filter(isOpen).length >= MAX_OPEN) return { refused: 'too_many_reservations' }
  if (kept.find(draft, { reservationId })) return { refused: 'reservation_exists' }
  const over = all.filter((one) => !isOpen(one)).sort((one, other) => other.updatedAt - one.updatedAt)
  for (const old of over.slice(OVER_KEPT - 1)) kept.remove(draft, old)
  const { now } = draft
  const dates = { nextAttemptAt: now, changes: [['requested', now] as const], createdAt: now, updatedAt: now }
  const named = { chargePointId, reservationId, accountId, id, grantId, expiresAt: order.expiresAt }
  kept.put(draft, { ...named, ...dates, asked: order, state: 'requested', isCancelling: false })
}

export function nextCall(one: Reservation, now: number): 'reserve' | 'cancel' | undefined {
  if (!isOpen(one) || isWaiting(one.nextAttemptAt, now)) return undefined
  if (one.isCancelling) return 'cancel'
  return one.state === 'requested' && one.asked.expiresAt > now ? 'reserve' : undefined
}

export function onReservationCancelled(
  draft: BlockDraft,
  { reservationId }: InputOf<'reservationCancelled'>,
): Outcome | undefined {
  const known = kept.find(draft, { reservationId })
  if (!known || !isOpen(known)) return { refused: 'reservation_over' }
  // The charge point may have it already, where a call is under way or led to nothing.
  change(draft, known, { isCancelling: true, nextAttemptAt: draft.now })
}

export function onReservationAnswered(
  draft: BlockDraft,
  { call, answer, reason }: InputOf<'reservationAnswered'>,
): void {
  const known = kept.find(draft, call)
  if (!known || !isOpen(known)) return
  if (answer === 'failed') change(draft, known, { nextAttemptAt: draft.now + PAUSE_MS, reason })
  else if (call.step === 'cancel') {
    // It refuses where it knows no such reservation.
    change(draft, known, { state: 'cancelled', reason })
  } else if (answer === 'accepted') change(draft, known, { state: 'active', reason: undefined })
  else change(draft, known, { state: 'rejected', reason })
}

/** RESERVATION-A4: late words about one that is over change nothing. */
export function onReservationReported(
  draft: BlockDraft,
  { reservationId, status }: InputOf<'reservationReported'>,
): void {
  const known = kept.find(draft, { reservationId })
  if (!known || !isOpen(known)) return
  const state = status.toLowerCase() === 'expired' ? 'expired' : 'removed'
  change(draft, known, { state, ...(state === 'removed' && { reason: status.slice(0, 50) }) })
}

/** Signs of the charge that uses a reservation. */
export interface ReservationSigns {
  readonly reservationId?: number | undefined
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  readonly idToken?: string | undefined
  readonly groupId?: string | undefined
  readonly at: StationTime
}

/** RESERVATION-A3: a charge has begun. 0 and -1 are what stations write that mean none. */
export function reservationUsed(draft: BlockDraft, signs: ReservationSigns, sessionId: string): void {
  for (const one of draft.state.records.all('reservations')) {
    if (!isOpen(one) || !isUsedBy(draft, one, signs)) continue
    change(draft, one, { state: 'used', sessionId })
    return
  }
}

function isUsedBy(draft: BlockDraft, { reservationId, asked: order, createdAt }: Reservation, signs: ReservationSigns) {
  if (signs.reservationId !== undefined && signs.reservationId > 0) return signs.reservationId === reservationId
  const isHere =
    unspecifiedOrEqual(order.evseId, signs.evseId) && unspecifiedOrEqual(order.connectorId, signs.connectorId)
  const isCard = signs.idToken?.toLowerCase() === order.idToken.toLowerCase()
  const isGroup = order.groupId !== undefined && signs.groupId?.toLowerCase() === order.groupId.toLowerCase()
  return isHere && (isCard || isGroup) && !happenedBefore(draft, signs.at, createdAt)
}

/** RESERVATION-A5: 1.6 reports the end of a reservation only by the connector's status. 0 is the station. */
export function reservationLostAt(
  draft: BlockDraft,
  { connectorId, status, at }: Pick<ConnectorReport, 'connectorId' | 'status' | 'at'>,
): void {
  for (const one of draft.state.records.all('reservations')) {
    const desired = one.asked.connectorId ?? one.asked.evseId
    if (one.state !== 'active' || (connectorId !== 0 && desired !== connectorId)) continue
    if (happenedBefore(draft, at, one.createdAt)) continue
    change(draft, one, { state: 'removed', reason: status.slice(0, 50) })
  }
}

export function expireReservations(draft: BlockDraft): void {
  for (const { reservationId } of draft.state.records.all('reservations')) {
    const one = kept.find(draft, { reservationId })
    if (one && isOpen(one) && one.asked.expiresAt + GRACE_MS <= draft.now) change(draft, one, { state: 'expired' })
  }
}

export function wakeOfReservation(one: Reservation): number {
  return isOpen(one) ? one.asked.expiresAt + GRACE_MS : Number.POSITIVE_INFINITY
}

/** OIDC-C13: what an application ordered ends with its grant. */
export function cancelReservationsOf(draft: BlockDraft, grantId: string): void {
  for (const one of draft.state.records.all('reservations')) {
    if (one.grantId === grantId && isOpen(one)) change(draft, one, { isCancelling: true, nextAttemptAt: draft.now })
  }
}

function change(draft: BlockDraft, before: Reservation, changed: Partial<Reservation>): void {
  const state: ReservationState = changed.state ?? before.state
  const changes = state === before.state ? before.changes : [...before.changes, [state, draft.now] as const]
  kept.change(draft, { ...before, ...changed, changes })
}
