/** What the API and the console do with reservations (RESERVATION-A1, RESERVATION-A2). */
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Core, Protocol } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { ChargePointView, Reads } from '../../domain/ports/storage.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Reservation, ReservationOrder } from '../../domain/reservations/records.ts'
import { KEEPS_NOTHING } from '../../domain/reservations/rules.ts'
import { versions } from '../../ocpp/versions.ts'

interface ReservationContext {
  readonly reads: Pick<Reads, 'listRecords' | 'getRecord'>
  readonly core: Pick<Core, 'decideBlock'>
  readonly random: (bytes: number) => Buffer
  readonly now: () => number
}

export async function findReservation(
  { reads }: Pick<ReservationContext, 'reads'>,
  id: string,
): Promise<Reservation | undefined> {
  return (await reads.listRecords('reservations', { where: { id }, limit: 1 }))[0]
}

export async function orderReservation(
  place: ReservationContext,
  chargePoint: ChargePointView,
  order: ReservationOrder,
  grantId: string | undefined,
): Promise<Reservation | Refusal> {
  const { id: chargePointId, accountId } = chargePoint
  const version = versions[chargePoint.status.protocol as Protocol]
  if (!version) return KEEPS_NOTHING
  const refusal = refuseOrder(place, version, order) ?? (await refusePlace(place, chargePointId, version, order))
  if (refusal) return refusal
  // 31 bits and above 0: what every charge point can count.
  const reservationId = place.random(4).readUInt32BE() >>> 1 || 1
  const id = newUuid(place.now())
  const input = { kind: 'reservationOrdered', id, reservationId, order, ...(grantId && { grantId }) } as const
  const outcome = await place.core.decideBlock({ accountId, chargePointId, input })
  if ('status' in outcome) return outcome
  const made = await place.reads.getRecord('reservations', { chargePointId, reservationId })
  return made ?? refuse(503, 'not_stored', 'The reservation could not be read. Look at the charge point.')
}

/** It stands until the charge point has taken it back. */
export async function cancelReservation(
  { core, reads }: ReservationContext,
  { accountId, chargePointId, reservationId, id }: Reservation,
): Promise<Reservation | Refusal> {
  const input = { kind: 'reservationCancelled', reservationId } as const
  const outcome = await core.decideBlock({ accountId, chargePointId, input })
  if ('status' in outcome) return outcome
  return (await findReservation({ reads }, id)) ?? refuse(404, 'not_found', 'There is no such reservation.')
}

type Version = (typeof versions)[Protocol]

function refuseOrder({ now }: ReservationContext, version: Version, order: ReservationOrder): Refusal | undefined {
  const fault = (pointer: string, message: string) => ({
    ...refuse(422, 'invalid_reservation', `The charge point cannot be asked this: ${pointer} ${message}.`),
    errors: [{ pointer, code: 'invalid_value', message }],
  })
  if (order.expiresAt <= now()) return fault('/expiresAt', 'is past')
  if (version.protocol === 'ocpp1.6') {
    if (order.connectorType !== undefined) return fault('/connectorType', 'is not known to OCPP 1.6')
    if (order.idToken.length > 20) return fault('/idToken', 'has more than the 20 characters of OCPP 1.6')
    if ((order.groupId?.length ?? 0) > 20) return fault('/groupId', 'has more than the 20 characters of OCPP 1.6')
  } else if (order.connectorId !== undefined) {
    return fault('/connectorId', 'is not known to OCPP 2.0.1, which keeps an evseId, perhaps with a connectorType')
  }
  const { method, request } = version.reservations.reserve(1, order)
  const [wrong] = version.validateRequest(method, request)
  return wrong && fault(wrong.pointer, wrong.message)
}

/** H01.FR.19: only where the charge point says that it takes a reservation of any place. */
async function refusePlace(
  { reads }: ReservationContext,
  chargePointId: string,
  version: Version,
  { evseId, connectorId }: ReservationOrder,
): Promise<Refusal | undefined> {
  if (evseId !== undefined || connectorId !== undefined) return undefined
  const key = version.reservations.anyPlace
  const [reported] = await reads.listRecords('variables', { where: { chargePointId, key }, limit: 1 })
  if (reported?.value?.toLowerCase() === 'true') return undefined
  const isOld = version.protocol === 'ocpp1.6'
  const variable = isOld ? 'ReserveConnectorZeroSupported' : 'ReservationCtrlr.NonEvseSpecific'
  const member = isOld ? 'connectorId' : 'evseId'
  const detail = `The charge point does not say that it keeps any place (${variable}): name ${member}.`
  return {
    ...refuse(422, 'place_required', detail),
    errors: [{ pointer: `/${member}`, code: 'required', message: 'is missing' }],
  }
}
