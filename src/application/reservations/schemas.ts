import { z } from '@hono/zod-openapi'
import { reservationSchema } from '../../domain/events/reservation-events.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { ID_TOKEN_TYPES } from '../id-tokens/attributes.ts'
import { instant, typedText } from '../schemas/common.ts'

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
