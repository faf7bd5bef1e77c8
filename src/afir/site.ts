/**
 * A location as a site of the table, and as one of the status by the same ids (AFIR-A5): its charge points are
 * stations, its EVSEs refill points. Members stand in the order that XML needs (AFIR-A1). Watts, meters and tonnes
 * (AFIR-A6).
 */
import { grouped } from '../domain/grouped.ts'
import { alpha2Of } from '../domain/locations/countries.ts'
import { partyInIds } from '../domain/locations/evse-id.ts'
import type {
  BusinessDetails,
  LocationConnector,
  LocationFacts,
  OpeningTimes,
  ParkingSpace,
} from '../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../domain/locations/shown.ts'
import { minutesOf } from '../domain/tariffs/course.ts'
import { WEEKDAYS } from '../domain/tariffs/elements.ts'
import { type Adhoc, energyPrices, energyRate, recurring } from './rates.ts'
import {
  AUTHENTICATION,
  connectorType,
  dateTime,
  extended,
  idOf,
  languageOf,
  multilingual,
  nuts1,
  OPEN_ALL_HOURS,
  PAYMENT_MEANS,
  present,
  SERVICES,
  SITE_TYPES,
  standardOffset,
  VEHICLES,
  valued,
} from './words.ts'

/** What a location's site needs from elsewhere. */
export interface SiteContext {
  /** Of the account. */
  readonly party?: { readonly countryCode: string; readonly partyId: string } | undefined
  readonly organization: string
  /** What a charge costs who has no contract. */
  readonly adhocOf: (evse: ShownEvse, connector: LocationConnector) => Adhoc | undefined
}

/** @param version moves with what the owner says, not with a status */
export function siteOf(location: ShownLocation, version: string, context: SiteContext): object | undefined {
  const { facts, lastUpdated } = location
  const text = multilingual(languageOf(facts.country))
  const id = siteId(location)
  const operator = facts.operator ?? { name: context.organization }
  const hours = facts.openingTimes && operatingHours(facts.openingTimes, id, version, lastUpdated)
  const people = {
    operator: organization(operator, text, operatorId(location, context)),
    helpdesk: facts.helpPhone && {
      afacAnOrganisation: {
        name: text(operator.name),
        organisationUnit: [{ contactInformation: [{ afacContactInformation: { telephoneNumber: facts.helpPhone } }] }],
      },
    },
  }
  const stations = stationsOf(location, isShown).map(({ stationId, evses }) => {
    const has = new Set(evses.flatMap(({ capabilities = [] }) => capabilities))
    const known = (words: Readonly<Record<string, string>>) => [...has].flatMap((name) => words[name] ?? [])
    const providers = new Set(evses.flatMap(({ acceptedServiceProviders = [] }) => acceptedServiceProviders))
    return {
      idG: stationId,
      versionG: version,
      lastUpdated: dateTime(Math.max(...evses.map((evse) => evse.lastUpdated))),
      operatingHours: hours,
      locationReference: pointLocation(facts, evses[0]?.coordinates ?? facts.coordinates, text),
      ...people,
      totalMaximumPower: evses.reduce((sum, { connectors }) => sum + Math.max(0, ...connectors.map(watts)), 0),
      authenticationAndIdentificationMethods: [
        ...known(AUTHENTICATION),
        ...(evses.some(isPlugAndCharge) ? ['plc'] : []),
      ].map(valued),
      numberOfRefillPoints: evses.length,
      mobilityServiceProvider: [...providers].map((name) => organization({ name }, text)),
      serviceType: [{ serviceType: valued('unattended') }],
      refillPoint: evses.map((evse) => ({
        aegiElectricChargingPoint: chargingPoint(evse, location, version, known(PAYMENT_MEANS), context),
      })),
    }
  })
  if (stations.length === 0) return undefined
  return present({
    idG: id,
    versionG: version,
    name: facts.name && text(facts.name),
    lastUpdated: dateTime(lastUpdated),
    additionalInformation: [facts.accessibility, ...(facts.directions ?? []).map((direction) => direction.text)].map(
      (words) => words && text(words),
    ),
    operatingHours: hours,
    locationReference: pointLocation(facts, facts.coordinates, text),
    owner: facts.owner && organization(facts.owner, text),
    ...people,
    supplementalFacility: facts.facilities?.map((facility) => {
      const named = { idG: idOf('facility', id, facility), versionG: version }
      const type = SERVICES[facility]
      return facility === 'WIFI'
        ? { afacSupplementalEquipment: { ...named, equipmentType: valued('internetWireless') } }
        : type && { afacSupplementalServiceFacility: { ...named, serviceFacilityType: valued(type) } }
    }),
    dedicatedParkingSpaces: facts.parkingPlaces?.map((place) => ({
      idG: idOf('parking', id, place.id),
      versionG: version,
      applicableForVehicles: [vehiclesOf(place)],
      dimension: { length: meters(place.parkingSpaceLength), width: meters(place.parkingSpaceWidth) },
      amenities: { illuminated: place.lighting, roofed: place.roofed },
      numberOfSpaces: 1,
      userSpecific: place.vehicleTypes.includes('DISABLED') ? [valued('personsWithDisabilities')] : undefined,
    })),
    typeOfSite: facts.parkingType && valued(SITE_TYPES[facts.parkingType] ?? 'other'),
    energyInfrastructureStation: stations,
  })
}

