/**
 * A location as a site of the table: its charge points are stations, its EVSEs refill points (AFIR-A1). Watts, meters
 * and tonnes (AFIR-A6). Removed EVSEs are in no table.
 */
import { alpha2Of } from '../domain/locations/countries.ts'
import type {
  BusinessDetails,
  EvseStatus,
  LocationConnector,
  LocationFacts,
  OpeningTimes,
  ParkingPlace,
} from '../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../domain/locations/shown.ts'
import { type Adhoc, energyRate, recurring } from './rates.ts'
import {
  AUTHENTICATION,
  connectorType,
  dateTime,
  extended,
  idOf,
  languageOf,
  multilingual,
  nuts1,
  PAYMENT_MEANS,
  present,
  SERVICES,
  SITE_TYPES,
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

/** EVSEs of one charge point. The first one names it, also after it was removed: ids stay for ever (AFIR-A5). */
export interface Station {
  readonly id: string
  readonly evses: readonly ShownEvse[]
}

export function stationsOf({ accountId, locationId, evses }: ShownLocation): readonly Station[] {
  const found = new Map<string, ShownEvse[]>()
  for (const evse of evses) {
    const name = evse.chargePointId ?? `planned ${evse.uid}`
    found.set(name, [...(found.get(name) ?? []), evse])
  }
  return [...found.values()].map((all) => ({
    id: idOf('station', accountId, locationId, all[0]?.uid ?? ''),
    evses: all,
  }))
}

export const siteId = ({ accountId, locationId }: ShownLocation): string => idOf('site', accountId, locationId)
export const pointId = ({ accountId }: ShownLocation, { uid }: ShownEvse): string => idOf('point', accountId, uid)

/** The rates of an EVSE by their ids, each once. */
export function ratesOf(location: ShownLocation, evse: ShownEvse, { adhocOf }: SiteContext) {
  const found = new Map<string, Adhoc>()
  for (const connector of evse.connectors) {
    const adhoc = adhocOf(evse, connector)
    if (adhoc) found.set(idOf('rate', location.accountId, evse.uid, adhoc.tariff.tariffId), adhoc)
  }
  return found
}

export function siteOf(location: ShownLocation, version: string, context: SiteContext): object | undefined {
  const { facts, lastUpdated } = location
  const lang = languageOf(facts.country)
  const text = (value: string | undefined) => (value === undefined ? undefined : multilingual(lang, value))
  const id = siteId(location)
  const common = {
    operatingHours: facts.openingTimes && operatingHours(facts.openingTimes, id, version, lastUpdated),
    operator: organization(facts.operator ?? { name: context.organization }, lang, operatorId(location, context)),
    helpdesk: facts.helpPhone && helpdesk(facts, context, lang),
  }
  const stations = stationsOf(location).flatMap((station) => {
    const shown = station.evses.filter(({ status }) => isShown(status))
    return shown.length > 0 ? [stationOf({ ...station, evses: shown }, location, version, common, context)] : []
  })
  if (stations.length === 0) return undefined
  const words = [facts.accessibility, ...(facts.directions ?? []).map((direction) => direction.text)]
  return present({
    idG: id,
    versionG: version,
    name: text(facts.name),
    lastUpdated: dateTime(lastUpdated),
    additionalInformation: words.flatMap((value) => text(value) ?? []),
    typeOfSite: facts.parkingType && valued(SITE_TYPES[facts.parkingType] ?? 'other'),
    locationReference: pointLocation(facts, facts.coordinates, lang),
    owner: facts.owner && organization(facts.owner, lang),
    ...common,
    supplementalFacility: (facts.facilities ?? []).flatMap((facility): readonly object[] => {
      const type = SERVICES[facility]
      const named = { idG: idOf('facility', id, facility), versionG: version }
      if (facility === 'WIFI') {
        return [{ afacSupplementalEquipment: { ...named, equipmentType: valued('internetWireless') } }]
      }
      return type ? [{ afacSupplementalServiceFacility: { ...named, serviceFacilityType: valued(type) } }] : []
    }),
    dedicatedParkingSpaces: (facts.parkingPlaces ?? []).map((place) => parkingSpaces(place, id, version)),
    energyInfrastructureStation: stations,
  })
}

export function isShown(status: EvseStatus): boolean {
  return status !== 'REMOVED'
}

function stationOf(
  { id, evses }: Station,
  location: ShownLocation,
  version: string,
  common: object,
  context: SiteContext,
): object {
  const { facts } = location
  const lang = languageOf(facts.country)
  const has = new Set(evses.flatMap(({ capabilities = [] }) => capabilities))
  const known = (words: Readonly<Record<string, string>>) => [...has].flatMap((name) => words[name] ?? [])
  const providers = new Set(evses.flatMap(({ acceptedServiceProviders = [] }) => acceptedServiceProviders))
  const methods = [...known(AUTHENTICATION), ...(evses.some(isPlugAndCharge) ? ['plc'] : [])]
  return present({
    idG: id,
    versionG: version,
    lastUpdated: dateTime(Math.max(...evses.map(({ lastUpdated }) => lastUpdated))),
    locationReference: pointLocation(facts, evses[0]?.coordinates ?? facts.coordinates, lang),
    ...common,
    totalMaximumPower: evses.reduce((sum, { connectors }) => sum + Math.max(0, ...connectors.map(watts)), 0),
    authenticationAndIdentificationMethods: methods.map(valued),
    numberOfRefillPoints: evses.length,
    mobilityServiceProvider: [...providers].map((name) => organization({ name }, lang)),
    serviceType: [{ serviceType: valued('unattended') }],
    refillPoint: evses.map((evse) => ({
      aegiElectricChargingPoint: chargingPoint(evse, location, version, known(PAYMENT_MEANS), context),
    })),
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
  const lang = languageOf(location.facts.country)
  const mix = location.facts.energyMix
  const impact = (of: string) => mix?.environImpact?.find(({ category }) => category === of)?.amount
  const vehicles = (location.facts.parkingPlaces ?? []).filter(({ id }) =>
    evse.parking?.some(({ parkingId }) => parkingId === id),
  )
  return present({
    idG: pointId(location, evse),
    versionG: version,
    lastUpdated: dateTime(evse.lastUpdated),
    externalIdentifier: evse.evseId === undefined ? undefined : [identifier(evse.evseId, 'evseId')],
    deliveryUnit: valued('kWh'),
    reservation: evse.capabilities?.includes('RESERVABLE') ? valued('optional') : undefined,
    currentType: valued(connectors.some(({ powerType }) => powerType === 'DC') ? 'dc' : 'ac'),
    usageType: [valued('electricVehicle')],
    vehicleToGridCommunicationType: isPlugAndCharge(evse) ? [valued('iso15118')] : undefined,
    numberOfConnectors: connectors.length,
    availableVoltage: [...new Set(connectors.map(({ maxVoltage }) => maxVoltage))],
    availableChargingPower: [...new Set(connectors.map(watts))],
    smartRechargingServices: isPlugAndCharge(evse) ? [valued('plugAndCharge')] : undefined,
    applicableForVehicles: vehicles.map(vehiclesOf),
    connector: connectors.map((connector) => {
      const type = connectorType(connector.standard)
      return present({
        connectorType: valued(type ?? 'other'),
        otherConnector: type === undefined ? connector.standard : undefined,
        connectorFormat: valued(connector.format === 'SOCKET' ? 'socket' : 'cableMode3'),
        maxPowerAtSocket: watts(connector),
        voltage: connector.maxVoltage,
        maximumCurrent: connector.maxAmperage,
      })
    }),
    electricEnergy: [
      present({
        energyProductName: mix?.energyProductName && multilingual(lang, mix.energyProductName),
        isGreenEnergy: mix?.isGreenEnergy,
        carbonDioxideImpact: impact('CARBON_DIOXIDE'),
        nuclearWasteImpact: impact('NUCLEAR_WASTE'),
        energyRate: [...ratesOf(location, evse, context)].map(([id, adhoc]) =>
          energyRate(id, adhoc, lang, paymentMeans),
        ),
      }),
    ].filter((energy) => Object.keys(energy).length > 0),
  })
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
function operatorId({ evses }: ShownLocation, { party }: SiteContext): string | undefined {
  if (party) return `${party.countryCode}*${party.partyId}`
  const found = evses.map(({ evseId = '' }) => /^([A-Z]{2})\*?([A-Z0-9]{3})\*?E/i.exec(evseId)).find(Boolean)
  return found ? `${found[1]}*${found[2]}`.toUpperCase() : undefined
}

function identifier(value: string, type: string): object {
  return { identifier: value, typeOfIdentifier: extended(type) }
}

function organization({ name, website }: BusinessDetails, lang: string, id?: string): object {
  return {
    afacAnOrganisation: present({
      name: multilingual(lang, name),
      legalName: multilingual(lang, name),
      linkToGeneralInformation: website,
      externalIdentifier: id === undefined ? undefined : [identifier(id, 'operatorId')],
    }),
  }
}

function helpdesk({ operator, helpPhone }: LocationFacts, { organization: name }: SiteContext, lang: string): object {
  return {
    afacAnOrganisation: {
      name: multilingual(lang, operator?.name ?? name),
      organisationUnit: [{ contactInformation: [{ afacContactInformation: { telephoneNumber: helpPhone } }] }],
    },
  }
}

function pointLocation(facts: LocationFacts, { latitude, longitude }: LocationFacts['coordinates'], lang: string) {
  const at = { latitude, longitude }
  const nuts = nuts1(facts.country, facts.state)
  return {
    locPointLocation: {
      coordinatesForDisplay: at,
      locLocationExtensionG: {
        FacilityLocation: present({
          timeZone: standardOffset(facts.timeZone),
          address: present({
            postcode: facts.postalCode,
            city: multilingual(lang, facts.city),
            countryCode: alpha2Of(facts.country),
            addressLine: [{ order: 0, type: valued('street'), text: multilingual(lang, facts.address) }],
          }),
          nutsArea: nuts === undefined ? undefined : [{ nutsCodeType: valued('nuts1Code'), nutsCode: nuts }],
        }),
      },
      pointByCoordinates: { pointCoordinates: at },
    },
  }
}

const offsets = new Map<string, string>()

/** @example '+01:00' in Berlin, in summer as well */
function standardOffset(timeZone: string): string {
  const known = offsets.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetAt = (month: number): string =>
    format
      .formatToParts(Date.UTC(2026, month))
      .find(({ type }) => type === 'timeZoneName')
      ?.value.slice(3) || '+00:00'
  const [least = '+00:00'] = [offsetAt(0), offsetAt(6)].sort((a, b) => hours(a) - hours(b))
  offsets.set(timeZone, least)
  return least
}

function hours(offset: string): number {
  return Number(offset.replace(':', '.'))
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function operatingHours(times: OpeningTimes, site: string, version: string, since: number): object {
  const { twentyfourseven, regularHours = [], exceptionalOpenings = [], exceptionalClosings = [] } = times
  const periods = (of: typeof exceptionalOpenings) =>
    of.map(({ periodBegin, periodEnd }) => ({
      startOfPeriod: dateTime(Date.parse(periodBegin)),
      endOfPeriod: dateTime(Date.parse(periodEnd)),
    }))
  if (twentyfourseven && exceptionalClosings.length === 0) return { afacOpenAllHours: {} }
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const regular = twentyfourseven
    ? []
    : regularHours.map(({ weekday, periodBegin, periodEnd }) =>
        recurring([[minutes(periodBegin), minutes(periodEnd) || 1440]], [DAYS[weekday - 1] ?? 'monday']),
      )
  return {
    afacOperatingHoursSpecification: {
      idG: idOf('hours', site),
      versionG: version,
      overallPeriod: present({
        overallStartTime: dateTime(since),
        validPeriod: [...regular, ...(twentyfourseven ? [] : periods(exceptionalOpenings))],
        exceptionPeriod: periods(exceptionalClosings),
      }),
    },
  }
}

function parkingSpaces(place: ParkingPlace, site: string, version: string): object {
  const { parkingSpaceLength, parkingSpaceWidth, lighting, roofed } = place
  const dimension = present({ length: meters(parkingSpaceLength), width: meters(parkingSpaceWidth) })
  const amenities = present({ illuminated: lighting, roofed })
  return present({
    idG: idOf('parking', site, place.id),
    versionG: version,
    applicableForVehicles: [vehiclesOf(place)].filter((vehicles) => Object.keys(vehicles).length > 0),
    dimension: Object.keys(dimension).length > 0 ? dimension : undefined,
    amenities: Object.keys(amenities).length > 0 ? amenities : undefined,
    numberOfSpaces: 1,
    userSpecific: place.vehicleTypes.includes('DISABLED') ? [valued('personsWithDisabilities')] : undefined,
  })
}

function vehiclesOf(place: ParkingPlace): object {
  const most = (name: string, value: number | undefined, more: object = {}) =>
    value === undefined ? undefined : [{ comparisonOperator: valued('lessThanOrEqualTo'), [name]: value, ...more }]
  const { maxVehicleWeight } = place
  return present({
    vehicleType: place.vehicleTypes.flatMap((type) => (VEHICLES[type] ? [valued(VEHICLES[type])] : [])),
    grossWeightCharacteristic: most('grossVehicleWeight', maxVehicleWeight && maxVehicleWeight / 1000, {
      typeOfWeight: valued('actual'),
    }),
    heightCharacteristic: most('vehicleHeight', meters(place.maxVehicleHeight)),
    lengthCharacteristic: most('vehicleLength', meters(place.maxVehicleLength)),
    widthCharacteristic: most('vehicleWidth', meters(place.maxVehicleWidth)),
  })
}

function meters(centimeters: number | undefined): number | undefined {
  return centimeters === undefined ? undefined : centimeters / 100
}
