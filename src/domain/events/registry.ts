/** Every event type of the service (HOOK-E1). A room with events of its own adds its list here. */

import { DATA_TRANSFER_EVENTS } from '../data-transfers/events.ts'
import { declarationOf, eventRegistry } from '../event-declaration.ts'
import { grouped } from '../grouped.ts'
import { LOCATION_EVENTS } from '../locations/events.ts'
import { PARTNER_EVENTS } from '../partners/events.ts'
import { PAYMENT_EVENTS } from '../payments/events.ts'
import { CHARGE_POINT_EVENTS } from '../timeline/events.ts'
import { ALERT_EVENTS } from './alert-events.ts'
import { FIRMWARE_EVENTS } from './firmware-events.ts'
import { INTENT_EVENTS, RESERVATION_EVENTS } from './intent-events.ts'
import { LIMIT_GROUP_EVENTS } from './limit-group-events.ts'
import { SESSION_EVENTS, SUSPECT_EVENTS, sessionUpdated } from './session-events.ts'

export const EVENTS = eventRegistry(
  ...SESSION_EVENTS,
  ...CHARGE_POINT_EVENTS,
  ...FIRMWARE_EVENTS,
  ...INTENT_EVENTS,
  ...RESERVATION_EVENTS,
  ...ALERT_EVENTS,
  ...LIMIT_GROUP_EVENTS,
  ...DATA_TRANSFER_EVENTS,
  ...PAYMENT_EVENTS,
  ...SUSPECT_EVENTS,
  ...LOCATION_EVENTS,
  ...PARTNER_EVENTS,
)

/**
 * HOOK-E4: an event is as readable as its subject is over the API: types by scope; those of `account` no application
 * reads.
 */
export const TYPES_READ_BY = grouped(EVENTS, ({ readBy }) => readBy)

/** @param scopes undefined: of the account itself */
export function readsEvent(scopes: readonly string[] | undefined, type: string): boolean {
  return scopes?.includes(declarationOf(EVENTS, type).readBy) !== false
}

/** The envelope as an application is sent it: the same bytes every time. */
export function bodyForApplication(type: string, body: string): string {
  const { withheld } = declarationOf(EVENTS, type)
  if (withheld.length === 0) return body
  const envelope = JSON.parse(body) as { readonly data: object }
  const members = Object.entries(envelope.data).filter(([name]) => !withheld.includes(name))
  return JSON.stringify({ ...envelope, data: Object.fromEntries(members) })
}

export const SESSION_EVENT: string = sessionUpdated.type

/** Whether the subject of this type is a session, which has a page. */
export function isAboutSession(type: string): boolean {
  return declarationOf(EVENTS, type).about === 'session'
}