function chargingPoint(
  evse: ShownEvse,
  location: ShownLocation,
  version: string,
  paymentMeans: readonly string[],
  context: SiteContext,
): object {
  const { connectors } = evse
  const { energyMix: mix, parkingPlaces = [], country } = location.facts
  const text = multilingual(languageOf(country))
  const impact = (of: string) => mix?.environImpact?.find(({ category }) => category === of)?.amount
  return {
    idG: pointId(location, evse),
    versionG: version,
    lastUpdated: dateTime(evse.lastUpdated),
    externalIdentifier: evse.evseId && [identifier(evse.evseId, 'evseId')],
    applicableForVehicles: parkingPlaces
      .filter(({ id }) => evse.parking?.some(({ parkingId }) => parkingId === id))
      .map(vehiclesOf),
    deliveryUnit: valued('kWh'),
    reservation: evse.capabilities?.includes('RESERVABLE') ? valued('optional') : undefined,
    electricEnergy: [
      {
        energyProductName: mix?.energyProductName && text(mix.energyProductName),
        isGreenEnergy: mix?.isGreenEnergy,
        energyRate: [...ratesOf(location, evse, context)].map(([id, adhoc]) =>
          energyRate(id, adhoc, languageOf(country), paymentMeans),
        ),
        carbonDioxideImpact: impact('CARBON_DIOXIDE'),
        nuclearWasteImpact: impact('NUCLEAR_WASTE'),
      },
    ],
    currentType: valued(connectors.some(({ powerType }) => powerType === 'DC') ? 'dc' : 'ac'),
    usageType: [valued('electricVehicle')],
    vehicleToGridCommunicationType: isPlugAndCharge(evse) ? [valued('iso15118')] : undefined,
    numberOfConnectors: connectors.length,
    availableVoltage: [...new Set(connectors.map(({ maxVoltage }) => maxVoltage))],
    availableChargingPower: [...new Set(connectors.map(watts))],
    smartRechargingServices: isPlugAndCharge(evse) ? [valued('plugAndCharge')] : undefined,
    connector: connectors.map((connector) => {
      const type = connectorType(connector.standard)
      return {
        connectorType: valued(type ?? 'other'),
        otherConnector: type === undefined ? connector.standard : undefined,
        connectorFormat: valued(connector.format === 'SOCKET' ? 'socket' : 'cableMode3'),
        maxPowerAtSocket: watts(connector),
        voltage: connector.maxVoltage,
        maximumCurrent: connector.maxAmperage,
      }
    }),
  }
}

