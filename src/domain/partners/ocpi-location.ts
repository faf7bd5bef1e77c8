/** A location with its EVSEs and connectors as OCPI has it (LOCATION-A5, LOCATION-A7): our members have its names. */
import type { LocationConnector, LocationEvse, OpeningTimes } from '../locations/records.ts'
import type { ShownEvse, ShownLocation } from '../locations/shown.ts'
import { isKnown, type Party, spelled } from './ocpi-versions.ts'
import type { OcpiVersion } from './records.ts'

export interface LocationContext {
  /** Absent: in a file of an account that has none. */
  readonly party?: Party | undefined
  /** Those that price a charge at this connector; its own unless given. */
  readonly tariffIdsOf?: ((evse: LocationEvse, connector: LocationConnector) => readonly string[]) | undefined
}

export function locationIn(version: OcpiVersion, location: ShownLocation, context: LocationContext) {
  const { locationId, publish, lastUpdated } = location
  const { accessibility: _, openingTimes, ...facts } = location.facts
  const { countryCode, partyId } = context.party ?? {}
  return spelled(version, {
    countryCode,
    partyId,
    id: locationId,
    publish,
    ...facts,
    openingTimes: openingTimes && hoursOf(openingTimes),
    evses: location.evses.flatMap((evse) => evseOf(version, location, evse, context) ?? []),
    lastUpdated,
  })
}

/** Undefined: the version knows none of its connectors, and an EVSE needs one. */
export function evseIn(version: OcpiVersion, location: ShownLocation, evse: ShownEvse, context: LocationContext) {
  const found = evseOf(version, location, evse, context)
  return found && spelled(version, found, 'evses')
}

/** Undefined: the version does not know its standard. */
export function connectorIn(
  version: OcpiVersion,
  evse: LocationEvse,
  connector: LocationConnector,
  context: LocationContext,
) {
  const found = connectorOf(version, evse, connector, context)
  return found && spelled(version, found, 'connectors')
}

function evseOf(version: OcpiVersion, location: ShownLocation, evse: ShownEvse, context: LocationContext) {
  const { chargePointId: _, ocppEvseId: __, isRemoved: ___, parkingRestrictions = [], ...members } = evse
  const connectors = evse.connectors.flatMap((one) => connectorOf(version, evse, one, context) ?? [])
  return connectors.length === 0
    ? undefined
    : {
        ...members,
        status: location.isRemoved ? 'REMOVED' : evse.status,
        connectors,
        parkingRestrictions: parkingRestrictions.filter((value) => isKnown(version, 'ParkingRestriction', value)),
      }
}

function connectorOf(
  version: OcpiVersion,
  evse: LocationEvse,
  { connectorId, ...connector }: LocationConnector,
  { tariffIdsOf = (_, { tariffIds = [] }) => tariffIds }: LocationContext,
) {
  if (!isKnown(version, 'ConnectorType', connector.standard)) return undefined
  return { id: connectorId, ...connector, tariffIds: tariffIdsOf(evse, { connectorId, ...connector }) }
}

function hoursOf({ regularHours = [], ...times }: OpeningTimes) {
  // Later than the beginning, and there is no 24:00.
  const hours = regularHours.map((one) => (one.periodEnd === '24:00' ? { ...one, periodEnd: '23:59' } : one))
  return { ...times, regularHours: times.twentyfourseven ? [] : hours }
}
