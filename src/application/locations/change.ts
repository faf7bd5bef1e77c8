/** Creating, changing and removing locations (LOCATION-A1 to LOCATION-A3). */
import type { z } from '@hono/zod-openapi'
import { createEmission, freshEventId } from '../../domain/events/emission.ts'
import { grouped } from '../../domain/grouped.ts'
import { locationUpdated } from '../../domain/locations/events.ts'
import {
  duplicateFaults,
  evseNames,
  plannedLocation,
  type RequestedLocation,
  removedEvse,
  removedLocation,
} from '../../domain/locations/plan.ts'
import type { Location, LocationEvse } from '../../domain/locations/records.ts'
import { later, overlap } from '../../domain/locations/rules.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { PlaceOfEvse } from '../../domain/partners/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import { noSuch, refusalIn, refuse, refuseFaults } from '../../domain/refuse.ts'
import { check } from '../check-schema.ts'
import { createTurns, type UseCaseContext } from '../context.ts'
import { PutLocationSchema } from './schemas.ts'
import { requestOf, shownLocations } from './show.ts'

export interface LocationContext extends Pick<UseCaseContext, 'reads' | 'writes' | 'core' | 'now' | 'random'> {
  readonly deliveries?: { wake(): void } | undefined
}

export interface ChangedLocation {
  readonly before: Location | undefined
  readonly after: Location
}

/** Two that run at once could give one name or place to two EVSEs; another server's place is refused by the core. */
export const inLine = createTurns()

export type PutBody = z.output<typeof PutLocationSchema>

export function requestedLocation({ publish = false, evses = [], ...facts }: PutBody): RequestedLocation {
  return {
    ...facts,
    publish,
    evses: evses.map(({ evseControllerId: chargePointId, ...evse }) => ({ ...evse, chargePointId })),
  } as RequestedLocation
}

export function putLocation(
  context: LocationContext,
  accountId: string,
  locationId: string,
  body: PutBody,
): Promise<ChangedLocation | Refusal> {
  return inLine(accountId, () => put(context, accountId, locationId, requestedLocation(body)))
}

/** @param sent members as the API has them; `null` removes one */
export function changeLocation(
  context: LocationContext,
  accountId: string,
  locationId: string,
  sent: object,
): Promise<ChangedLocation | Refusal> {
  return inLine(accountId, async () => {
    const before = await context.reads.getRecord('locations', { accountId, locationId })
    const [shown] = before && !before.isRemoved ? await shownLocations(context.reads, [before]) : []
    if (!shown) return NO_LOCATION
    const merged = Object.entries({ ...requestOf(shown), ...sent }).filter(([, value]) => value !== null)
    const checked = check(PutLocationSchema, JSON.parse(JSON.stringify(Object.fromEntries(merged))))
    if (!checked.ok) return refuseFaults(checked.faults)
    return put(context, accountId, locationId, requestedLocation(checked.value as PutBody))
  })
}

export function removeLocation(
  context: LocationContext,
  accountId: string,
  locationId: string,
): Promise<Refusal | undefined> {
  return inLine(accountId, async () => {
    const before = await context.reads.getRecord('locations', { accountId, locationId })
    if (!before || before.isRemoved) return NO_LOCATION
    await store(context, { before, after: removedLocation(before, await changeTime(context, before)) })
    return undefined
  })
}

/** Deletes a charge point; its EVSEs are shown as REMOVED from then on (LOCATION-A3). */
export async function removingEvses<Done extends object>(
  context: LocationContext,
  { accountId, chargePointId }: { readonly accountId: string; readonly chargePointId: string },
  remove: () => Promise<Done | Refusal>,
): Promise<Done | Refusal> {
  const states = await allRecords(context.reads, 'location_evses', { chargePointId })
  const removed = await remove()
  if ('refused' in removed) return removed
  for (const locationId of new Set(states.map((state) => state.locationId))) {
    await inLine(accountId, async () => {
      const before = await context.reads.getRecord('locations', { accountId, locationId })
      if (!before || before.isRemoved) return
      const at = await changeTime(context, before)
      const left = before.evses.filter((evse) => evse.chargePointId !== chargePointId)
      const gone = before.evses.filter((evse) => evse.chargePointId === chargePointId)
      const evses = [...left, ...gone.map((evse) => removedEvse(evse, at))]
      await store(context, { before, after: { ...before, evses, lastUpdated: at } })
    })
  }
  return removed
}

