/** The body of an event (HOOK-W1): a CloudEvents 1.0 envelope with exactly seven members around its data. */
import { isoTime } from '../iso-time.ts'
import type { EventData } from '../ports/events.ts'
import type { EventRecord, NewEvent } from '../ports/storage-webhooks.ts'

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

const BEGINNING = '{"specversion":"1.0","id":'

export function envelopeText(id: string, time: number, { type, data }: Pick<EventData, 'type' | 'data'>): string {
  return envelopeAround({ id, time, type, data: JSON.stringify(data) })
}

/** The bytes that are signed and sent: the same at every attempt, and in every version of the program (HOOK-W5). */
export function envelopeAround({ id, time, type, data }: Pick<NewEvent, 'id' | 'time' | 'type' | 'data'>): string {
  const start = `${BEGINNING}${JSON.stringify(id)},"type":${JSON.stringify(type)},"source":"service/api"`
  return `${start},"time":"${isoTime(time)}","datacontenttype":"application/json","data":${data}}`
}

/** What is stored is the whole envelope where it was sent, and else the data alone. */
export function envelopeOf({ body, ...event }: Pick<EventRecord, 'id' | 'time' | 'type' | 'body'>): string {
  return body.startsWith(BEGINNING) ? body : envelopeAround({ ...event, data: body })
}
