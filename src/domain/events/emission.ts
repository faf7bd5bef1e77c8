/** Which event a change of a session is (HOOK-M1 to HOOK-M8); stored with the change (HOOK-F3, HOOK-M3, HOOK-W6). */
import { hash } from 'node:crypto'
import { isoTime } from '../iso-time.ts'
import { newUuid } from '../message-log/log-id.ts'
import { laneOf } from '../partners/records.ts'
import type { Session } from '../ports/sessions.ts'
import type { EventData, EventRecord, NewEvent } from '../ports/storage-webhooks.ts'
import type { KnownRecords, RecordChange } from '../records/records.ts'
import { figuresDiffer } from '../sessions/figures/representation.ts'
import { sessionRecord } from '../sessions/records.ts'
import { intentChanged, reservationUpdated } from './intent-events.ts'
import { sessionSuspect, sessionUpdated } from './session-events.ts'

export interface Emission {
  /** The event of what changed; marks the session (HOOK-W6, HOOK-M3). @param cause log id of the command (HOOK-B2) */
  ofSession(
    before: Session | undefined,
    after: Session,
    now: number,
    cause: number | undefined,
  ): { readonly session: Session; readonly event?: NewEvent | undefined; readonly suspect?: NewEvent | undefined }
  ofDecision(
    event: EventData,
    at: { readonly accountId: string; readonly chargePointId: string },
    now: number,
    cause: number | undefined,
  ): NewEvent
}

interface EmissionSettings {
  /** Figure events of a session are at least this far apart; 0: every change is one (HOOK-M1). */
  readonly figuresIntervalMs: number
}

type NewEventId = (now: number, cause: number | undefined, event: EventData) => string

/** The same one when its message is decided again (STORE-J6): no feed has an event twice. */
export const followingEventId: NewEventId = (now, cause, { type, subject }) =>
  newUuid(now, () => hash('sha256', `${cause} ${type} ${subject}`, 'buffer').subarray(0, 10))

export const freshEventId =
  (random: (bytes: number) => Buffer): NewEventId =>
  (now) =>
    newUuid(now, random)

/** @param newEventId a UUIDv7 of that time (HOOK-W7) */
export function createEmission(settings: EmissionSettings, newEventId: NewEventId): Emission {
  const snapshot: Emission['ofSession'] = (before, after, now, cause) => {
    const kind = eventKind(before, after, now, settings)
    if (kind === 'none') return { session: after }
    const session = sessionRecord(after)
    if (kind === 'wait') {
      session.figuresDueAt = dueAt(after, settings)
      return { session }
    }
    const time = timeAfter(after, now)
    session.figuresDueAt = undefined
    session.lastEventAt = time
    if (kind === 'figures') session.figuresSentAt = now
    const said = sessionUpdated.of(session)
    const id = newEventId(now, cause, said)
    const alsoTo = session.partner && [laneOf(session.partner.partnerId)]
    return { session, event: newEvent({ ...said, alsoTo }, { id, kind, time, at: session, cause }) }
  }
  return {
    ofSession(before, after, now, cause) {
      const emitted = snapshot(before, after, now, cause)
      const { suspectMilliWh } = after
      if (suspectMilliWh === undefined || suspectMilliWh === before?.suspectMilliWh) return emitted
      const time = timeAfter(emitted.session, now)
      const session = sessionRecord(emitted.session)
      session.lastEventAt = time
      const said = sessionSuspect.of(session)
      const kept = { id: newEventId(now, cause, said), kind: 'transition', time, at: session, cause } as const
      return { session, event: emitted.event, suspect: newEvent(said, kept) }
    },
    ofDecision(event, at, now, cause) {
      // Of events that coalesce only the newest is delivered.
      const kind = event.coalesceKey === undefined ? 'transition' : 'figures'
      return newEvent(event, { id: newEventId(now, cause, event), kind, time: now, at, cause })
    },
  }
}

function newEvent(
  event: EventData,
  {
    id,
    kind,
    time,
    at,
    cause,
  }: Pick<EventRecord, 'id' | 'kind' | 'time'> & {
    readonly at: Pick<EventRecord, 'accountId' | 'chargePointId'>
    readonly cause: number | undefined
  },
): NewEvent {
  return {
    id,
    accountId: at.accountId,
    type: event.type,
    subject: event.subject,
    orderKey: event.orderKey,
    coalesceKey: event.coalesceKey,
    chargePointId: at.chargePointId,
    kind,
    time,
    data: JSON.stringify(event.data),
    causes: cause === undefined ? [] : [cause],
    alsoTo: event.alsoTo,
  }
}

/** HOOK-W6: also when the clock stepped back. */
function timeAfter({ lastEventAt = 0 }: Session, now: number): number {
  return Math.max(now, lastEventAt + 1)
}

function eventKind(
  before: Session | undefined,
  after: Session,
  now: number,
  settings: EmissionSettings,
): EventRecord['kind'] | 'wait' | 'none' {
  const kind = changeKind(before, after)
  if (!before || kind !== 'figures') return kind
  const waiting = after.figuresDueAt !== undefined
  if (!waiting && !figuresDiffer(before, after)) return 'none'
  return mayLeave(after, now, settings) ? 'figures' : waiting ? 'none' : 'wait'
}

/** What a change of a session is, if it is one that shows at all (HOOK-M8). */
export function changeKind(before: Session | undefined, after: Session): EventRecord['kind'] {
  if (before?.state !== after.state) return 'transition'
  return before.settlementCount === after.settlementCount ? 'figures' : 'settlement'
}

/** HOOK-M1: the first change after a quiet interval leaves at once. A mark from the future: the clock stepped back. */
function mayLeave({ figuresSentAt }: Session, now: number, { figuresIntervalMs }: EmissionSettings): boolean {
  return figuresSentAt === undefined || now < figuresSentAt || now - figuresSentAt >= figuresIntervalMs
}

function dueAt({ figuresSentAt = 0 }: Session, { figuresIntervalMs }: EmissionSettings): number {
  return figuresSentAt + figuresIntervalMs
}

/** @param before the records as they were before these changes */
export function recordEvents(changes: readonly RecordChange[], before: KnownRecords): readonly EventData[] {
  const events: EventData[] = []
  for (const change of changes) {
    if (!('put' in change)) continue
    if (change.kind === 'reservations') {
      const was = before.find('reservations', change.put)
      if (was?.state !== change.put.state) events.push(reservationUpdated.of(change.put))
    }
    if (change.kind !== 'intents') continue
    const { put } = change
    const former = before.find('intents', put)
    // What is being tried again is no news.
    if (former?.state !== put.state || former.revision !== put.revision) events.push(intentChanged.of(put))
  }
  return events
}

/** The body of an event (HOOK-W1): a CloudEvents 1.0 envelope with exactly seven members around its data. */
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
