/** Uptime in rows, by connector, charge point, site or month (UPTIME-U4, UPTIME-U6). */

import { grouped } from '../../domain/grouped.ts'
import { csvField } from '../../domain/message-log/csv.ts'
import type { ChargePoint, ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { chargePointPages } from '../../domain/selector.ts'
import { DAY_MS, periodOf, wallClock } from '../../domain/time-zone.ts'
import {
  added,
  type ConnectorRef,
  NO_TIME,
  NO_VISITS,
  type Tally,
  tallied,
  uptimeOf,
  type Visits,
  withVisit,
} from '../../domain/uptime/uptime.ts'
import {
  type StationStates,
  type StationUptime,
  statesOf,
  type UptimeContext,
  uptimesOf,
  type Window,
} from './history.ts'
import { type UPTIME_GROUPS, type UptimeRow, UptimeRowSchema } from './schemas.ts'

export type UptimeGroup = (typeof UPTIME_GROUPS)[number]

interface UptimeQuery extends Window {
  readonly accountId: string
  readonly group: UptimeGroup
  readonly shared?: readonly string[] | undefined
  readonly statuses?: readonly ChargePoint['registrationStatus'][] | undefined
}

export type UptimeFigures = Pick<UptimeRow, 'uptime' | 'downtimeSeconds' | 'plannedSeconds' | 'unknownSeconds'>

export type UptimePosition = readonly [first: string, second: number]

type Rows = AsyncGenerator<readonly PlacedRow[]>

export interface UptimeList {
  rows(after: UptimePosition | undefined): Rows
}

export interface PlacedRow {
  readonly at: UptimePosition
  readonly row: UptimeRow
}

/** Of a list by sites or months, which needs all of them. */
const MAX_CONNECTOR_DAYS = 200_000
const MAX_DAYS = 400
const STATIONS = 50

/** Refuses a window that is too long for so many charge points. */
export async function uptimeList(place: UptimeContext, query: UptimeQuery): Promise<UptimeList | Refusal> {
  const { accountId, group, shared, statuses, from } = query
  const to = Math.max(from, Math.min(query.to, place.now()))
  const window = { from, to }
  const days = (to - from) / DAY_MS
  if (days > MAX_DAYS) return tooLong(`must be at most ${MAX_DAYS} days behind the start of the window`)
  const mayBe = shared && new Set(shared)
  const stations: ChargePointView[] = []
  const matchesSelector = ({ id, registrationStatus }: ChargePointView): boolean =>
    (mayBe?.has(id) ?? true) && (statuses?.includes(registrationStatus) ?? true)
  for await (const page of chargePointPages(place.reads, accountId)) stations.push(...page.filter(matchesSelector))
  const asked = { place, stations, window }
  if (group === 'connector' || group === 'evseController') return { rows: (after) => byStation(asked, group, after) }
  if (stations.length * days > MAX_CONNECTOR_DAYS) {
    const most = Math.floor(MAX_CONNECTOR_DAYS / stations.length)
    return tooLong(`must be at most ${most} days behind the start of the window, with so many charge points`)
  }
  return { rows: (after) => (group === 'site' ? bySite(asked, after) : byMonth(asked, after)) }
}

function tooLong(message: string): Refusal {
  return refuseFault('?to', 'invalid_window', message)
}

interface Asked {
  readonly place: UptimeContext
  readonly stations: readonly ChargePointView[]
  readonly window: Window
}
type After = UptimePosition | undefined

async function* byStation({ place, stations, window }: Asked, group: UptimeGroup, after: After): Rows {
  const [lastId = '', lastIndex = -1] = after ?? []
  const rest = stations.filter(({ id }) => id >= lastId)
  for (let at = 0; at < rest.length; at += STATIONS) {
    const uptimes = await uptimesOf(place, rest.slice(at, at + STATIONS), window)
    const rows = uptimes.flatMap((one) =>
      group === 'connector' ? ofConnectors(one, window) : [ofStation(one, window)],
    )
    yield rows.filter(({ at: [id, index] }) => id > lastId || index > lastIndex)
  }
}

function ofStation(one: StationUptime, window: Window): PlacedRow {
  return { at: [one.id, 0], row: { evseControllerId: one.id, ...figures(withStation(NOTHING, one, window)) } }
}

function ofConnectors(one: StationUptime, window: Window): readonly PlacedRow[] {
  return one.connectors
    .filter(({ connector }) => connector.connectorId > 0)
    .map((each, index) => {
      const { evseId, connectorId } = each.connector
      const visits = one.visits.filter((visit) => isAt(visit, each.connector))
      const of = figures(withStation(NOTHING, { ...one, connectors: [each], visits }, window))
      return { at: [one.id, index], row: { evseControllerId: one.id, evseId, connectorId, ...of } }
    })
}

function isAt(
  visit: { readonly evseId?: number | undefined; readonly connectorId?: number | undefined },
  connector: ConnectorRef,
): boolean {
  return visit.connectorId === connector.connectorId && visit.evseId === connector.evseId
}

async function* bySite({ place, stations, window }: Asked, after: After): Rows {
  const sites = grouped(stations, ({ labels }) => labels?.site ?? '')
  const names = [...sites.keys()].sort().filter((name) => !after || name > after[0])
  for (const name of names) {
    const of = figures(await sumOfAll(place, sites.get(name) ?? [], window))
    yield [{ at: [name, 0], row: { ...(name !== '' && { site: name }), ...of } }]
  }
}

async function* byMonth({ place, stations, window }: Asked, after: After): Rows {
  const timeZone = place.timeZone ?? 'UTC'
  for (let at = window.from; at < window.to; ) {
    const { from, below } = periodOf('month', at, timeZone)
    const part = { from: Math.max(from, window.from), to: Math.min(below, window.to) }
    const month = new Date(wallClock(from, timeZone)).toISOString().slice(0, 7)
    if (!after || month > after[0]) {
      yield [{ at: [month, 0], row: { month, ...figures(await sumOfAll(place, stations, part)) } }]
    }
    at = below
  }
}

interface Sum {
  readonly tally: Tally
  readonly visits: Visits
}

const NOTHING: Sum = { tally: NO_TIME, visits: NO_VISITS }

/** Of these alone, all together, without their visits. */
export async function uptimeOfAll(
  place: UptimeContext,
  stations: readonly ChargePointView[],
  { from, to }: Window,
): Promise<UptimeFigures> {
  const window = { from, to: Math.max(from, Math.min(to, place.now())) }
  const states = await statesOf(place, stations, window)
  return figuresOf(states.reduce((tally, one) => withStates(tally, one, window), NO_TIME))
}

async function sumOfAll(place: UptimeContext, stations: readonly ChargePointView[], window: Window): Promise<Sum> {
  let sum = NOTHING
  for (let at = 0; at < stations.length; at += STATIONS) {
    for (const one of await uptimesOf(place, stations.slice(at, at + STATIONS), window))
      sum = withStation(sum, one, window)
  }
  return sum
}

function withStates(sum: Tally, { connectors }: StationStates, { from, to }: Window): Tally {
  return connectors.reduce((tally, { intervals }) => added(tally, tallied(intervals, from, to)), sum)
}

function withStation(sum: Sum, station: StationUptime, window: Window): Sum {
  const { from, to } = window
  const tally = withStates(sum.tally, station, window)
  let { visits } = sum
  for (const { at, result } of station.visits) if (at >= from && at < to) visits = withVisit(visits, result)
  return { tally, visits }
}

function figures({ tally, visits }: Sum): UptimeFigures & Visits {
  return { ...figuresOf(tally), ...visits }
}

function figuresOf(tally: Tally): UptimeFigures {
  return {
    uptime: uptimeOf(tally),
    downtimeSeconds: tally.down / 1000,
    plannedSeconds: tally.planned / 1000,
    unknownSeconds: tally.unknown / 1000,
  }
}

/** Every row of uptime as CSV (UPTIME-U6). */
const COLUMNS = Object.keys(UptimeRowSchema.shape) as (keyof UptimeRow)[]

export async function* uptimeCsv(list: UptimeList): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`${COLUMNS.join(',')}\r\n`)
  for await (const rows of list.rows(undefined)) {
    const lines = rows.map(({ row }) => `${COLUMNS.map((name) => csvField(row[name])).join(',')}\r\n`)
    yield Buffer.from(lines.join(''))
  }
}
