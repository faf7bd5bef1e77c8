/** How long a connector was usable (UPTIME-U1 to UPTIME-U4): up, down, planned or unknown at each moment. Pure. */

import type { Session } from '../ports/sessions.ts'

export interface ConnectorRef {
  readonly evseId?: number | undefined
  readonly connectorId: number
}

/** What happened to a charge point; without a connector: to all of them. */
export type Happened =
  | { readonly at: number; readonly kind: 'connected' }
  | { readonly at: number; readonly kind: 'disconnected' }
  | { readonly at: number; readonly kind: 'status'; readonly of: ConnectorRef; readonly status: string }
  | {
      readonly at: number
      readonly kind: 'ordered'
      readonly evseId?: number | undefined
      readonly connectorId?: number | undefined
      readonly available: boolean
    }

export type Condition = 'up' | 'down' | 'planned' | 'unknown'

export interface Interval {
  readonly from: number
  readonly to: number
  readonly condition: Condition
}

/** Of 1.6, and of 2.0.1; Unavailable without an order is an outage. */
const OUT: ReadonlySet<string> = new Set(['Faulted', 'Unavailable'])

/** The window without gaps. @param happened in order of time; what lies before the window says how it began */
export function intervalsOf(
  connector: ConnectorRef,
  happened: readonly Happened[],
  from: number,
  to: number,
): readonly Interval[] {
  const found: Interval[] = []
  let isOnline: boolean | undefined
  let status: string | undefined
  let stationStatus: string | undefined
  let isPlanned = false
  const condition = (): Condition => {
    if (isOnline === undefined) return 'unknown'
    if (isPlanned) return 'planned'
    if (!isOnline) return 'down'
    return OUT.has(status ?? '') || OUT.has(stationStatus ?? '') ? 'down' : 'up'
  }
  let begin = from
  const until = (at: number): void => {
    const end = Math.min(Math.max(at, begin), to)
    if (end === begin) return
    const now = condition()
    const last = found.at(-1)
    if (last?.condition === now) found[found.length - 1] = { ...last, to: end }
    else found.push({ from: begin, to: end, condition: now })
    begin = end
  }
  for (const one of happened) {
    if (one.at >= to) break
    until(one.at)
    if (one.kind === 'connected') isOnline = true
    else if (one.kind === 'disconnected') isOnline = false
    else if (one.kind === 'ordered' && matchesSelector(connector, one)) isPlanned = !one.available
    else if (one.kind === 'status' && isSame(connector, one.of)) status = one.status
    else if (one.kind === 'status' && one.of.connectorId === 0) stationStatus = one.status
  }
  until(to)
  return found
}

/** 0 names the whole charge point in both versions. */
function matchesSelector(
  connector: ConnectorRef,
  { evseId = 0, connectorId = 0 }: { readonly evseId?: number | undefined; readonly connectorId?: number | undefined },
): boolean {
  return (evseId === 0 || evseId === connector.evseId) && (connectorId === 0 || connectorId === connector.connectorId)
}

function isSame(one: ConnectorRef, other: ConnectorRef): boolean {
  return one.connectorId === other.connectorId && (one.evseId ?? 0) === (other.evseId ?? 0)
}

export type Tally = Readonly<Record<Condition, number>>

export const NO_TIME: Tally = { up: 0, down: 0, planned: 0, unknown: 0 }

export function tallied(intervals: readonly Interval[], from: number, to: number): Tally {
  const tally = { ...NO_TIME }
  for (const interval of intervals) {
    const lasted = Math.min(interval.to, to) - Math.max(interval.from, from)
    if (lasted > 0) tally[interval.condition] += lasted
  }
  return tally
}

export function added(one: Tally, other: Tally): Tally {
  return {
    up: one.up + other.up,
    down: one.down + other.down,
    planned: one.planned + other.planned,
    unknown: one.unknown + other.unknown,
  }
}

/** From 0 to 1: planned downtime counts as time, and not as an outage. Undefined: nothing is known of it. */
export function uptimeOf({ up, down, planned }: Tally): number | undefined {
  const known = up + down + planned
  return known === 0 ? undefined : (known - down) / known
}

/** Visits, and those that the charge point failed (UPTIME-U5). */
export interface Visits {
  readonly visits: number
  readonly failedVisits: number
}

export const NO_VISITS: Visits = { visits: 0, failedVisits: 0 }

/** Stop reasons that are the charge point's own, of both versions. */
const OF_THE_STATION: ReadonlySet<string> = new Set([
  'emergencystop',
  'groundfault',
  'hardreset',
  'immediatereset',
  'other',
  'overcurrentfault',
  'powerloss',
  'powerquality',
  'reboot',
  'softreset',
])

type Visit = Pick<Session, 'state' | 'endReason' | 'energyMilliWh' | 'remoteStart'>

/** A visit that ended without energy: only its stop reason says whether that was the charge point's doing. */
export function needsStopReason({ state, endReason, energyMilliWh }: Visit): boolean {
  return state === 'completed' && endReason !== 'interrupted' && energyMilliWh <= 0
}

/** Undefined: no visit, or a refusal for the visitor's own reason. @param stopReason the station's word */
export function visitOf(session: Visit, stopReason: string | undefined): 'good' | 'failed' | undefined {
  const { state, endReason, energyMilliWh, remoteStart } = session
  if (state === 'pending') return undefined
  if (state === 'failed') return endReason === 'rejected' && remoteStart ? 'failed' : undefined
  if (state !== 'completed' || energyMilliWh > 0) return 'good'
  const isOfStation = endReason === 'interrupted' || OF_THE_STATION.has(stopReason?.toLowerCase() ?? '')
  return isOfStation ? 'failed' : 'good'
}

export function withVisit({ visits, failedVisits }: Visits, visit: 'good' | 'failed'): Visits {
  return { visits: visits + 1, failedVisits: failedVisits + (visit === 'failed' ? 1 : 0) }
}
