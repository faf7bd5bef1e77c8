/** Every event type of the service (HOOK-E1). A block that has events of its own adds its list here, once. */
import { eventRegistry } from './declaration.ts'
import { sessionUpdated } from './session-updated.ts'

export const EVENTS = eventRegistry(sessionUpdated)
