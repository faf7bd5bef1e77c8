/** What a location becomes by what its owner asks: EVSEs keep their uid, and what is gone is REMOVED (LOCATION-A3). */
import type { Fault } from '../message-log/fault.ts'
import { evseIdKey } from './evse-id.ts'
import type { Location, LocationConnector, LocationEvse, LocationFacts } from './records.ts'
import { later, overlap } from './rules.ts'

export interface RequestedEvse extends Omit<LocationEvse, 'uid' | 'lastUpdated' | 'isRemoved' | 'connectors'> {
  readonly uid?: string | undefined
  readonly connectors: readonly Omit<LocationConnector, 'lastUpdated'>[]
}

export interface RequestedLocation extends LocationFacts {
  readonly publish: boolean
  readonly evses: readonly RequestedEvse[]
}

interface Plan {
  readonly accountId: string
  readonly locationId: string
  /** Later than all that was shown of it. */
  readonly at: number
  readonly newUid: () => string
}

/** @param before removed ones included: who comes again is the same. @returns `before` itself where nothing changes */
export function plannedLocation(
  before: Location | undefined,
  { publish, evses: requested, ...facts }: RequestedLocation,
  { accountId, locationId, at, newUid }: Plan,
): Location {
  const known = knownEvses(before?.evses ?? [])
  const evses = requested.map((evse) => {
    const own = known.take(evse)
    return changedEvse(own, { ...evse, uid: own?.uid ?? evse.uid ?? newUid() }, at)
  })
  const gone = known.left().map((evse) => (evse.isRemoved ? evse : removedEvse(evse, at)))
  const planned = {
    accountId,
    locationId,
    publish,
    facts,
    evses: [...evses, ...gone],
    createdAt: before?.createdAt ?? at,
  }
  const isSame =
    before && !before.isRemoved && same(withoutDates(before), withoutDates({ ...planned, lastUpdated: at }))
  return isSame ? before : { ...planned, lastUpdated: at }
}

/** Its EVSEs are shown as REMOVED for ever. */
export function removedLocation(before: Location, at: number): Location {
  const evses = before.evses.map((evse) => (evse.isRemoved ? evse : removedEvse(evse, at)))
  return { ...before, evses, isRemoved: true, lastUpdated: at }
}

/** No charge point any more: it may stand in another location. */
export function removedEvse({ chargePointId: _, ocppEvseId: __, ...evse }: LocationEvse, at: number): LocationEvse {
  return { ...evse, isRemoved: true, lastUpdated: later(at, evse.lastUpdated) }
}

/** Two of one name or of one place. */
export function duplicateFaults(evses: readonly RequestedEvse[]): readonly Fault[] {
  const faults: Fault[] = []
  const names = new Map<string, number>()
  const places = new Map<string, RequestedEvse[]>()
  const seen = (at: number, member: string, name: string | undefined): void => {
    const first = name === undefined ? undefined : names.get(name)
    const message = `is that of /evses/${first} as well`
    if (first !== undefined) faults.push({ pointer: `/evses/${at}/${member}`, code: 'duplicate_evse', message })
    else if (name !== undefined) names.set(name, at)
  }
  for (const [at, evse] of evses.entries()) {
    seen(at, 'uid', evse.uid && uidNameOf(evse.uid))
    seen(at, 'evseId', evse.evseId && evseNameOf(evse.evseId))
    const { chargePointId } = evse
    if (chargePointId === undefined) continue
    const others = places.get(chargePointId) ?? []
    if (others.some((other) => overlap(other, evse))) {
      const message = `is the place of another EVSE: give each its own ocppEvseId`
      faults.push({ pointer: `/evses/${at}/evseControllerId`, code: 'duplicate_evse', message })
    }
    places.set(chargePointId, [...others, evse])
  }
  return faults
}

/** Under which an account's EVSEs are found (`evse_names`). A removed one gives up its EVSE id. */
export function evseNames({ uid, evseId, isRemoved }: Pick<LocationEvse, 'uid' | 'evseId' | 'isRemoved'>): string[] {
  const own = uidNameOf(uid)
  return evseId === undefined || isRemoved ? [own] : [own, evseNameOf(evseId)]
}

/** Names of OCPI are the same in any case. */
function uidNameOf(uid: string): string {
  return `uid ${uid.toLowerCase()}`
}

export function evseNameOf(evseId: string): string {
  return `id ${evseIdKey(evseId)}`
}

/** The same EVSE: by its uid, else by its id, else by its place at the charge point. */
function knownEvses(evses: readonly LocationEvse[]) {
  const left = new Map(evses.map((evse) => [evse.uid, evse]))
  const byName = new Map<string, LocationEvse>()
  // Those that are there come before those that were removed.
  for (const evse of [...evses.filter(({ isRemoved }) => isRemoved), ...evses.filter(({ isRemoved }) => !isRemoved)]) {
    for (const name of namesOf(evse)) byName.set(name, evse)
  }
  return {
    take(evse: RequestedEvse): LocationEvse | undefined {
      const named = evse.uid === undefined ? namesOf(evse).map((name) => byName.get(name)?.uid) : [evse.uid]
      const uid = named.find((one) => one !== undefined && left.has(one))
      const found = uid === undefined ? undefined : left.get(uid)
      if (uid !== undefined) left.delete(uid)
      return found
    },
    left: () => [...left.values()],
  }
}

function namesOf({ evseId, chargePointId, ocppEvseId }: Omit<RequestedEvse, 'connectors'>): readonly string[] {
  if (evseId !== undefined) return [evseNameOf(evseId)]
  return chargePointId === undefined ? [] : [JSON.stringify([chargePointId, ocppEvseId])]
}

function changedEvse(
  before: LocationEvse | undefined,
  { connectors, ...evse }: RequestedEvse & { readonly uid: string },
  at: number,
): LocationEvse {
  const known = new Map(before?.connectors.map((one) => [one.connectorId, one]))
  const stamped = connectors.map((one): LocationConnector => {
    const own = known.get(one.connectorId)
    const lastUpdated = later(at, own?.lastUpdated)
    return own && same({ ...one, lastUpdated: 0 }, { ...own, lastUpdated: 0 }) ? own : { ...one, lastUpdated }
  })
  const after = { ...evse, connectors: stamped, lastUpdated: 0 }
  if (before && same(after, { ...before, lastUpdated: 0 })) return before
  return { ...after, lastUpdated: later(at, before?.lastUpdated) }
}

function withoutDates({ createdAt: _, lastUpdated: __, ...location }: Location): object {
  return location
}

/** As they are stored, whatever the order of their members. */
function same(one: object, other: object): boolean {
  return ordered(one) === ordered(other)
}

function ordered(value: object): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
