/** Notices: stored and answered `{}`; an error fails certification and changes nothing (OCPP-MS1). */

import type { InboundMessage } from '../translate/message.ts'
import { needsText } from '../translate/message.ts'
import { progressOf } from '../translate/progress.ts'
import { securityEvent } from '../translate/security-event.ts'
import type { InboundAction } from './actions.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** Counts for a log or an update of ours, if it names one. */
function progress(action: InboundAction, kind: 'logStatus' | 'firmwareStatus', effect: string): InboundMessage {
  return fromChargePoint(action, {
    effect,
    needs: needsText('status'),
    input: (request) => progressOf(kind, request),
  })
}

export const diagnosticsStatusNotification = progress(
  'DiagnosticsStatusNotification',
  'logStatus',
  'progress of an upload; kept with the newest log that was asked for',
)
export const firmwareStatusNotification = progress(
  'FirmwareStatusNotification',
  'firmwareStatus',
  'progress of an update; every status is kept with the newest open one',
)
export const logStatusNotification = progress(
  'LogStatusNotification',
  'logStatus',
  'progress of a log upload; kept with the log',
)
export const signedFirmwareStatusNotification = progress(
  'SignedFirmwareStatusNotification',
  'firmwareStatus',
  'progress of a signed update; every status is kept',
)
export const securityEventNotification = fromChargePoint('SecurityEventNotification', {
  effect: 'security event: part of the timeline, and sent to its subscribers',
  needs: needsText('type'),
  input: securityEvent,
})
