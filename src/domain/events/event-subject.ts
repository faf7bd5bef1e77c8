import { declarationOf } from './declaration.ts'
import { EVENTS } from './registry.ts'
import { sessionUpdated } from './session-events.ts'

/** For its event a page says what changed; every other event is shown by its type. */
export const SESSION_EVENT: string = sessionUpdated.type

/** Whether the subject of this type is a session, which has a page. */
export function isAboutSession(type: string): boolean {
  return declarationOf(EVENTS, type).about === 'session'
}
