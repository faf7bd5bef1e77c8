/**
 * Progress and event notices: stored and answered `{}`. An error to one of these fails certification and helps nobody,
 * because the thing it reports has already happened (OCPP-MS1).
 */

import type { InboundMessage } from '../translate/message.ts'
import { needsText } from '../translate/message.ts'
import type { InboundAction } from './actions.ts'
import { fromChargePoint } from './from-charge-point.ts'

function notice(action: InboundAction, effect: string, need: string): InboundMessage {
  return fromChargePoint(action, { effect, needs: needsText(need) })
}

export const diagnosticsStatusNotification = notice('DiagnosticsStatusNotification', 'progress of an upload', 'status')
export const firmwareStatusNotification = notice('FirmwareStatusNotification', 'progress of an update', 'status')
export const logStatusNotification = notice('LogStatusNotification', 'progress of a log upload', 'status')
export const signedFirmwareStatusNotification = notice(
  'SignedFirmwareStatusNotification',
  'progress of a signed update',
  'status',
)
export const securityEventNotification = notice('SecurityEventNotification', 'security event, stored', 'type')
