/** The event about locations: what is shown of one changed (LOCATION-A3). */
import { event, type MadeUp, timeSchema, type Zod } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'
import { EVSE_STATUSES, type EvseStatus } from './records.ts'

export interface LocationNews {
  readonly locationId: string
  readonly at: number
  /** Of a status; absent: its owner changed it. */
  readonly evse?:
    | {
        readonly uid: string
        readonly chargePointId: string
        readonly status: EvseStatus
        readonly previousStatus?: EvseStatus | undefined
      }
    | undefined
}

const schema = (z: Zod) =>
  z
    .strictObject({
      locationId: z.string(),
      lastUpdated: timeSchema(z),
      evseUid: z.string().optional().openapi({ description: 'The status of this EVSE changed, and nothing else.' }),
      evseControllerId: z.string().optional(),
      status: z.enum(EVSE_STATUSES).optional(),
      previousStatus: z.enum(EVSE_STATUSES).optional(),
    })
    .openapi('LocationNews')

export const locationUpdated = event('location.updated', {
  about: 'chargePoint',
  // Of a change by its owner an application is sent news only with all charge points of the account.
  subject: ({ locationId, evse }: LocationNews) => evse?.chargePointId ?? locationId,
  orderKey: ({ locationId }) => `location ${locationId}`,
  coalesceKey: undefined,
  data: schema,
  represent: ({ locationId, at, evse }) => ({
    locationId,
    lastUpdated: isoTime(at),
    evseUid: evse?.uid,
    evseControllerId: evse?.chargePointId,
    status: evse?.status,
    previousStatus: evse?.previousStatus,
  }),
  sample: ({ chargePointId, now }: MadeUp): LocationNews => ({
    locationId: 'north',
    at: now,
    evse: { uid: 'north-1', chargePointId, status: 'CHARGING', previousStatus: 'BLOCKED' },
  }),
  documentation: {
    component: 'LocationUpdatedEvent',
    summary: 'What is shown of a location changed',
    description:
      'Sent when the status of an EVSE changes, or its owner changes, creates or deletes a location. What it is now: GET /2/locations/{id}.',
  },
})

export const LOCATION_EVENTS = [locationUpdated] as const