/** What the EVSEs are now, with their prices again. Undefined: it has none of them. */
export function siteStatusOf(
  location: ShownLocation,
  version: string,
  context: SiteContext,
  has: (evse: ShownEvse) => boolean = isShown,
): object | undefined {
  const reference = (idG: string) => ({ targetClass: 'FacilityObject', idG, versionG: version })
  const stations = stationsOf(location, has).map(({ stationId, evses }) => ({
    reference: reference(stationId),
    lastUpdated: dateTime(Math.max(...evses.map(({ lastUpdated }) => lastUpdated))),
    refillPointStatus: evses.map((evse) => ({
      aegiElectricChargingPointStatus: {
        reference: reference(pointId(location, evse)),
        lastUpdated: dateTime(evse.lastUpdated),
        status: valued(evse.status === 'OUTOFORDER' ? 'outOfOrder' : evse.status.toLowerCase()),
        energyRateUpdate: [...(isShown(evse) ? ratesOf(location, evse, context) : [])].map(([idG, adhoc]) => ({
          lastUpdated: dateTime(adhoc.updatedAt),
          energyRateReference: { targetClass: 'EnergyRate', idG },
          energyPrice: energyPrices(adhoc, languageOf(location.facts.country)),
        })),
      },
    })),
  }))
  if (stations.length === 0) return undefined
  return present({
    reference: reference(siteId(location)),
    lastUpdated: dateTime(location.lastUpdated),
    energyInfrastructureStationStatus: stations,
  })
}

interface SiteStatus {
  readonly energyInfrastructureStationStatus: readonly {
    readonly refillPointStatus: readonly { readonly aegiElectricChargingPointStatus: PointStatus }[]
  }[]
}
interface PointStatus {
  readonly lastUpdated: string
  readonly energyRateUpdate?: readonly { readonly lastUpdated: string }[]
}

/** What of a site's status changed then or later: EVSEs and prices. Undefined: nothing. */
export function changedSince(status: SiteStatus, since: number): SiteStatus | undefined {
  const from = dateTime(since)
  const stations = status.energyInfrastructureStationStatus.flatMap((station) => {
    const points = station.refillPointStatus.filter(({ aegiElectricChargingPointStatus: point }) =>
      [point, ...(point.energyRateUpdate ?? [])].some(({ lastUpdated }) => lastUpdated >= from),
    )
    return points.length > 0 ? [{ ...station, refillPointStatus: points }] : []
  })
  return stations.length > 0 ? { ...status, energyInfrastructureStationStatus: stations } : undefined
}

function isShown({ status }: ShownEvse): boolean {
  return status !== 'REMOVED'
}

/** EVSEs of one charge point. The first one names it, also after it was removed: ids stay for ever. */
function stationsOf({ accountId, locationId, evses }: ShownLocation, has: (evse: ShownEvse) => boolean) {
  const found = grouped(evses, ({ chargePointId, uid }) => chargePointId ?? `planned ${uid}`)
  return [...found.values()].flatMap((all) => {
    const shown = all.filter(has)
    const stationId = idOf('station', accountId, locationId, all[0]?.uid ?? '')
    return shown.length > 0 ? [{ stationId, evses: shown }] : []
  })
}

const siteId = ({ accountId, locationId }: ShownLocation): string => idOf('site', accountId, locationId)
const pointId = ({ accountId }: ShownLocation, { uid }: ShownEvse): string => idOf('point', accountId, uid)

/** The rates of an EVSE by their ids, each once. */
export function ratesOf(location: ShownLocation, evse: ShownEvse, { adhocOf }: SiteContext) {
  const found = new Map<string, Adhoc>()
  for (const connector of evse.connectors) {
    const adhoc = adhocOf(evse, connector)
    if (adhoc) found.set(idOf('rate', location.accountId, evse.uid, adhoc.tariff.tariffId), adhoc)
  }
  return found
}

function isPlugAndCharge({ connectors }: ShownEvse): boolean {
  return connectors.some(({ capabilities = [] }) => capabilities.some((name) => name.endsWith('PLUG_AND_CHARGE')))
}

const PHASES: Readonly<Record<string, number>> = { AC_2_PHASE: 2, AC_2_PHASE_SPLIT: 2, AC_3_PHASE: 3 }

