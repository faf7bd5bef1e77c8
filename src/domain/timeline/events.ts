/** The events about charge points (TIMELINE-A6). */

import type { z } from '@hono/zod-openapi'
import type { ProfileSchedule } from '../charging/profile.ts'
import { event, type MadeUp, timeSchema, type Zod } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'

export interface ChargePointEvent {
  readonly chargePointId: string
  readonly at: number
}

type Shape = Readonly<Record<string, z.ZodType>>
type Named<Own extends Shape> = ChargePointEvent & z.infer<z.ZodObject<Own>>

export function declare<const Name extends string, Own extends Shape, Of extends ChargePointEvent = Named<Own>>(
  type: Name,
  facts: {
    readonly own: (z: Zod) => Own
    /** Unless its members are those of the record. */
    readonly represent?: (of: Of) => object
    readonly sample: (at: ChargePointEvent) => NoInfer<Of>
    readonly component: string
    readonly summary: string
    readonly description: string
  },
) {
  const { own, represent = ownMembers, sample, component, summary, description } = facts
  return event(type, {
    about: 'chargePoint',
    subject: ({ chargePointId }: Of) => chargePointId,
    coalesceKey: undefined,
    data: (z): z.ZodType<object, object> =>
      z
        .strictObject({
          evseControllerId: z.string(),
          at: timeSchema(z),
          ...own(z),
        })
        .openapi(component.replace(/Event$/, '')),
    // Members that are absent are left out where it becomes JSON.
    represent: (of) => ({ evseControllerId: of.chargePointId, at: isoTime(of.at), ...represent(of) }),
    sample: ({ chargePointId, now }: MadeUp) => sample({ chargePointId, at: now }),
    documentation: { component, summary, description },
  })
}

function ownMembers({ chargePointId: _, at: __, ...own }: ChargePointEvent): object {
  return own
}

export const connected = declare('charge-point.connected', {
  own: (z) => ({ protocol: z.string().openapi({ example: 'ocpp2.0.1' }) }),
  sample: (at) => ({ ...at, protocol: 'ocpp2.0.1' }),
  component: 'ChargePointConnectedEvent',
  summary: 'A charge point connected',
  description: 'Sent when the connection of a charge point is open.',
})

export const disconnected = declare('charge-point.disconnected', {
  own: (z) => ({
    code: z.int().openapi({ description: 'Close code of RFC 6455; 1006: it ended without a close frame.' }),
    reason: z.string().optional(),
  }),
  sample: (at) => ({ ...at, code: 1006 }),
  component: 'ChargePointDisconnectedEvent',
  summary: 'A charge point disconnected',
  description:
    'Sent when the connection of a charge point has ended. If the server itself ended, it is sent at its next start.',
})

export const refused = declare('charge-point.refused', {
  own: (z) => ({
    reason: z.string().openapi({ description: 'Stable, for programs; may grow.', example: 'wrongPassword' }),
    detail: z.string().openapi({ description: 'A sentence that says what to do.' }),
  }),
  sample: (at) => ({ ...at, reason: 'wrongPassword', detail: 'The password is not the one of this charge point.' }),
  component: 'ChargePointRefusedEvent',
  summary: 'A connection was refused',
  description: 'Sent when a connection of a charge point was refused; once an hour for each reason.',
})

export const booted = declare('charge-point.booted', {
  own: (z) => ({
    vendor: z.string().optional(),
    model: z.string().optional(),
    serialNumber: z.string().optional(),
    firmwareVersion: z.string().optional(),
    registrationStatus: z.string().openapi({ description: 'What it was answered.', example: 'Accepted' }),
  }),
  sample: (at) => ({ ...at, vendor: 'Acme', model: 'One', registrationStatus: 'Accepted' }),
  component: 'ChargePointBootedEvent',
  summary: 'A charge point booted',
  description: 'Sent when a BootNotification is answered.',
})

