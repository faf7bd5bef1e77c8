/** Every event type of the service (HOOK-E1). A room with events of its own adds its list here. */
import { DATA_TRANSFER_EVENTS } from '../data-transfers/events.ts'
import { CHARGE_POINT_EVENTS } from '../timeline/events.ts'
import { ALERT_EVENTS } from './alert-events.ts'
import { eventRegistry } from './declaration.ts'
import { FIRMWARE_EVENTS } from './firmware-events.ts'
import { INTENT_EVENTS } from './intent-events.ts'
import { LIMIT_GROUP_EVENTS } from './limit-group-events.ts'
import { RESERVATION_EVENTS } from './reservation-events.ts'
import { SESSION_EVENTS, SUSPECT_EVENTS } from './session-events.ts'

export const EVENTS = eventRegistry(
  ...SESSION_EVENTS,
  ...CHARGE_POINT_EVENTS,
  ...FIRMWARE_EVENTS,
  ...INTENT_EVENTS,
  ...RESERVATION_EVENTS,
  ...ALERT_EVENTS,
  ...LIMIT_GROUP_EVENTS,
  ...DATA_TRANSFER_EVENTS,
  ...SUSPECT_EVENTS,
)
