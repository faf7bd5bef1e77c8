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
  const left = new Map(before?.evses.map((evse) => [evse.uid, evse]))
  // Those that are there come before those that were removed.
  const known = [...left.values()].sort((one, other) => Number(other.isRemoved ?? 0) - Number(one.isRemoved ?? 0))
  const byName = new Map(known.flatMap((evse) => namesOf(evse).map((name) => [name, evse.uid])))
  const evses = requested.map((evse) => {
    const named = evse.uid === undefined ? namesOf(evse).map((name) => byName.get(name) ?? '') : [evse.uid]
    const uid = named.find((one) => left.has(one)) ?? evse.uid ?? newUid()
    const own = left.get(uid)
    left.delete(uid)
    return changedEvse(own, { ...evse, uid }, at)
  })
  const gone = [...left.values()].map((evse) => (evse.isRemoved ? evse : removedEvse(evse, at)))
  const { createdAt = at, lastUpdated = at } = before ?? {}
  const after = { accountId, locationId, publish, facts, evses: [...evses, ...gone], createdAt, lastUpdated }
  return before && same(before, after) ? before : { ...after, lastUpdated: at }
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

/** The same EVSE, where no uid is said: by its id, else by its place at the charge point. */
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
  return stamped(
    before,
    { ...evse, connectors: connectors.map((one) => stamped(known.get(one.connectorId), one, at)) },
    at,
  )
}

function stamped<Of extends { readonly lastUpdated: number }>(
  before: Of | undefined,
  of: Omit<Of, 'lastUpdated'>,
  at: number,
) {
  const isSame = before && same({ ...of, lastUpdated: before.lastUpdated }, before)
  return isSame ? before : ({ ...of, lastUpdated: later(at, before?.lastUpdated) } as Of)
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
