/** For tests: what the record of a session's event says of its type and keys, and an event type that is made up. */

import { event } from '../../../../src/domain/event-declaration.ts'
import { sessionUpdated } from '../../../../src/domain/events/session-events.ts'
import type { NewEvent } from '../../../../src/domain/ports/storage-webhooks.ts'

export function aboutSession(id: string): Pick<NewEvent, 'type' | 'subject' | 'orderKey' | 'coalesceKey'> {
  return { type: sessionUpdated.type, subject: id, orderKey: id, coalesceKey: id }
}

/** A type that only tests know. */
export const doorOpened = event('door.opened', {
  about: 'chargePoint',
  subject: (seen: { readonly chargePointId: string; readonly door: number }) => seen.chargePointId,
  orderKey: ({ chargePointId, door }) => `door ${door} of ${chargePointId}`,
  coalesceKey: ({ door }) => String(door),
  data: (z) => z.strictObject({ door: z.int().openapi({ description: 'Counts from 1.' }) }).openapi('Door'),
  represent: ({ door }) => ({ door }),
  sample: ({ chargePointId }) => ({ chargePointId, door: 1 }),
  documentation: {
    component: 'DoorEvent',
    summary: 'A door of a charge point was opened',
    description: 'Sent whenever somebody opens one.',
  },
})
