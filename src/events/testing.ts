/** For tests: what the record of a session's event says of its type and keys. */
import type { NewEvent } from '../ports/storage-webhooks.ts'
import { sessionUpdated } from './session-updated.ts'

export function aboutSession(id: string): Pick<NewEvent, 'type' | 'subject' | 'orderKey' | 'coalesceKey'> {
  return { type: sessionUpdated.type, subject: id, orderKey: id, coalesceKey: id }
}
