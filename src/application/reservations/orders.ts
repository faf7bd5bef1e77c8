/** What the API and the console do with reservations (RESERVATION-A1, RESERVATION-A2). */

import { z } from '@hono/zod-openapi'
import { reservationSchema } from '../../domain/events/intent-events.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Reservation, ReservationOrder } from '../../domain/reservations/records.ts'
import { KEEPS_NOTHING } from '../../domain/reservations/rules.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'
import { ID_TOKEN_TYPES } from '../id-tokens/attributes.ts'
import { instant, typedText } from '../schemas/common.ts'

type ReservationContext = Pick<UseCaseContext, 'reads' | 'core' | 'random' | 'now'>

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
  const version = versionOf(chargePoint.status.protocol)
  if (!version) return KEEPS_NOTHING
  const refusal = refuseOrder(place, version, order) ?? (await refusePlace(place, chargePointId, version, order))
  if (refusal) return refusal
  // 31 bits and above 0: what every charge point can count.
  const reservationId = place.random(4).readUInt32BE() >>> 1 || 1
  const id = newUuid(place.now(), place.random)
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

function refuseOrder({ now }: ReservationContext, version: OcppVersion, order: ReservationOrder): Refusal | undefined {
  const { method, request } = version.reservations.reserve(1, order)
  const fault =
    order.expiresAt <= now()
      ? { pointer: '/expiresAt', message: 'is past' }
      : (version.reservations.fault(order) ?? version.validateRequest(method, request)[0])
  if (!fault) return undefined
  const { pointer, message } = fault
  return {
    ...refuse(422, 'invalid_reservation', `The charge point cannot be asked this: ${pointer} ${message}.`),
    errors: [{ pointer, code: 'invalid_value', message }],
  }
}

/** H01.FR.19: only where the charge point says that it takes a reservation of any place. */
async function refusePlace(
  { reads }: ReservationContext,
  chargePointId: string,
  version: OcppVersion,
  { evseId, connectorId }: ReservationOrder,
): Promise<Refusal | undefined> {
  if (evseId !== undefined || connectorId !== undefined) return undefined
  const { key, name } = version.reservations.anyPlace
  const [reported] = await reads.listRecords('variables', { where: { chargePointId, key }, limit: 1 })
  if (reported?.value?.toLowerCase() === 'true') return undefined
  const { outlet } = version.abilities
  const detail = `The charge point does not say that it keeps any place (${name}): name ${outlet}.`
  return {
    ...refuse(422, 'place_required', detail),
    errors: [{ pointer: `/${outlet}`, code: 'required', message: 'is missing' }],
  }
}

/** The event's data and an answer of the API are one schema. */
export const ReservationSchema = reservationSchema(z)

const place = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const id = typedText(ID_TOKEN)

export const OrderReservationSchema = z
  .strictObject({
    evseControllerId: z.string(),
    evseId: place.optional(),
    connectorId: place.optional().openapi({ description: 'Of OCPP 1.6.' }),
    idToken: id.openapi({ description: 'Who may charge there meanwhile.' }),
    idTokenType: z.enum(ID_TOKEN_TYPES).default('ISO14443'),
    groupId: id.optional().openapi({ description: 'Members of this group may charge, too.' }),
    connectorType: typedText({ most: 20 }).optional().openapi({ description: 'Of OCPP 2.0.1, such as `cCCS2`.' }),
    expiresAt: instant('Until then it is kept.'),
  })
  .openapi('OrderReservation')

export const reservationParams = z.object({ id: z.string() })