/** Required there: what voltage, current and phases come to, unless it was said. */
function watts({ maxElectricPower, maxVoltage, maxAmperage, powerType }: LocationConnector): number {
  return maxElectricPower ?? maxVoltage * maxAmperage * (PHASES[powerType] ?? 1)
}

/** That of the account, else what its EVSE ids begin with. */
function operatorId({ evses }: ShownLocation, context: Pick<SiteContext, 'party'>): string | undefined {
  const party = context.party ?? partyInIds(evses)
  return party && `${party.countryCode}*${party.partyId}`
}

function identifier(value: string, type: string): object {
  return { identifier: value, typeOfIdentifier: extended(type) }
}

type Text = ReturnType<typeof multilingual>

function organization({ name, website }: BusinessDetails, text: Text, id?: string): object {
  return {
    afacAnOrganisation: {
      name: text(name),
      legalName: text(name),
      linkToGeneralInformation: website,
      externalIdentifier: id && [identifier(id, 'operatorId')],
    },
  }
}

function pointLocation(facts: LocationFacts, { latitude, longitude }: LocationFacts['coordinates'], text: Text) {
  const at = { latitude, longitude }
  const nuts = nuts1(facts.country, facts.state)
  return {
    locPointLocation: {
      coordinatesForDisplay: at,
      locLocationExtensionG: {
        FacilityLocation: {
          timeZone: standardOffset(facts.timeZone),
          address: {
            postcode: facts.postalCode,
            city: text(facts.city),
            countryCode: alpha2Of(facts.country),
            addressLine: [{ order: 0, type: valued('street'), text: text(facts.address) }],
          },
          nutsArea: nuts && [{ nutsCodeType: valued('nuts1Code'), nutsCode: nuts }],
        },
      },
      pointByCoordinates: { pointCoordinates: at },
    },
  }
}

function operatingHours(times: OpeningTimes, site: string, version: string, since: number): object {
  const { twentyfourseven, regularHours = [], exceptionalOpenings = [], exceptionalClosings = [] } = times
  const periods = (of: typeof exceptionalOpenings) =>
    of.map(({ periodBegin, periodEnd }) => ({
      startOfPeriod: dateTime(Date.parse(periodBegin)),
      endOfPeriod: dateTime(Date.parse(periodEnd)),
    }))
  if (twentyfourseven && exceptionalClosings.length === 0) return { afacOpenAllHours: OPEN_ALL_HOURS }
  const regular = regularHours.map(({ weekday, periodBegin, periodEnd }) =>
    recurring([[minutesOf(periodBegin), minutesOf(periodEnd) || 1440]], [WEEKDAYS[weekday - 1] ?? 'MONDAY']),
  )
  return {
    afacOperatingHoursSpecification: {
      idG: idOf('hours', site),
      versionG: version,
      overallPeriod: {
        overallStartTime: dateTime(since),
        validPeriod: twentyfourseven ? [] : [...regular, ...periods(exceptionalOpenings)],
        exceptionPeriod: periods(exceptionalClosings),
      },
    },
  }
}

function vehiclesOf(place: ParkingSpace): object {
  const most = (name: string, value: number | undefined, more: object = {}) =>
    value === undefined ? undefined : [{ comparisonOperator: valued('lessThanOrEqualTo'), [name]: value, ...more }]
  const { maxVehicleWeight, vehicleTypes } = place
  return {
    vehicleType: vehicleTypes.map((type) => VEHICLES[type] && valued(VEHICLES[type])),
    grossWeightCharacteristic: most('grossVehicleWeight', maxVehicleWeight && maxVehicleWeight / 1000, {
      typeOfWeight: valued('actual'),
    }),
    heightCharacteristic: most('vehicleHeight', meters(place.maxVehicleHeight)),
    lengthCharacteristic: most('vehicleLength', meters(place.maxVehicleLength)),
    widthCharacteristic: most('vehicleWidth', meters(place.maxVehicleWidth)),
  }
}

function meters(centimeters: number | undefined): number | undefined {
  return centimeters === undefined ? undefined : centimeters / 100
}
