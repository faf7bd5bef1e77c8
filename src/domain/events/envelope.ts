/** The body of an event (HOOK-W1): a CloudEvents 1.0 envelope with exactly seven members, serialized once. */
import { isoTime } from '../iso-time.ts'
import type { EventData } from '../ports/events.ts'

export interface Envelope<Data = unknown> {
  readonly specversion: '1.0'
  readonly id: string
  readonly type: string
  readonly source: 'service/api'
  /** RFC 3339, UTC, milliseconds; strictly rising per session (HOOK-W6). */
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: Data
}

/** The bytes that are stored, signed and sent; nobody serializes the event again (HOOK-W5). */
export function envelopeText(id: string, time: number, { type, data }: Pick<EventData, 'type' | 'data'>): string {
  const envelope: Envelope = {
    specversion: '1.0',
    id,
    type,
    source: 'service/api',
    time: isoTime(time),
    datacontenttype: 'application/json',
    data,
  }
  return JSON.stringify(envelope)
}
