/** What whoever watches over the network wants to hear of (CERT-C17). */
import { event } from './declaration.ts'
import { timeSchema } from './session-events.ts'

export interface SecurityEvent {
  readonly evseControllerId: string
  /** As OCPP spells it, such as `InvalidChargingStationCertificate`. */
  readonly type: string
  /** RFC 3339. */
  readonly timestamp: string
  readonly techInfo?: string
}

export const securityEvent = event('security.event', {
  about: 'chargePoint',
  subject: (happened: SecurityEvent) => happened.evseControllerId,
  coalesceKey: undefined,
  data: (z) =>
    z
      .strictObject({
        evseControllerId: z.string(),
        type: z.string().openapi({ description: 'As OCPP spells it, such as InvalidChargingStationCertificate.' }),
        timestamp: timeSchema(z),
        techInfo: z.string().optional().openapi({ description: 'The reason, in words.' }),
      })
      .openapi('SecurityEventData'),
  represent: ({ evseControllerId, type, timestamp, techInfo }) => ({
    evseControllerId,
    type,
    timestamp,
    ...(techInfo !== undefined && { techInfo }),
  }),
  sample: ({ chargePointId, now }): SecurityEvent => ({
    evseControllerId: chargePointId,
    type: 'InvalidChargingStationCertificate',
    timestamp: new Date(now).toISOString(),
    techInfo: 'it was revoked',
  }),
  documentation: {
    component: 'SecurityEvent',
    summary: 'Something happened that concerns security',
    description:
      'Sent when a charge point is refused for its certificate, at most once a minute for each charge point. Only subscriptions that name it are sent it.',
  },
})

export const SECURITY_EVENTS = [securityEvent] as const
