/** Notices: stored and answered `{}`, as it has happened. `needs`: the member without which it is empty. */

import type { InboundMessage, Need } from '../translate/message.ts'
import { needsText } from '../translate/message.ts'
import { integer, text } from '../translate/payload.ts'
import { progressOf } from '../translate/progress.ts'
import { securityEvent } from '../translate/security-event.ts'
import type { InboundAction } from './actions.ts'
import { fromChargePoint } from './from-charge-point.ts'

function notice(action: InboundAction, effect: string, needs: readonly Need[]): InboundMessage {
  return fromChargePoint(action, { effect, needs })
}

export const securityEventNotification = fromChargePoint('SecurityEventNotification', {
  effect: 'security event: part of the timeline, and sent to its subscribers',
  needs: needsText('type'),
  input: securityEvent,
})
export const reservationStatusUpdate = fromChargePoint('ReservationStatusUpdate', {
  effect: 'end of a reservation',
  needs: needsText('reservationUpdateStatus'),
  input: ({ reservationId, reservationUpdateStatus }) => ({
    kind: 'reservationReported',
    reservationId: integer(reservationId) ?? 0,
    status: text(reservationUpdateStatus) ?? '',
  }),
})
export const firmwareStatusNotification = fromChargePoint('FirmwareStatusNotification', {
  effect: 'progress of an update; every status is kept',
  needs: needsText('status'),
  input: (request) => progressOf('firmwareStatus', request),
})
export const publishFirmwareStatusNotification = notice(
  'PublishFirmwareStatusNotification',
  'progress of a publication',
  needsText('status'),
)
export const logStatusNotification = fromChargePoint('LogStatusNotification', {
  effect: 'progress of a log upload; kept with the log',
  needs: needsText('status'),
  input: (request) => progressOf('logStatus', request),
})
