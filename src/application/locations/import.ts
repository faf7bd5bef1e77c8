/** Locations from a file: all of them or none, with every fault named (LOCATION-A6). */
import { duplicateFaults } from '../../domain/locations/plan.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { check } from '../check-schema.ts'
import { inGroups } from '../context.ts'
import {
  type ChangedLocation,
  conflictsOf,
  inLine,
  type LocationContext,
  type PutBody,
  plan,
  refusal,
  requestedLocation,
  store,
} from './change.ts'
import { csvLocations } from './csv.ts'
import { ocpiLocations } from './ocpi-json.ts'
import { type FoundLocation, textOf } from './read-file.ts'
import { locationParams, PutLocationSchema } from './schemas.ts'

const MAX_FAULTS = 1000
/** Locations and EVSEs: what memory holds, twice a large network. */
const MAX_PLANNED = 200_000

interface PlannedLocation extends ChangedLocation {
  /** Its place in the file. */
  readonly at: string
}

/** @throws FileFault for a file that is too large or no UTF-8 */
export function importLocations(
  context: LocationContext,
  accountId: string,
  format: 'csv' | 'ocpi',
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly created: number; readonly changed: number; readonly unchanged: number } | Refusal> {
  return inLine(accountId, async () => {
    const found = { csv: csvLocations, ocpi: ocpiLocations }[format](textOf(bytes))
    const planned = await planAll(context, accountId, found)
    if ('refused' in planned) return planned
    const changed = planned.filter(({ before, after }) => before !== after)
    let refused: Refusal | undefined
    await inGroups(
      changed.map((one) => async () => {
        const done = refused ?? (await store(context, one))
        if ('refused' in done) refused = done
      }),
    )
    if (refused) return refused
    const created = changed.filter(({ before }) => !before || before.isRemoved).length
    return { created, changed: changed.length - created, unchanged: planned.length - changed.length }
  })
}

async function planAll(
  context: LocationContext,
  accountId: string,
  found: AsyncIterable<FoundLocation>,
): Promise<readonly ChangedLocation[] | Refusal> {
  const faults: Fault[] = []
  const planned: PlannedLocation[] = []
  const places = new Map<string, string>()
  let size = 0
  for await (const one of found) {
    if (faults.length >= MAX_FAULTS) break
    const read = 'faults' in one ? one : await planOne(context, accountId, one)
    if ('faults' in read) {
      faults.push(...read.faults.slice(0, MAX_FAULTS))
      continue
    }
    const { locationId } = read.after
    size += 1 + read.after.evses.length
    if (size > MAX_PLANNED) {
      const message = `is behind ${MAX_PLANNED} locations and EVSEs: divide the file`
      return refusal(422, [{ pointer: read.at, code: 'out_of_range', message }])
    }
    const first = places.get(locationId)
    if (first !== undefined) {
      faults.push({ pointer: `${read.at}/id`, code: 'duplicate_location', message: `is that of ${first} as well` })
    }
    places.set(locationId, read.at)
    planned.push(read)
  }
  const evses = planned.flatMap(({ after: { evses }, at }) =>
    evses.map((evse, within) => ({ pointer: `${at}/evses/${within}`, evse })),
  )
  faults.push(...duplicateFaults(evses).slice(0, MAX_FAULTS))
  if (faults.length > 0) return refusal(422, faults)
  const conflicts = await conflictsOf(context, planned)
  return conflicts.length > 0 ? refusal(409, conflicts) : planned
}

async function planOne(
  context: LocationContext,
  accountId: string,
  { at, id, body, keepsPlaces }: Extract<FoundLocation, { readonly body: object }>,
): Promise<PlannedLocation | { readonly faults: readonly Fault[] }> {
  const placed = (faults: readonly Fault[], member = '') => ({
    faults: faults.map((fault) => ({ ...fault, pointer: at + (member || fault.pointer) })),
  })
  const named = check(locationParams, { location: id })
  if (!named.ok) return placed(named.faults, '/id')
  const checked = check(PutLocationSchema, body)
  if (!checked.ok) return placed(checked.faults)
  const locationId = named.value.location
  const before = await context.reads.getRecord('locations', { accountId, locationId })
  const requested = requestedLocation(checked.value as PutBody)
  const known = new Map(before?.evses.map((evse) => [evse.uid, evse]))
  const evses = requested.evses.map((evse) => {
    const { chargePointId, ocppEvseId } = known.get(evse.uid ?? '') ?? {}
    return { ...evse, chargePointId, ocppEvseId }
  })
  const kept = keepsPlaces && { accessibility: before?.facts.accessibility, evses }
  const after = await plan(context, accountId, locationId, { ...requested, ...kept }, before)
  return 'faults' in after ? placed(after.faults) : { at, before, after }
}