const NO_LOCATION = noSuch('location')

async function put(
  context: LocationContext,
  accountId: string,
  locationId: string,
  requested: RequestedLocation,
): Promise<ChangedLocation | Refusal> {
  const before = await context.reads.getRecord('locations', { accountId, locationId })
  const after = await plan(context, accountId, locationId, requested, before)
  if ('faults' in after) return refusal(422, after.faults)
  const conflicts = await conflictsOf(context, [{ after, at: '' }])
  return conflicts.length > 0 ? refusal(409, conflicts) : store(context, { before, after })
}

/** What it becomes, or what is wrong with it by itself and the charge points that there are. */
export async function plan(
  context: LocationContext,
  accountId: string,
  locationId: string,
  requested: RequestedLocation,
  before: Location | undefined,
): Promise<Location | { readonly faults: readonly Fault[] }> {
  const { evses, parkingPlaces = [] } = requested
  const faults = [...duplicateFaults(evses.map((evse, at) => ({ pointer: `/evses/${at}`, evse })))]
  const missing = (pointer: string, code: string, message: string) => faults.push({ pointer, code, message })
  const places = new Set(parkingPlaces.map(({ id }) => id))
  for (const [at, { chargePointId, connectors, parking = [] }] of evses.entries()) {
    const ids = new Set(connectors.map(({ connectorId }) => connectorId.toLowerCase()))
    if (ids.size < connectors.length) missing(`/evses/${at}/connectors`, 'invalid_value', 'must have ids of their own')
    for (const [place, { parkingId }] of parking.entries()) {
      const pointer = `/evses/${at}/parking/${place}/parkingId`
      if (!places.has(parkingId)) missing(pointer, 'unknown_parking_place', `names none of parkingPlaces: ${parkingId}`)
    }
    if (chargePointId === undefined) continue
    if ((await context.reads.findChargePoint(chargePointId))?.accountId === accountId) continue
    const message = `names no charge point of the account: ${chargePointId}`
    missing(`/evses/${at}/evseControllerId`, 'unknown_charge_point', message)
  }
  if (faults.length > 0) return { faults }
  const at = before ? await changeTime(context, before) : context.now()
  return plannedLocation(before, requested, { accountId, locationId, at, newUid: () => newUuid(at, context.random) })
}

export function refusal(status: 409 | 422, faults: readonly Fault[]): Refusal {
  return { ...refuseFaults(faults), status }
}

async function changeTime({ reads, now }: LocationContext, { accountId, locationId }: Location): Promise<number> {
  return later(now(), (await reads.getRecord('location_changes', { accountId, locationId }))?.changedAt)
}

/** EVSEs that another location has: by name, or by their place at the charge point. @param all of one account */
export async function conflictsOf(
  { reads }: LocationContext,
  all: readonly { readonly after: Location; readonly at: string }[],
): Promise<readonly Fault[]> {
  const own = all.flatMap(({ after: { accountId, locationId, evses }, at }) =>
    evses.flatMap((evse, within) =>
      evse.isRemoved ? [] : [{ accountId, locationId, pointer: `${at}/evses/${within}`, evse }],
    ),
  )
  const faults: Fault[] = []
  for (let from = 0; from < own.length; from += 400) {
    const some = own.slice(from, from + 400)
    const name = { in: some.flatMap(({ evse }) => evseNames(evse).map(([, one]) => one)) }
    const chargePointId = { in: some.flatMap(({ evse }) => evse.chargePointId ?? []) }
    const [named, placed] = await Promise.all([
      allRecords(reads, 'evse_names', { accountId: some[0]?.accountId ?? '', name }),
      chargePointId.in.length === 0 ? [] : allRecords(reads, 'location_evses', { chargePointId }),
    ])
    const byName = new Map(named.map((one) => [one.name, one.locationId]))
    const byStation = grouped(placed, (one) => one.chargePointId)
    for (const { locationId, pointer, evse } of some) {
      const conflict = (member: string, other = locationId): void => {
        const message = `belongs to the location ${other}`
        if (other !== locationId) faults.push({ pointer: `${pointer}/${member}`, code: 'evse_elsewhere', message })
      }
      for (const [member, name] of evseNames(evse)) conflict(member, byName.get(name))
      for (const other of byStation.get(evse.chargePointId ?? '') ?? []) {
        if (overlap(other, evse)) conflict('evseControllerId', other.locationId)
      }
    }
  }
  return faults
}

