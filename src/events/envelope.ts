/** The body of an event (HOOK-W1): a CloudEvents 1.0 envelope with exactly seven members, serialized once. */
import type { Session } from '../ports/sessions.ts'
import { type PublicSession, representSession } from '../sessions/figures/representation.ts'

export const EVENT_TYPE = 'session.updated'

export interface Envelope {
  readonly specversion: '1.0'
  readonly id: string
  readonly type: typeof EVENT_TYPE
  readonly source: 'service/api'
  /** RFC 3339, UTC, milliseconds; strictly rising per session (HOOK-W6). */
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: PublicSession
}

/** The bytes that are stored, signed and sent; nobody serializes the event again (HOOK-W5). */
export function envelopeText(id: string, time: number, session: Session): string {
  const envelope: Envelope = {
    specversion: '1.0',
    id,
    type: EVENT_TYPE,
    source: 'service/api',
    time: new Date(time).toISOString(),
    datacontenttype: 'application/json',
    data: representSession(session),
  }
  return JSON.stringify(envelope)
}
