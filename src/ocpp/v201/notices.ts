/**
 * Reports, progress and event notices: stored and answered with an empty object, because what they report has already
 * happened. `needs` is the one member without which such a notice says nothing.
 */

import type { InboundMessage, Need } from '../translate/message.ts'
import { needsText } from '../translate/message.ts'
import { list, object } from '../translate/payload.ts'
import { progressOf } from '../translate/progress.ts'
import { securityEvent } from '../translate/security-event.ts'
import type { InboundAction } from './actions.ts'
import { columns } from './columns.ts'
import { fromChargePoint } from './from-charge-point.ts'

function notice(action: InboundAction, effect: string, needs: readonly Need[]): InboundMessage {
  return fromChargePoint(action, { effect, needs })
}

/** OCPP-LG3: profiles and display messages may belong to transactions; the page is found by the first one it names. */
function page(action: InboundAction, effect: string, entries: string): InboundMessage {
  return fromChargePoint(action, {
    effect,
    columns: (request, _outcome, raw) => {
      const named = list(request[entries]).find((entry) => object(entry).transactionId !== undefined)
      return columns({ evseId: request.evseId, transactionId: object(named).transactionId }, raw)
    },
  })
}

export const securityEventNotification = fromChargePoint('SecurityEventNotification', {
  effect: 'security event: part of the timeline, and sent to whoever subscribed',
  needs: needsText('type'),
  input: securityEvent,
})
export const notifyCustomerInformation = notice('NotifyCustomerInformation', 'page of a customer report', [])
export const notifyDisplayMessages = page('NotifyDisplayMessages', 'page of a display message report', 'messageInfo')
export const notifyChargingLimit = notice('NotifyChargingLimit', 'external charging limit, stored', [])
export const clearedChargingLimit = notice('ClearedChargingLimit', 'end of an external charging limit', [])
export const reportChargingProfiles = page(
  'ReportChargingProfiles',
  'page of a charging profile report',
  'chargingProfile',
)
export const reservationStatusUpdate = notice(
  'ReservationStatusUpdate',
  'end of a reservation',
  needsText('reservationUpdateStatus'),
)
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

/** 2.0.1 K17: we set no charging profile, so every schedule that the EV chooses is within the limits. */
export const notifyEVChargingSchedule = fromChargePoint('NotifyEVChargingSchedule', {
  effect: 'schedule of the EV, stored',
  answer: () => ({ status: 'Accepted' }),
})
