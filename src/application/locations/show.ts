/** Locations with what is shown of them, for the API, partners and the feeds (LOCATION-A2, LOCATION-A3). */
import { grouped } from '../../domain/grouped.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Location } from '../../domain/locations/records.ts'
import { type ShownLocation, shownLocation } from '../../domain/locations/shown.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { allRecords } from '../../domain/records/all-records.ts'

export type LocationReads = Pick<Reads, 'getRecord' | 'listRecords'>

/** A page of locations, in its order; two look-ups for all of them. @param locations of one account */
export async function shownLocations(
  reads: LocationReads,
  locations: readonly Location[],
): Promise<readonly ShownLocation[]> {
  const [first] = locations
  if (!first) return []
  const where = { accountId: first.accountId, locationId: { in: locations.map(({ locationId }) => locationId) } }
  const [states, changes] = await Promise.all([
    allRecords(reads, 'location_evses', where),
    allRecords(reads, 'location_changes', where),
  ])
  const byLocation = grouped(states, ({ locationId }) => locationId)
  const changed = new Map(changes.map((change) => [change.locationId, change]))
  return locations.map((one) => shownLocation(one, byLocation.get(one.locationId) ?? [], changed.get(one.locationId)))
}

/** Whether the list of an owner has it. @param q part of its id, name, address or city, in any case */
export function fitsSearch(
  { locationId, publish: isPublic, isRemoved, facts }: Location,
  { country, q = '', publish }: { readonly [Name in 'country' | 'q' | 'publish']?: string | undefined },
): boolean {
  if (isRemoved || (country !== undefined && country !== facts.country)) return false
  if (publish !== undefined && publish !== String(isPublic)) return false
  const found = [locationId, facts.name, facts.address, facts.city].join('\n').toLowerCase()
  return found.includes(q.toLowerCase())
}

/** One that was not removed. */
export async function findLocation(
  reads: LocationReads,
  accountId: string,
  locationId: string,
): Promise<ShownLocation | undefined> {
  const found = await reads.getRecord('locations', { accountId, locationId })
  return found && !found.isRemoved ? (await shownLocations(reads, [found]))[0] : undefined
}

/**
 * A page of all that changed within these times, removed ones included, by id; what changes meanwhile keeps its place.
 * @param after the id of the last one of the page before
 */
export async function locationsChanged(
  reads: LocationReads,
  accountId: string,
  { from, below }: { readonly from?: number | undefined; readonly below?: number | undefined },
  limit: number,
  after?: string,
): Promise<readonly ShownLocation[]> {
  const changes = await reads.listRecords('location_changes', {
    where: { accountId, ...((from ?? below) !== undefined && { changedAt: { from, below } }) },
    limit,
    after: after === undefined ? undefined : { accountId, locationId: after },
  })
  if (changes.length === 0) return []
  const locationId = { in: changes.map((change) => change.locationId) }
  return shownLocations(reads, await reads.listRecords('locations', { where: { accountId, locationId }, limit }))
}

export function representLocation({ locationId: id, facts, publish, evses, createdAt, lastUpdated }: ShownLocation) {
  return {
    id,
    ...facts,
    publish,
    evses: evses.map(({ chargePointId: evseControllerId, isRemoved: _, ...evse }) => ({
      ...dated(evse),
      evseControllerId,
      connectors: evse.connectors.map(dated),
    })),
    createdAt: isoTime(createdAt),
    lastUpdated: isoTime(lastUpdated),
  }
}

function dated<Of extends { readonly lastUpdated: number }>(of: Of) {
  return { ...of, lastUpdated: isoTime(of.lastUpdated) }
}

/** What its owner said of it, as a request would. */
export function requestOf({ facts, publish, evses }: ShownLocation) {
  return {
    ...facts,
    publish,
    evses: evses
      .filter(({ status }) => status !== 'REMOVED')
      .map(({ status: _, lastUpdated: __, chargePointId: evseControllerId, connectors, ...evse }) => ({
        ...evse,
        evseControllerId,
        connectors: connectors.map(({ lastUpdated: _, ...one }) => one),
      })),
  }
}
