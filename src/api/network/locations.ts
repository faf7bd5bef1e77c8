/** `/2/locations` (LOCATION-A1 to LOCATION-A4). */
import { changeLocation, type PutBody, putLocation, removeLocation } from '../../application/locations/change.ts'
import { exportLocations } from '../../application/locations/export.ts'
import { importLocations } from '../../application/locations/import.ts'
import {
  ChangeLocationSchema,
  ImportedLocationsSchema,
  LocationListSchema,
  LocationSchema,
  locationParams,
  locationQuery,
  PutLocationSchema,
  transferQuery,
} from '../../application/locations/schemas.ts'
import { fitsSearch, representLocation, shownLocations } from '../../application/locations/show.ts'
import type { Location } from '../../domain/locations/records.ts'
import { bodyPieces } from '../../files/store.ts'
import { type Principal, sharedChargePoints, withheldFrom } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { problemOfFile } from '../file-answer.ts'
import { recordPage, resource } from '../resource.ts'
import { fileHeaders, notFound, orRefused } from '../respond.ts'
import { streamed } from '../streamed.ts'

const COMMON = { tag: 'Locations', path: '/2/locations' } as const

export function addLocations(api: Api): void {
  const { reads } = api
  const show = async (all: readonly Location[]) => (await shownLocations(reads, all)).map(representLocation)
  resource(api, COMMON).get('', 'listLocations', 'List locations, by id', {
    description: 'An application reads those with charge points of its share, and of their EVSEs those alone.',
    query: locationQuery,
    ok: [LocationListSchema, 'A page of locations'],
    handle: async (request) => {
      const seen = await seenBy(api, request.principal)
      return recordPage(api, request, {
        name: 'locations',
        kind: 'locations',
        fits: (one) => fitsSearch(one, request.query) && seen(one).length > 0,
        show: (rows) => show(rows.flatMap(seen)),
      })
    },
  })
  addTransfers(api)
  const location = resource(api, { ...COMMON, path: `${COMMON.path}/{location}`, params: locationParams })
  const shown = async (principal: Principal, locationId: string): Promise<object> => {
    const found = await reads.getRecord('locations', { accountId: principal.accountId, locationId })
    const [one] = await show(found ? (await seenBy(api, principal))(found) : [])
    if (!one) throw notFound('location')
    return one
  }
  location.put('', 'putLocation', 'Create or replace a location', {
    description:
      'An EVSE that is there already keeps its uid: it is found by it, else by its EVSE id, else by its charge point. What is left out stays as REMOVED. The status of an EVSE follows from its charge point and is only read.',
    body: PutLocationSchema,
    problems: [409, 422],
    replaced: [LocationSchema],
    async handle({ principal, params, body }) {
      const { before } = orRefused(await putLocation(api, principal.accountId, params.location, body as PutBody))
      const isThere = before && !before.isRemoved
      return { before: isThere, shown: await shown(principal, params.location) }
    },
  })
  location.get('', 'getLocation', 'Get a location', {
    ok: [LocationSchema, 'The location'],
    handle: ({ principal, params }) => shown(principal, params.location),
  })
  location.patch('', 'changeLocation', 'Change a location', {
    description: 'A member replaces the one that is there, `evses` all of them; null removes an optional one.',
    body: ChangeLocationSchema,
    problems: [409, 422],
    ok: [LocationSchema, 'The location'],
    async handle({ principal, params, sent }) {
      orRefused(await changeLocation(api, principal.accountId, params.location, sent as object))
      return shown(principal, params.location)
    },
  })
  location.delete('', 'deleteLocation', 'Delete a location', {
    description: 'Partners and feeds see its EVSEs as REMOVED from then on; its charge points stay.',
    done: 'Deleted',
    handle: ({ principal, params }) => removeLocation(api, principal.accountId, params.location),
  })
}

function addTransfers(api: Api): void {
  const { reads, log } = api
  const all = resource(api, COMMON)
  all.get('/export', 'exportLocations', 'Export locations as CSV or as JSON of OCPI', {
    description: 'All that are not deleted. What was exported as CSV and imported again changes nothing.',
    query: transferQuery,
    produces: MEDIA,
    responses: {
      200: {
        description: 'All locations',
        content: { 'text/csv': { schema: { type: 'string' } }, 'application/json': { schema: { type: 'array' } } },
      },
    },
    async handle({ principal, query: { format }, context }) {
      const chunks = exportLocations(reads, principal.accountId, format, await seenBy(api, principal))
      const headers =
        format === 'csv' ? fileHeaders('locations.csv') : fileHeaders('locations.json', 'application/json')
      return streamed({ context, log, chunks, headers })
    },
  })
  all.post('/import', 'importLocations', 'Import locations from CSV or from JSON of OCPI', {
    description:
      'The body is the file, up to 64 MiB. Each location of it is put as by PUT, others stay. With any fault nothing is taken, and each is named by its line (`/csv/{line}`) or its place in the list. A file of OCPI names no charge points: an EVSE with a known uid keeps its own.',
    query: transferQuery,
    streams: MEDIA,
    problems: [409, 422],
    ok: [ImportedLocationsSchema, 'How many were made and changed'],
    async handle({ principal, query: { format }, context }) {
      try {
        const pieces = bodyPieces(context.req.raw.body, api.after)
        return orRefused(await importLocations(api, principal.accountId, format, pieces))
      } catch (error) {
        throw problemOfFile(error)
      }
    },
  })
}

const MEDIA = ['text/csv', 'application/json']

/** As the caller sees a location; none: it is removed, or has no EVSE of an application's share (OIDC-C8). */
type Seen = (location: Location) => readonly Location[]

async function seenBy({ reads }: Api, principal: Principal): Promise<Seen> {
  if (principal.kind === 'credential') return (location) => (location.isRemoved ? [] : [location])
  const shared = sharedChargePoints(principal)
  const withheld = shared ? undefined : await withheldFrom(reads, principal)
  const sees = (id: string): boolean => (withheld ? !withheld.has(id) : (shared?.includes(id) ?? false))
  return (location) => {
    const evses = location.evses.filter(({ chargePointId }) => chargePointId !== undefined && sees(chargePointId))
    return evses.length > 0 ? [{ ...location, evses }] : []
  }
}
