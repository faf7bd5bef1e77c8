/** Sender of Locations (OCPI-A2): what changed, in pages, and each location, EVSE and connector by itself. */
import { locationsChanged, shownLocations } from '../../application/locations/show.ts'
import type { ShownLocation } from '../../domain/locations/shown.ts'
import { connectorIn, evseIn, type LocationContext, locationIn } from '../../domain/partners/ocpi-location.ts'
import type { Party } from '../../domain/partners/ocpi-versions.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { tariffsAt } from '../../domain/tariffs/places.ts'
import { missing, type OcpiAnswer, type OcpiModule, type OcpiRequest, UNKNOWN_LOCATION } from '../wire/module.ts'
import { MAX_COUNT, pageOf } from '../wire/pages.ts'

/** Locations are large: some have hundreds of EVSEs. */
const MAX_PAGE = 100

export const locationsModule: OcpiModule = {
  identifier: 'locations',
  role: 'SENDER',
  routes: [
    { method: 'GET', path: '', handle: listLocations },
    { method: 'GET', path: '/{location}', handle: getLocation },
    { method: 'GET', path: '/{location}/{evse}', handle: getEvse },
    { method: 'GET', path: '/{location}/{evse}/{connector}', handle: getConnector },
  ],
}

/** Their connectors name the tariffs that price a charge there. */
export async function locationContext(
  reads: Pick<Reads, 'listTariffs'>,
  accountId: string,
  party: Party,
): Promise<LocationContext> {
  const pricing = tariffsAt(await reads.listTariffs(accountId))
  return { party, tariffIdsOf: (evse, connector) => pricing(evse, connector).map(({ tariffId }) => tariffId) }
}

function listLocations(request: OcpiRequest): Promise<OcpiAnswer> {
  const { context, version, party } = request
  const { reads } = context
  const { accountId } = party
  return pageOf<ShownLocation>(request, {
    most: MAX_PAGE,
    count: (span) =>
      reads.countRecords('location_changes', { where: { accountId, changedAt: { ...span } }, limit: MAX_COUNT }),
    rows: (span, limit, after) => locationsChanged(reads, accountId, span, limit, after),
    id: ({ locationId }) => locationId,
    async show(locations) {
      const spelling = await locationContext(reads, accountId, party)
      return locations.map((location) => locationIn(version, location, spelling))
    },
  })
}

const UNKNOWN = missing(UNKNOWN_LOCATION, 'There is no such location, EVSE or connector of ours.')

async function find({ context, party, params }: OcpiRequest) {
  const { accountId } = party
  const found = await context.reads.getRecord('locations', { accountId, locationId: params.location ?? '' })
  const [location] = found ? await shownLocations(context.reads, [found]) : []
  const evse = location?.evses.find(({ uid }) => uid === params.evse)
  return { location, evse, spelling: await locationContext(context.reads, accountId, party) }
}

async function getLocation(request: OcpiRequest): Promise<OcpiAnswer> {
  const { location, spelling } = await find(request)
  return location ? { data: locationIn(request.version, location, spelling) } : UNKNOWN
}

async function getEvse(request: OcpiRequest): Promise<OcpiAnswer> {
  const { location, evse, spelling } = await find(request)
  const data = location && evse && evseIn(request.version, location, evse, spelling)
  return data ? { data } : UNKNOWN
}

async function getConnector(request: OcpiRequest): Promise<OcpiAnswer> {
  const { evse, spelling } = await find(request)
  const connector = evse?.connectors.find(({ connectorId }) => connectorId === request.params.connector)
  const data = evse && connector && connectorIn(request.version, evse, connector, spelling)
  return data ? { data } : UNKNOWN
}
