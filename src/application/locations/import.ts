/** Locations from a file: all of them or none, with every fault named (LOCATION-A6). */
import { evseNames } from '../../domain/locations/plan.ts'
import type { Location } from '../../domain/locations/records.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import { chargePointPages } from '../../domain/selector.ts'
import { FileFault } from '../../files/multipart.ts'
import { check } from '../check-schema.ts'
import { inGroups } from '../context.ts'
import {
  type ChangedLocation,
  conflictsOf,
  inLine,
  type LocationContext,
  type PutBody,
  plan,
  refuse409,
  requestedLocation,
  store,
} from './change.ts'
import { csvLocations } from './csv.ts'
import type { FoundLocation } from './found.ts'
import { ocpiLocations } from './ocpi-json.ts'
import { locationParams, PutLocationSchema } from './schemas.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_FAULTS = 1000

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
    let refusal: Refusal | undefined
    await inGroups(
      changed.map((one) => async () => {
        if (refusal) return
        const done = await store(context, one)
        if ('refused' in done) refusal ??= done
      }),
    )
    if (refusal) return refusal
    const created = changed.filter(({ before }) => !before || before.isRemoved).length
    return { created, changed: changed.length - created, unchanged: planned.length - changed.length }
  })
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (cause) {
      throw new FileFault('malformed', 'The file is not valid UTF-8.', cause)
    }
  }
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_BYTES) throw new FileFault('tooLarge', `The file may have at most ${MAX_BYTES} bytes.`)
    yield decode(piece)
  }
  yield decode()
}

async function planAll(
  context: LocationContext,
  accountId: string,
  found: AsyncIterable<FoundLocation>,
): Promise<readonly ChangedLocation[] | Refusal> {
  const chargePoints = new Set<string>()
  for await (const page of chargePointPages(context.reads, accountId)) for (const { id } of page) chargePoints.add(id)
  const faults: Fault[] = []
  const planned: ChangedLocation[] = []
  const names = new Map<string, string>()
  for await (const one of found) {
    if (faults.length >= MAX_FAULTS) break
    const { at } = one
    const read = 'faults' in one ? one : await planOne(context, accountId, one, chargePoints)
    if ('faults' in read) {
      faults.push(...read.faults.map((fault) => ('faults' in one ? fault : { ...fault, pointer: at + fault.pointer })))
      continue
    }
    const { locationId, evses } = read.after
    for (const name of [`location ${locationId}`, ...evses.flatMap(evseNames), ...placesOf(read.after)]) {
      const first = names.get(name)
      if (first === undefined) names.set(name, at)
      else faults.push({ pointer: at, code: 'duplicate_evse', message: `has the ${name} as ${first} has` })
    }
    planned.push(read)
  }
  if (faults.length > 0) return { ...refuseFaults(faults), status: 422 }
  const conflicts = await conflictsOf(
    context,
    planned.map(({ after }) => after),
  )
  return conflicts.length > 0 ? refuse409(conflicts) : planned
}

function placesOf({ evses }: Location): readonly string[] {
  return evses.flatMap(({ chargePointId, ocppEvseId = '' }) =>
    chargePointId === undefined ? [] : [`charge point ${chargePointId} ${ocppEvseId}`.trim()],
  )
}

async function planOne(
  context: LocationContext,
  accountId: string,
  { id, body, keepsPlaces }: Extract<FoundLocation, { readonly body: object }>,
  chargePoints: ReadonlySet<string>,
): Promise<ChangedLocation | { readonly faults: readonly Fault[] }> {
  const named = check(locationParams, { location: id })
  if (!named.ok) return { faults: named.faults.map((fault) => ({ ...fault, pointer: '/id' })) }
  const checked = check(PutLocationSchema, JSON.parse(JSON.stringify(body)))
  if (!checked.ok) return { faults: checked.faults }
  const locationId = named.value.location
  const before = await context.reads.getRecord('locations', { accountId, locationId })
  const requested = requestedLocation(checked.value as PutBody)
  const known = new Map(before?.evses.map((evse) => [evse.uid, evse]))
  const whole = keepsPlaces
    ? {
        ...requested,
        accessibility: before?.facts.accessibility,
        evses: requested.evses.map((evse) => {
          const { chargePointId, ocppEvseId } = known.get(evse.uid ?? '') ?? {}
          return { ...evse, chargePointId, ocppEvseId }
        }),
      }
    : requested
  const after = await plan(context, accountId, locationId, whole, before, (one) => chargePoints.has(one))
  return 'faults' in after ? after : { before, after }
}