/** The charge points first, so that a location never shows an EVSE without a status. */
export async function store(
  context: LocationContext,
  { before, after }: ChangedLocation,
): Promise<ChangedLocation | Refusal> {
  const { accountId, locationId } = after
  const [were, are] = [placesOf(before), placesOf(after)]
  // Of a change that was interrupted too.
  const states = await allRecords(context.reads, 'location_evses', { accountId, locationId })
  const placed: string[] = []
  for (const [chargePointId, evses] of are) {
    const refusal = await place(context, after, chargePointId, evses)
    if (refusal) {
      for (const id of placed) await place(context, before ?? after, id, were.get(id) ?? [])
      return refusal
    }
    placed.push(chargePointId)
  }
  if (after !== before) {
    const event = createEmission({ figuresIntervalMs: 0 }, freshEventId(context.random)).ofDecision(
      locationUpdated.of({ locationId, at: after.lastUpdated }),
      { accountId, chargePointId: '' },
      context.now(),
      undefined,
    )
    if (await context.writes.changeRecords(changesOf(before, after), [event])) context.deliveries?.wake()
  }
  for (const chargePointId of new Set(states.map((state) => state.chargePointId))) {
    if (!are.has(chargePointId)) await place(context, after, chargePointId, [])
  }
  return { before, after }
}

function placesOf(location: Location | undefined): ReadonlyMap<string, readonly LocationEvse[]> {
  const placed = location?.evses.filter(({ chargePointId }) => chargePointId !== undefined) ?? []
  return grouped(placed, ({ chargePointId = '' }) => chargePointId)
}

async function place(
  { core }: LocationContext,
  location: Location,
  chargePointId: string,
  evses: readonly LocationEvse[],
): Promise<Refusal | undefined> {
  const { accountId, locationId } = location
  const named = evses.map((evse) => ({ uid: evse.uid, ocppEvseId: evse.ocppEvseId, place: placeOf(location, evse) }))
  const input = { kind: 'locationEvsesPlaced', locationId, evses: named, at: location.lastUpdated } as const
  const refusal = refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
  if (refusal?.code !== 'evse_elsewhere') return refusal
  return refuse(409, 'evse_elsewhere', `An EVSE of the charge point ${chargePointId} belongs to another location.`)
}

/** As CDRs show it. */
function placeOf({ locationId, facts }: Location, evse: LocationEvse): PlaceOfEvse {
  const { name, address, city, postalCode, state, country } = facts
  const connectors = evse.connectors.map(({ connectorId, standard, format, powerType }) => {
    return { connectorId, standard, format, powerType }
  })
  const coordinates = evse.coordinates ?? facts.coordinates
  const { uid: evseUid, evseId = '' } = evse
  const at = { locationId, name, address, city, postalCode, state, country, coordinates }
  return { ...at, evseUid, evseId, connectors }
}

function changesOf(before: Location | undefined, after: Location): readonly RecordChange[] {
  const { accountId, locationId, lastUpdated: changedAt } = after
  const [given, names] = [namesOf(before), namesOf(after)]
  const gone = [...given.keys()].filter((name) => !names.has(name))
  const added = [...names].filter(([name, uid]) => given.get(name) !== uid)
  return [
    { kind: 'locations', put: after },
    { kind: 'location_changes', put: { accountId, locationId, changedAt } },
    ...gone.map((name): RecordChange => ({ kind: 'evse_names', remove: { accountId, name } })),
    ...added.map(([name, uid]): RecordChange => ({ kind: 'evse_names', put: { accountId, name, locationId, uid } })),
  ]
}

function namesOf({ evses = [] }: Partial<Location> = {}): ReadonlyMap<string, string> {
  return new Map(evses.flatMap((evse) => evseNames(evse).map(([, name]) => [name, evse.uid] as const)))
}
