/** The events of a NotifyEvent as they are kept (MONITOR-A7). */

import { createHash } from 'node:crypto'
import type { ReceivedEvent } from '../../../domain/ports/blocks.ts'
import { maskPart } from '../../mask.ts'
import type { Payload } from '../../payload.ts'
import { stationTime } from '../../station-time.ts'
import { integer, isObject, list, text } from '../../translate/payload.ts'
import { readName } from '../variables.ts'

/** Of one message. */
const MOST_EVENTS = 200
const LONGEST_VALUE = 2500
const LONGEST_TEXT = 500
const LONGEST_CODE = 50

export function receivedEvents(
  request: Payload,
  receivedAt: number,
): { readonly events: readonly ReceivedEvent[]; readonly dropped: number } {
  const sent = list(request.eventData).filter(isObject)
  const events = sent.slice(0, MOST_EVENTS).flatMap((entry) => received(entry, receivedAt) ?? [])
  return { events, dropped: Math.max(0, sent.length - MOST_EVENTS) }
}

function received(entry: Payload, receivedAt: number): ReceivedEvent | undefined {
  const name = readName(entry, 'Actual')
  if (!name) return undefined
  const value =
    typeof entry.actualValue === 'string' ? entry.actualValue.replaceAll('\u0000', '') : text(entry.actualValue)
  const event = {
    eventId: integer(entry.eventId),
    trigger: shortened(entry.trigger, LONGEST_CODE),
    type: shortened(entry.eventNotificationType, LONGEST_CODE),
    component: name.component,
    variable: name.variable,
    value: value?.slice(0, LONGEST_VALUE),
    cause: integer(entry.cause),
    cleared: typeof entry.cleared === 'boolean' ? entry.cleared : undefined,
    techCode: shortened(entry.techCode, LONGEST_CODE),
    techInfo: shortened(maskPart(entry.techInfo), LONGEST_TEXT),
    transactionId: shortened(entry.transactionId, LONGEST_CODE),
    monitorId: integer(entry.variableMonitoringId),
  }
  const at = stationTime(entry.timestamp, receivedAt).occurredAt
  const digest = createHash('sha256')
    .update(JSON.stringify([entry.timestamp, event]))
    .digest('hex')
    .slice(0, 16)
  return { id: `${event.eventId ?? '-'}-${digest}`, at, event }
}

function shortened(value: unknown, most: number): string | undefined {
  return text(value)?.slice(0, most)
}