export const statusChanged = declare('charge-point.status', {
  own: (z) => ({
    evseId: z.int().optional(),
    connectorId: z.int(),
    status: z.string().openapi({ example: 'Charging' }),
    errorCode: z.string().optional(),
    previousStatus: z.string().optional().openapi({ description: 'Absent: none was known.' }),
  }),
  sample: (at) => ({ ...at, connectorId: 1, status: 'Available' }),
  component: 'ChargePointStatusEvent',
  summary: 'The status of a connector changed',
  description: 'Sent when a connector reports another status or error than before.',
})

type Security = ChargePointEvent & { readonly type: string; readonly techInfo?: string | undefined }

/** CERT-C17, TIMELINE-A5. Its members are called as OCPP calls them. */
export const securityEvent = event('security.event', {
  about: 'chargePoint',
  subject: ({ chargePointId }: Security) => chargePointId,
  coalesceKey: undefined,
  data: (z) =>
    z
      .strictObject({
        evseControllerId: z.string(),
        type: z.string().openapi({
          description: 'As OCPP spells it, such as InvalidChargingStationCertificate, or MeterPublicKeyChanged.',
        }),
        timestamp: timeSchema(z),
        techInfo: z.string().optional().openapi({ description: 'The reason, in words.' }),
      })
      .openapi('SecurityEventData'),
  represent: ({ chargePointId, at, type, techInfo }) => ({
    evseControllerId: chargePointId,
    type,
    timestamp: isoTime(at),
    techInfo,
  }),
  sample: ({ chargePointId, now }): Security => ({
    chargePointId,
    at: now,
    type: 'InvalidChargingStationCertificate',
    techInfo: 'it was revoked',
  }),
  documentation: {
    component: 'SecurityEvent',
    summary: 'Something happened that concerns security',
    description:
      'Sent when a charge point reports a security event, when its meter has another public key than before (`MeterPublicKeyChanged`), and when it is refused for its certificate, that at most once a minute for each charge point. Only subscriptions that name it are sent it.',
  },
})

type Limited = ChargePointEvent & {
  readonly source: string
  readonly evseId?: number | undefined
  readonly schedules: readonly ProfileSchedule[]
}

export const limited = declare('charge-point.limited', {
  own: (z) => ({
    source: z.string().openapi({ description: 'Who limits it, in the word of the charge point.', example: 'SO' }),
    evseId: z.int().optional().openapi({ description: 'Absent: the whole charge point.' }),
    schedules: z
      .array(
        z.strictObject({
          unit: z.enum(['A', 'W']),
          startAt: timeSchema(z).optional(),
          durationSeconds: z.int().optional(),
          periods: z.array(
            z.strictObject({
              startSeconds: z.int(),
              limit: z.number().optional().openapi({ description: 'Absent: no limit.' }),
              phases: z.int().optional(),
            }),
          ),
        }),
      )
      .openapi({ description: 'Empty: this limit is over. Without periods: it did not tell how much.' }),
  }),
  represent: ({ source, evseId, schedules }: Limited) => ({
    source,
    evseId,
    schedules: schedules.map(({ unit, startAt, durationSeconds, periods }) => ({
      unit,
      durationSeconds,
      startAt: isoTime(startAt),
      periods: periods.map(({ startSeconds, limit, phases }) => ({ startSeconds, limit, phases })),
    })),
  }),
  sample: (at): Limited => ({
    ...at,
    source: 'SO',
    evseId: 1,
    schedules: [{ unit: 'A', periods: [{ startSeconds: 0, limit: 9 }] }],
  }),
  component: 'ChargePointLimitedEvent',
  summary: 'Another party limits a charge point',
  description:
    'Sent when a charge point reports that another party, such as an energy manager on site or a grid operator, limits it, and when that ends.',
})

export const CHARGE_POINT_EVENTS = [
  connected,
  disconnected,
  refused,
  booted,
  statusChanged,
  limited,
  securityEvent,
] as const
