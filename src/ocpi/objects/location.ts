/** A location with its EVSEs and connectors as OCPI has it (LOCATION-A5, LOCATION-A6). */
import type {
  EnergyMix,
  LocationConnector,
  LocationEvse,
  OpeningTimes,
  ParkingPlace,
} from '../../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../../domain/locations/shown.ts'
import type { OcpiVersion } from '../../domain/partners/records.ts'
import { decimal, isKnown, present, rounded, spelled } from '../versions.ts'
import { businessDetails, cut, displayTexts, filled, geoLocation, owner, type Party, time } from './words.ts'

export interface LocationContext {
  readonly party: Party
  /** Those that price a charge at this connector; its own unless given. */
  readonly tariffIdsOf?: ((evse: LocationEvse, connector: LocationConnector) => readonly string[]) | undefined
}

export function locationIn(version: OcpiVersion, location: ShownLocation, context: LocationContext) {
  const { facts } = location
  return spelled(version, 'location', {
    ...owner(context.party),
    id: location.locationId,
    publish: location.publish,
    name: cut(facts.name, 255),
    address: cut(facts.address, 255),
    city: cut(facts.city, 45),
    postal_code: cut(facts.postalCode, 10),
    state: cut(facts.state, 45),
    country: facts.country,
    coordinates: geoLocation(facts.coordinates),
    parking_type: facts.parkingType,
    evses: filled(location.evses.flatMap((evse) => evseIn(version, location, evse, context) ?? [])),
    parking_places: filled(facts.parkingPlaces?.map(parkingPlace)),
    help_phone: cut(facts.helpPhone, 25),
    directions: displayTexts(facts.directions),
    operator: businessDetails(facts.operator),
    suboperator: businessDetails(facts.suboperator),
    owner: businessDetails(facts.owner),
    facilities: filled(facts.facilities),
    time_zone: facts.timeZone,
    opening_times: facts.openingTimes && openingTimes(facts.openingTimes),
    charging_when_closed: facts.chargingWhenClosed,
    energy_mix: facts.energyMix && energyMix(facts.energyMix),
    last_updated: time(location.lastUpdated),
  })
}

/** Undefined: the version knows none of its connectors, and an EVSE needs one. */
export function evseIn(version: OcpiVersion, location: ShownLocation, evse: ShownEvse, context: LocationContext) {
  const connectors = evse.connectors.flatMap((connector) => connectorIn(version, evse, connector, context) ?? [])
  if (connectors.length === 0) return undefined
  return spelled(version, 'evse', {
    uid: evse.uid,
    evse_id: cut(evse.evseId, 48),
    status: location.isRemoved ? 'REMOVED' : evse.status,
    capabilities: filled(evse.capabilities),
    connectors,
    floor_level: cut(evse.floorLevel, 4),
    coordinates: evse.coordinates && geoLocation(evse.coordinates),
    physical_reference: cut(evse.physicalReference, 16),
    directions: displayTexts(evse.directions),
    parking_restrictions: filled(
      evse.parkingRestrictions?.filter((value) => isKnown(version, 'ParkingRestriction', value)),
    ),
    parking: filled(
      evse.parking?.map(({ parkingId, evsePosition }) =>
        present({ parking_id: parkingId, evse_position: evsePosition }),
      ),
    ),
    accepted_service_providers: filled(evse.acceptedServiceProviders?.map((name) => cut(name, 50))),
    last_updated: time(evse.lastUpdated),
  })
}

/** Undefined: the version does not know its standard. */
export function connectorIn(
  version: OcpiVersion,
  evse: LocationEvse,
  connector: LocationConnector,
  { tariffIdsOf = (_, { tariffIds = [] }) => tariffIds }: Pick<LocationContext, 'tariffIdsOf'>,
) {
  if (!isKnown(version, 'ConnectorType', connector.standard)) return undefined
  return spelled(version, 'connector', {
    id: connector.connectorId,
    standard: connector.standard,
    format: connector.format,
    power_type: connector.powerType,
    max_voltage: Math.round(connector.maxVoltage),
    max_amperage: Math.round(connector.maxAmperage),
    max_electric_power: connector.maxElectricPower && Math.round(connector.maxElectricPower),
    tariff_ids: filled(tariffIdsOf(evse, connector)),
    terms_and_conditions: connector.termsAndConditions,
    capabilities: filled(connector.capabilities),
    last_updated: time(connector.lastUpdated),
  })
}

function openingTimes({ twentyfourseven, regularHours, exceptionalOpenings, exceptionalClosings }: OpeningTimes) {
  const exceptions = (periods: OpeningTimes['exceptionalOpenings']) =>
    filled(
      periods?.map(({ periodBegin, periodEnd }) => ({ period_begin: time(periodBegin), period_end: time(periodEnd) })),
    )
  return present({
    twentyfourseven,
    regular_hours: twentyfourseven
      ? undefined
      : filled(
          regularHours?.map(({ weekday, periodBegin, periodEnd }) => ({
            weekday,
            period_begin: periodBegin,
            // Later than the beginning, and there is no 24:00.
            period_end: periodEnd === '24:00' ? '23:59' : periodEnd,
          })),
        ),
    exceptional_openings: exceptions(exceptionalOpenings),
    exceptional_closings: exceptions(exceptionalClosings),
  })
}

function energyMix({ isGreenEnergy, energySources, environImpact, supplierName, energyProductName }: EnergyMix) {
  return present({
    is_green_energy: isGreenEnergy,
    energy_sources: filled(
      energySources?.map(({ source, percentage }) => ({ source, percentage: decimal(percentage) })),
    ),
    environ_impact: filled(environImpact?.map(({ category, amount }) => ({ category, amount: decimal(amount) }))),
    supplier_name: cut(supplierName, 64),
    energy_product_name: cut(energyProductName, 64),
  })
}

function parkingPlace(place: ParkingPlace) {
  return present({
    id: place.id,
    physical_reference: cut(place.physicalReference, 12),
    vehicle_types: place.vehicleTypes,
    max_vehicle_weight: rounded(place.maxVehicleWeight),
    max_vehicle_height: rounded(place.maxVehicleHeight),
    max_vehicle_length: rounded(place.maxVehicleLength),
    max_vehicle_width: rounded(place.maxVehicleWidth),
    parking_space_length: rounded(place.parkingSpaceLength),
    parking_space_width: rounded(place.parkingSpaceWidth),
    dangerous_goods_allowed: place.dangerousGoodsAllowed,
    direction: place.direction,
    drive_through: place.driveThrough,
    restricted_to_type: place.restrictedToType,
    reservation_required: place.reservationRequired,
    time_limit: rounded(place.timeLimit),
    roofed: place.roofed,
    lighting: place.lighting,
    refrigeration_outlet: place.refrigerationOutlet,
    standards: filled(place.standards?.map((name) => cut(name, 36))),
    apds_reference: cut(place.apdsReference, 36),
  })
}
