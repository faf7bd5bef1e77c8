/** One snapshot of an account's connections: ordered, given and reported. The planner, status and pages use it. */
import type { Wiring } from '../../domain/charging/records.ts'
import { mostAmps } from '../../domain/charging/rows.ts'
import { grouped } from '../../domain/grouped.ts'
import { absorb, evseOf, NEW_SHARE, type Placed, READING_MS } from '../../domain/limit-groups/absorb.ts'
import { externalOf, groupOf, loadOf, topOf } from '../../domain/limit-groups/desired.ts'
import { keyOf } from '../../domain/limit-groups/evse.ts'
import { type ExternalLimit, isWithin, type Load } from '../../domain/limit-groups/group.ts'
import { latest } from '../../domain/limit-groups/ledger.ts'
import type { Connection } from '../../domain/limit-groups/plan.ts'
import type {
  GivenExternal,
  GivenLoad,
  LimitGroup,
  LimitPlan,
  LimitShare,
  ShareState,
} from '../../domain/limit-groups/records.ts'
import { Lines, minimumOf } from '../../domain/limit-groups/shares.ts'
import type { EvseView, StationView } from '../../domain/limit-groups/view.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { type GroupReads, groupsOfAccount, type Member, membersOf, wiredToGroup, wiringsOf } from './members.ts'

export type SnapshotContext = Pick<UseCaseContext, 'reads' | 'core' | 'now'> & WithSettings<'voltage'>

export interface Roster {
  readonly members: readonly Member[]
  readonly wirings: ReadonlyMap<string, Wiring>
}

export interface SeenEvse {
  readonly placed: Placed
  readonly state: ShareState
  readonly before: ShareState
  readonly station?: StationView | undefined
  readonly seen?: EvseView | undefined
}

export interface Snapshot {
  readonly root: string
  readonly connection: Connection
  readonly evses: ReadonlyMap<string, SeenEvse>
}

export async function rosterOf(place: GroupReads, accountId: string, groups: readonly LimitGroup[]): Promise<Roster> {
  const { members } = await membersOf(place, accountId, groups)
  return { members, wirings: await wiringsOf(place, members) }
}

export interface Stored {
  readonly shares: ReadonlyMap<string, LimitShare>
  readonly plans: ReadonlyMap<string, LimitPlan>
}

export async function storedOf({ reads }: Pick<GroupReads, 'reads'>, accountId: string): Promise<Stored> {
  // Plans first: shares that another planner changes meanwhile belong to a newer plan, and ours is refused (GROUP-A9).
  const plans = await allRecords(reads, 'limit_plans', { accountId })
  const shares = await allRecords(reads, 'limit_shares', { accountId })
  return {
    shares: new Map(shares.map((share) => [keyOf(share), share])),
    plans: new Map(plans.map((one) => [one.root, one])),
  }
}

export async function takeSnapshot(
  place: SnapshotContext,
  accountId: string,
  groups: readonly LimitGroup[],
  { members, wirings }: Roster,
  { shares }: Stored,
): Promise<readonly Snapshot[]> {
  const now = place.now()
  const { voltage } = place.settings
  const inputs = await allRecords(place.reads, 'limit_group_inputs', { accountId })
  const views = await place.core.limitViews(members.map(({ chargePointId }) => chargePointId))
  const stations = new Map(views.map((view) => [view.chargePointId, view]))
  const trees = grouped(groups, ({ name }) => rootOf(groups, name))
  return [...trees].map(([root, own]) => {
    const planned = new Map(own.map((group) => [group.name, groupOf(group, voltage)]))
    const lines = new Lines(planned, new Map())
    const evses = new Map<string, SeenEvse>()
    for (const member of members) {
      const group = planned.get(member.group)
      if (!group) continue
      const station = stations.get(member.chargePointId)
      const wiring = wirings.get(member.chargePointId)
      for (const evseId of evseIdsOf(member, station, wiring)) {
        const wired = wiredToGroup(wiring, evseId, group.phases)
        const seen = station?.evses.find((one) => one.evseId === evseId)
        const spread = Math.min(seen?.spread ?? 1, group.phases)
        const where = {
          chargePointId: member.chargePointId,
          evseId,
          group: member.group,
          ...wired,
          ...(spread > 1 && { spread }),
        }
        const minAmps = minimumOf(where, lines, voltage)
        const placed = {
          ...where,
          minAmps,
          maxAmps: mostAmps(wiring?.connectors ?? [], evseId),
          priority: wiring?.priority ?? 0,
        }
        const before = shares.get(keyOf(where))?.state ?? NEW_SHARE
        const state = station ? absorb(before, placed, station, seen, now) : before
        evses.set(keyOf(where), { placed, state, before, station, seen })
      }
    }
    const loads = new Map<string, Load>()
    const externals = new Map<string, ExternalLimit>()
    for (const { name, kind, given, at } of inputs) {
      const group = planned.get(name)
      if (group && kind === 'load') loads.set(name, loadOf(given as GivenLoad, group.phases, voltage))
      if (group && kind === 'external') {
        externals.set(name, externalOf(given as GivenExternal, at, group.phases, voltage))
      }
    }
    const connection: Connection = {
      groups: [...planned.values()],
      evses: [...evses.values()].map(({ state, placed, station, seen }) => evseOf(state, placed, station, seen)),
      loads,
      externals,
      drawn: drawnOf(evses.values(), now),
      voltage,
    }
    return { root, connection, evses }
  })
}

function drawnOf(evses: Iterable<SeenEvse>, now: number): ReadonlyMap<string, number> {
  const drawn = new Map<string, number>()
  for (const { placed, seen } of evses) {
    const { draw } = seen ?? {}
    if (draw?.amps !== undefined && seen?.charge && isWithin(READING_MS, draw.at, now))
      drawn.set(keyOf(placed), draw.amps)
  }
  return drawn
}

function evseIdsOf(
  { evseIds }: Member,
  station: StationView | undefined,
  wiring: Wiring | undefined,
): Iterable<number> {
  const wired = wiring?.connectors.map(({ evseId, connectorId }) => evseId ?? connectorId) ?? []
  const reported = station?.evses.map(({ evseId }) => evseId) ?? []
  const known = [...wired, ...reported]
  return new Set(known.length > 0 ? [...known, ...(reported.length > 0 ? [] : evseIds)] : evseIds)
}

function rootOf(groups: readonly LimitGroup[], name: string): string {
  return topOf(name, new Map(groups.map((group) => [group.name, group.desired])))
}

export async function snapshotOnce(
  place: SnapshotContext,
  accountId: string,
  name: string,
): Promise<Snapshot | undefined> {
  return snapshotAmong(place, accountId, await groupsOfAccount(place, accountId), name)
}

export async function snapshotAmong(
  place: SnapshotContext,
  accountId: string,
  groups: readonly LimitGroup[],
  name: string,
): Promise<Snapshot | undefined> {
  const root = rootOf(groups, name)
  const own = groups.filter((group) => rootOf(groups, group.name) === root)
  const roster = await rosterOf(place, accountId, groups)
  const stored = await storedOf(place, accountId)
  return (await takeSnapshot(place, accountId, own, roster, stored)).find((look) => look.root === root)
}

export function givenTo({ ledger }: ShareState) {
  return { fallback: latest(ledger.fallback), lease: latest(ledger.lease) }
}
