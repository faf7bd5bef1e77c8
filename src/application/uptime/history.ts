/** What is kept of a charge point, as its uptime needs it (UPTIME-U1 to UPTIME-U3, UPTIME-U5). */

import { grouped } from '../../domain/grouped.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { sessionPages } from '../../domain/selector.ts'
import type { HistoryEntry } from '../../domain/timeline/records.ts'
import {
  type ConnectorRef,
  type Happened,
  type Interval,
  intervalsOf,
  needsStopReason,
  visitOf,
} from '../../domain/uptime/uptime.ts'
import type { UseCaseContext } from '../context.ts'

export type UptimeContext = Pick<UseCaseContext, 'reads' | 'now' | 'timeZone'>

interface SeenVisit {
  readonly at: number
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  readonly result: 'good' | 'failed'
}

export interface StationStates {
  readonly id: string
  readonly site?: string | undefined
  readonly connectors: readonly { readonly connector: ConnectorRef; readonly intervals: readonly Interval[] }[]
}

export interface StationUptime extends StationStates {
  readonly visits: readonly SeenVisit[]
}

export interface Window {
  readonly from: number
  readonly to: number
}

/** Of what happened before the window: enough for the last status of each connector, nearly always. */
const LOOK_BACK = 200
const MAX_ORDERS = 1000
/** Looked at together: between two groups others have their turn. */
const AT_ONCE = 10

export async function uptimesOf(
  place: UptimeContext,
  stations: readonly ChargePointView[],
  window: Window,
): Promise<readonly StationUptime[]> {
  const [states, visits] = await Promise.all([statesOf(place, stations, window), visitsOf(place, stations, window)])
  return states.map((one) => ({ ...one, visits: visits.get(one.id) ?? [] }))
}

export async function statesOf(
  place: UptimeContext,
  stations: readonly ChargePointView[],
  window: Window,
): Promise<readonly StationStates[]> {
  const found: StationStates[] = []
  for (let at = 0; at < stations.length; at += AT_ONCE) {
    const some = stations.slice(at, at + AT_ONCE)
    const within = await changesOf(place, some, window)
    const group = some.map(async (station) => {
      const happened = await happenedTo(place, station, window, within.get(station.id) ?? [])
      const connectors = connectorsOf(station).map((connector) => ({
        connector,
        intervals: intervalsOf(connector, happened, window.from, window.to),
      }))
      return { id: station.id, site: station.labels?.site, connectors }
    })
    found.push(...(await Promise.all(group)))
  }
  return found
}

/** A charge point that has reported no connector counts as one. */
function connectorsOf({ connectors }: ChargePointView): readonly ConnectorRef[] {
  const known = connectors.filter(({ connectorId }) => connectorId > 0)
  return known.length === 0 ? [{ connectorId: 0 }] : known.map(({ evseId, connectorId }) => ({ evseId, connectorId }))
}

async function changesOf(
  { reads }: UptimeContext,
  stations: readonly ChargePointView[],
  { from, to }: Window,
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  const chargePointId = { in: stations.map(({ id }) => id) }
  const id = { from: logIdAt(from), below: logIdAt(to) }
  return grouped(await allRecords(reads, 'connection_history', { chargePointId, id }), (entry) => entry.chargePointId)
}

async function happenedTo(
  { reads }: UptimeContext,
  { id: chargePointId, connectors }: ChargePointView,
  { from, to }: Window,
  within: readonly HistoryEntry[],
): Promise<readonly Happened[]> {
  const list = { newestFirst: true } as const
  const [before, orders] = await Promise.all([
    reads.listRecords('connection_history', {
      ...list,
      where: { chargePointId, id: { below: logIdAt(from) } },
      limit: LOOK_BACK,
    }),
    reads.listRecords('availability_orders', {
      ...list,
      where: { chargePointId, id: { below: logIdAt(to) } },
      limit: MAX_ORDERS,
    }),
  ])
  const entries = [...[...before].reverse(), ...within]
  const reported = entries.flatMap(happenedIn)
  const ordered = orders.map(({ at, evseId, connectorId, available }): Happened => {
    return { at, kind: 'ordered', evseId, connectorId, available }
  })
  const first = connectors.flatMap((connector) => statusBefore(connector, entries, from))
  return [...first, ...reported, ...ordered].sort((one, other) => one.at - other.at)
}

/** A charge point that sends something is connected, also where entries of connections are folded. */
function happenedIn({ kind, at, lastAt, details }: HistoryEntry): readonly Happened[] {
  const again = lastAt === undefined ? [] : [lastAt]
  if (kind === 'disconnected') return [at, ...again].map((when) => ({ at: when, kind }))
  if (kind === 'connected' || kind === 'booted') return [at, ...again].map((when) => ({ at: when, kind: 'connected' }))
  if (kind !== 'status') return []
  return [
    { at, kind: 'connected' },
    { at, kind, of: placeIn(details), status: String(details.status) },
  ]
}

function placeIn({ evseId, connectorId }: HistoryEntry['details']): ConnectorRef {
  return { evseId: typeof evseId === 'number' ? evseId : undefined, connectorId: Number(connectorId) }
}

/** Where it was reported too long ago: the previous status that the first change names, or the current one. */
function statusBefore(
  connector: ChargePointView['connectors'][number],
  entries: readonly HistoryEntry[],
  from: number,
): readonly Happened[] {
  const { evseId, connectorId, since, updatedAt } = connector
  const change = entries.find(({ kind, details }) => {
    const of = placeIn(details)
    return kind === 'status' && of.connectorId === connectorId && of.evseId === evseId
  })
  const status = change ? change.details.previousStatus : (since ?? updatedAt) <= from ? connector.status : undefined
  if (typeof status !== 'string') return []
  return [{ at: Number.NEGATIVE_INFINITY, kind: 'status', of: { evseId, connectorId }, status }]
}

async function visitsOf(
  { reads }: UptimeContext,
  stations: readonly ChargePointView[],
  { from, to }: Window,
): Promise<ReadonlyMap<string, readonly SeenVisit[]>> {
  const found = new Map<string, SeenVisit[]>()
  const [first] = stations
  if (!first) return found
  const { accountId } = first
  const chargePointIds = stations.map(({ id }) => id)
  const query = { accountId, chargePointIds, begunFrom: from, begunTo: to, byStart: true } as const
  for await (const page of sessionPages(reads, query)) {
    const unclear = page.filter(needsStopReason)
    const transactions = unclear.length === 0 ? [] : await reads.findTransactionsOf(unclear)
    const reasons = new Map(transactions.map(({ sessionId, stopReason }) => [sessionId, stopReason]))
    for (const session of page) {
      const result = visitOf(session, reasons.get(session.id))
      if (result === undefined) continue
      // SESSION-T1: one that was delivered late is a visit of its time.
      const { chargePointId, startedAt, createdAt, evseId, connectorId } = session
      const visits = found.get(chargePointId) ?? []
      visits.push({ at: startedAt ?? createdAt, evseId, connectorId, result })
      found.set(chargePointId, visits)
    }
  }
  return found
}
