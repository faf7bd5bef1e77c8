/** What happened to a charge point beside its commands and sessions (TIMELINE-A1), and how repetitions are merged. */
import { type InputsOf, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** What is written into the history of a charge point (TIMELINE-A1). */
export const HISTORY_KINDS = [
  'connected',
  'disconnected',
  'refused',
  'booted',
  'status',
  'security',
  'payment',
] as const

export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** With what is read from elsewhere. */
export const TIMELINE_KINDS = [...HISTORY_KINDS, 'command', 'intent', 'session', 'reservation'] as const

export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** What an entry shows beside its kind and time. */
export type HistoryDetails = Readonly<Record<string, string | number | undefined>>

/** Its number is a log id (domain/message-log/log-id.ts), so it sorts with the commands beside it. */
export const connectionHistory = record('connection_history', {
  key: ['chargePointId', 'id', 'part'],
  columns: {
    chargePointId: text(),
    id: integer(),
    /** Distinguishes the entries of one message. */
    part: integer(),
    kind: text<HistoryKind>(),
    at: integer(),
    details: json<HistoryDetails>(),
    /** TIMELINE-A3: how often it happened since. */
    count: integer(),
    lastAt: optional(integer()),
  },
  indexes: [['at']],
  age: 'at',
  placedLater: true,
})

export type HistoryEntry = RecordOf<typeof connectionHistory>

/** TIMELINE-A8: refused connections of a whole account, of unregistered stations too, so not removed with a station. */
export const refusedConnections = record('refused_connections', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: integer(),
    station: text(),
    at: integer(),
    lastAt: optional(integer()),
    count: integer(),
    reason: text(),
    detail: text(),
  },
  indexes: [['at']],
  age: 'at',
})

/** TIMELINE-A3: the newest entry of a kind, and how many of this kind came lately. */
export const timelineRepetitions = record('timeline_folds', {
  key: ['chargePointId', 'about'],
  columns: {
    chargePointId: text(),
    about: text(),
    id: integer(),
    part: integer(),
    at: integer(),
    count: integer(),
    /** Entries since then. */
    since: integer(),
    entries: integer(),
    /** Of `connected`: the connection is there, or was when the server ended (TIMELINE-A2). */
    openSince: optional(integer()),
  },
  indexes: [['openSince']],
  loadedWith: 'chargePoint',
})

/** `id`: the entry's number. */
export type TimelineInput = InputsOf<{
  connected: { id: number; protocol: string }
  disconnected: { id: number; code: number; reason?: string | undefined }
  /** Repetitions since `firstAt`; sent again with a greater count. */
  connectionRefused: {
    id: number
    reason: string
    detail: string
    count: number
    firstAt: number
  }
  /** SecurityEventNotification, and what we find out ourselves. */
  securityEventSeen: { type: string; detail?: string | undefined }
}>
