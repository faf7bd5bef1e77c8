/** Every event type of the service (HOOK-E1). Who has events of his own declares a list and adds it here, once. */
import { eventRegistry } from './declaration.ts'
import { SESSION_EVENTS } from './session-events.ts'

export const EVENTS = eventRegistry(...SESSION_EVENTS)
