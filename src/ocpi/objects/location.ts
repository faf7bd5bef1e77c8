/** A location with its EVSEs and connectors as a version of OCPI has it (LOCATION-A5, LOCATION-A7). */
import { toOcpi } from '../../domain/locations/ocpi-names.ts'
import type { LocationConnector, LocationEvse } from '../../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../../domain/locations/shown.ts'
import type { OcpiVersion } from '../../domain/partners/records.ts'
import { isKnown, spelled } from '../versions.ts'
import { filled, owner, type Party } from './words.ts'

export interface LocationContext {
  readonly party: Party
  /** Those that price a charge at this connector; its own unless given. */
  readonly tariffIdsOf?: ((evse: LocationEvse, connector: LocationConnector) => readonly string[]) | undefined
}

export function locationIn(version: OcpiVersion, location: ShownLocation, context: LocationContext) {
  const evses = location.evses.flatMap((evse) => evseIn(version, location, evse, context) ?? [])
  const members = toOcpi({ ...location.facts, ...location, evses: [] }) as object
  return spelled(version, 'location', { ...owner(context.party), ...members, evses: filled(evses) })
}

/** Undefined: the version knows none of its connectors, and an EVSE needs one. */
export function evseIn(version: OcpiVersion, location: ShownLocation, evse: ShownEvse, context: LocationContext) {
  const connectors = evse.connectors.flatMap((connector) => connectorIn(version, evse, connector, context) ?? [])
  if (connectors.length === 0) return undefined
  const status = location.isRemoved ? 'REMOVED' : evse.status
  const parkingRestrictions = evse.parkingRestrictions?.filter((value) => isKnown(version, 'ParkingRestriction', value))
  return spelled(version, 'evse', { ...(toOcpi({ ...evse, status, parkingRestrictions }) as object), connectors })
}

/** Undefined: the version does not know its standard. */
export function connectorIn(
  version: OcpiVersion,
  evse: LocationEvse,
  connector: LocationConnector,
  { tariffIdsOf = (_, { tariffIds = [] }) => tariffIds }: Pick<LocationContext, 'tariffIdsOf'>,
) {
  if (!isKnown(version, 'ConnectorType', connector.standard)) return undefined
  return spelled(version, 'connector', toOcpi({ ...connector, tariffIds: tariffIdsOf(evse, connector) }) as object)
}
