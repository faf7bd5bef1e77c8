/** The events of a NotifyEvent as stored (MONITOR-A7). */

import { createHash } from 'node:crypto'
import type { ReceivedEvent } from '../../../domain/ports/blocks.ts'
import { maskPart } from '../../mask.ts'
import type { Payload } from '../../payload.ts'
import { stationTime } from '../../station-time.ts'
import { integer, isObject, list, text } from '../../translate/payload.ts'
import { readName } from '../variables.ts'

/** Per message. */
const MAX_EVENTS = 200
const MAX_VALUE_LENGTH = 2500
const MAX_TEXT_LENGTH = 500
const MAX_CODE_LENGTH = 50

export function receivedEvents(
  request: Payload,
  receivedAt: number,
): { readonly events: readonly ReceivedEvent[]; readonly dropped: number } {
  const sent = list(request.eventData).filter(isObject)
  const events = sent.slice(0, MAX_EVENTS).flatMap((entry) => received(entry, receivedAt) ?? [])
  return { events, dropped: Math.max(0, sent.length - MAX_EVENTS) }
}

function received(entry: Payload, receivedAt: number): ReceivedEvent | undefined {
  const name = readName(entry, 'Actual')
  if (!name) return undefined
  const value =
    typeof entry.actualValue === 'string' ? entry.actualValue.replaceAll('\u0000', '') : text(entry.actualValue)
  const event = {
    eventId: integer(entry.eventId),
    trigger: shortened(entry.trigger, MAX_CODE_LENGTH),
    type: shortened(entry.eventNotificationType, MAX_CODE_LENGTH),
    component: name.component,
    variable: name.variable,
    value: value?.slice(0, MAX_VALUE_LENGTH),
    cause: integer(entry.cause),
    cleared: typeof entry.cleared === 'boolean' ? entry.cleared : undefined,
    techCode: shortened(entry.techCode, MAX_CODE_LENGTH),
    techInfo: shortened(maskPart(entry.techInfo), MAX_TEXT_LENGTH),
    transactionId: shortened(entry.transactionId, MAX_CODE_LENGTH),
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
