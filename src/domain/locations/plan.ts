/** What a location becomes by what its owner asks: EVSEs keep their uid, and what is gone is REMOVED (LOCATION-A3). */
import type { Fault } from '../message-log/fault.ts'
import { evseIdKey } from './evse-id.ts'
import type { Location, LocationConnector, LocationEvse, LocationFacts } from './records.ts'
import { later } from './rules.ts'

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

type Named = Pick<RequestedEvse, 'uid' | 'evseId' | 'chargePointId' | 'ocppEvseId'> & Pick<LocationEvse, 'isRemoved'>

/** Two of one name or of one place. @param all with their places in the request or the file */
export function duplicateFaults(all: readonly { readonly pointer: string; readonly evse: Named }[]): readonly Fault[] {
  const faults: Fault[] = []
  const seen = new Map<string, string>()
  for (const { pointer, evse } of all) {
    const keep = (member: string, names: readonly string[], others = names): void => {
      const first = others.map((name) => seen.get(name)).find((one) => one !== undefined)
      const message = `is that of ${first} as well`
      if (first !== undefined) faults.push({ pointer: `${pointer}/${member}`, code: 'duplicate_evse', message })
      for (const name of names) if (!seen.has(name)) seen.set(name, pointer)
    }
    for (const [member, name] of evseNames(evse)) keep(member, [name])
    const { chargePointId, ocppEvseId } = evse
    if (chargePointId === undefined) continue
    // All of a charge point is part of each of its places.
    const [anywhere, whole, here] = ['any', undefined, ocppEvseId].map((at) => JSON.stringify([chargePointId, at]))
    const own = [anywhere, here] as string[]
    keep('evseControllerId', own, ocppEvseId === undefined ? own : ([whole, here] as string[]))
  }
  return faults
}

/** Under which an account's EVSEs are found (`evse_names`), by member. A removed one gives up its EVSE id. */
export function evseNames({ uid, evseId, isRemoved }: Named): readonly (readonly [member: string, name: string])[] {
  return [
    // Names of OCPI are the same in any case.
    ...(uid === undefined ? [] : [['uid', `uid ${uid.toLowerCase()}`] as const]),
    ...(evseId === undefined || isRemoved ? [] : [['evseId', evseNameOf(evseId)] as const]),
  ]
}

function evseNameOf(evseId: string): string {
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
