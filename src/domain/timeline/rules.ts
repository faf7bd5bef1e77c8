/** What becomes an entry of a charge point's history, and an event (TIMELINE-A1 to TIMELINE-A5). */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Connector } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import {
  booted,
  type ChargePointEvent,
  connected,
  disconnected,
  refused,
  securityEvent,
  statusChanged,
} from './events.ts'
import type { HistoryDetails, HistoryKind } from './records.ts'

const newest = recordsOf('timeline_folds')

export function onConnected(draft: BlockDraft, { id, protocol }: InputOf<'connected'>): void {
  const isNew = noteHistory(draft, 'connected', { id, part: 0 }, { protocol }, draft.now)
  if (isNew) draft.tell(connected.of({ ...where(draft), protocol }))
}

export function onDisconnected(draft: BlockDraft, { id, code, reason }: InputOf<'disconnected'>): void {
  const open = newest.find(draft, { about: 'connected' })
  if (open) newest.put(draft, { ...open, openSince: undefined })
  const isNew = noteHistory(draft, 'disconnected', { id, part: 0 }, { code, reason })
  if (isNew) draft.tell(disconnected.of({ ...where(draft), code, reason }))
}

/** Whether a time lies between the end of the last connection and the begin of the present one. */
export function wasAway(draft: BlockDraft, at: number): boolean {
  const { openSince } = newest.find(draft, { about: 'connected' }) ?? {}
  if (openSince === undefined || at >= openSince) return false
  const ended = newest.find(draft, { about: 'disconnected' })
  return ended !== undefined && at >= ended.at
}

/** TIMELINE-A4: the part that refused it counts the repetitions; each reason has one entry an hour. */
export function onConnectionRefused(draft: BlockDraft, input: InputOf<'connectionRefused'>): void {
  const { id, reason, detail, count, firstAt } = input
  addEntry(draft, 'refused', { id, part: 0 }, { reason, detail }, { at: firstAt, count })
  const { accountId, chargePointId: station } = draft.state
  const put = { accountId, id, station, at: firstAt, lastAt: lastAt(draft, count), count, reason, detail }
  draft.changeRecord({ kind: 'refused_connections', put })
  if (count === 1) draft.tell(refused.of({ ...where(draft), reason, detail }))
}

/** Behind the parts of statuses and meters. */
const SECURITY_PART = 5000

export function onSecurityEventSeen(draft: BlockDraft, { type, detail }: InputOf<'securityEventSeen'>): void {
  noteSecurity(draft, { type: type.slice(0, TYPE_CHARACTERS), detail: detail?.slice(0, DETAIL_CHARACTERS) })
}

/** Four times what the specification allows. */
const TYPE_CHARACTERS = 200
const DETAIL_CHARACTERS = 1000

/** @param part distinguishes it from others of its message */
export function noteSecurity(
  draft: BlockDraft,
  { type, detail }: { readonly type: string; readonly detail?: string | undefined },
  part = SECURITY_PART,
): void {
  const id = draft.commandId
  if (id === undefined) return
  if (noteHistory(draft, 'security', { id, part }, { type, detail })) {
    draft.tell(securityEvent.of({ ...where(draft), type, techInfo: detail }))
  }
}

type StationFacts = Pick<BlockDraft['state']['status'], 'vendor' | 'model' | 'serialNumber' | 'firmwareVersion'>

export function noteBoot(draft: BlockDraft, facts: StationFacts): void {
  const id = draft.commandId
  if (id === undefined) return
  const { vendor, model, serialNumber, firmwareVersion } = facts
  const { registrationStatus } = draft.state
  const details = { vendor, model, serialNumber, firmwareVersion, registrationStatus }
  if (noteHistory(draft, 'booted', { id, part: 0 }, details)) draft.tell(booted.of({ ...where(draft), ...details }))
}

type Status = Pick<Connector, 'evseId' | 'connectorId' | 'status' | 'errorCode'>

/** No station has more connectors; more in one message is nonsense. */
const STATUSES_OF_A_MESSAGE = 100

/** TIMELINE-A5: only real changes; not counted together; the log has it. @param part which status of its message */
export function noteStatus(draft: BlockDraft, before: Status | undefined, after: Status, part = 0): void {
  const id = draft.commandId
  if (id === undefined || part >= STATUSES_OF_A_MESSAGE) return
  const { evseId, connectorId, status, errorCode } = after
  if (before?.status === status && faultOf(before) === faultOf(after)) return
  const { now, state } = draft
  const { chargePointId } = state
  const previousStatus = before?.status
  addEntry(
    draft,
    'status',
    { id, part },
    { evseId, connectorId, status, errorCode, previousStatus },
    { at: now, count: 1 },
  )
  draft.tell(statusChanged.of({ chargePointId, at: now, evseId, connectorId, status, errorCode, previousStatus }))
}

/** Some leave out what others spell as NoError. */
function faultOf({ errorCode }: Status): string {
  return errorCode ?? 'NoError'
}

/** OCPP21-C7: not folded, as each is about money. */
export function notePayment(draft: BlockDraft, details: HistoryDetails): void {
  const id = draft.commandId
  if (id !== undefined) addEntry(draft, 'payment', { id, part: 0 }, details, { at: draft.now, count: 1 })
}

interface EntryNumber {
  readonly id: number
  readonly part: number
}

const HOUR_MS = 3_600_000
const MAX_PER_HOUR = 60
/** Of an unaccepted charge point (OCPP-RP14). */
const MAX_FOR_UNACCEPTED = 1
const UNACCEPTED_WINDOW_MS = 24 * HOUR_MS

/** TIMELINE-A3: beyond so many entries of a kind the newest counts the rest. @returns whether it is its own entry */
export function noteHistory(
  draft: BlockDraft,
  kind: HistoryKind,
  number: EntryNumber,
  details: HistoryDetails,
  openSince?: number,
): boolean {
  const { now, state } = draft
  const { chargePointId } = state
  const unaccepted = state.registrationStatus !== 'Accepted' && state.status.bootedAt === undefined
  const known = newest.find(draft, { about: kind })
  const windowMs = unaccepted ? UNACCEPTED_WINDOW_MS : HOUR_MS
  // The other comparison: the clock was put back.
  const recent = known && now >= known.since && now - known.since < windowMs ? known : undefined
  if (recent && recent.entries >= (unaccepted ? MAX_FOR_UNACCEPTED : MAX_PER_HOUR)) {
    const count = recent.count + 1
    addEntry(draft, kind, recent, details, { at: recent.at, count })
    newest.put(draft, { ...recent, count, openSince })
    return false
  }
  addEntry(draft, kind, number, details, { at: now, count: 1 })
  const { since = now, entries = 0 } = recent ?? {}
  const first = { chargePointId, about: kind, ...number, at: now, since, openSince }
  newest.put(draft, { ...first, count: 1, entries: entries + 1 })
  return true
}

function addEntry(
  draft: BlockDraft,
  kind: HistoryKind,
  { id, part }: EntryNumber,
  details: HistoryDetails,
  { at, count }: { readonly at: number; readonly count: number },
): void {
  const { chargePointId } = draft.state
  const put = { chargePointId, id, part, kind, at, details, count, lastAt: lastAt(draft, count) }
  draft.changeRecord({ kind: 'connection_history', put })
}

const lastAt = ({ now }: BlockDraft, count: number) => (count > 1 ? now : undefined)

function where({ state, now }: BlockDraft): ChargePointEvent {
  return { chargePointId: state.chargePointId, at: now }
}
