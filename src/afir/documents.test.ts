import { expect, test } from 'vitest'
import type { LocationConnector } from '../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../domain/locations/shown.ts'
import type { TariffElement } from '../domain/tariffs/elements.ts'
import type { ShownTariff } from '../domain/tariffs/shown-elements.ts'
import { statusDocument, tableDocument } from './publication.ts'
import { energyPrices } from './rates.ts'
import { changedSince, type SiteContext, siteOf, siteStatusOf } from './site.ts'
import { xmlDocument } from './xml.ts'

const AT = Date.UTC(2026, 10, 1, 12)
const tariff: ShownTariff = {
  tariffId: 'day',
  version: 1,
  currency: 'EUR',
  perKwhMicros: 490_000,
  perMinuteMicros: 0,
  perSessionMicros: 350_000,
  idlePerMinuteMicros: 100_000,
}
const context: SiteContext = {
  party: { countryCode: 'DE', partyId: 'PIL' },
  organization: 'Pilot & Co',
  adhocOf: () => ({ tariff, updatedAt: AT }),
}
const connector: LocationConnector = {
  connectorId: '1',
  standard: 'IEC_62196_T2_COMBO',
  format: 'CABLE',
  powerType: 'DC',
  maxVoltage: 400,
  maxAmperage: 250,
  lastUpdated: AT,
}
const evse: ShownEvse = {
  uid: 'left',
  evseId: 'DE*PIL*E1',
  chargePointId: 'A',
  status: 'CHARGING',
  capabilities: ['RFID_READER', 'CREDIT_CARD_PAYABLE'],
  connectors: [connector],
  lastUpdated: AT + 1,
}
const location: ShownLocation = {
  accountId: 'one',
  locationId: 'yard',
  publish: true,
  facts: {
    name: 'Yard <1>',
    address: 'Hauptstraße 12',
    city: 'Aachen',
    state: 'Nordrhein-Westfalen',
    country: 'DEU',
    coordinates: { latitude: 50.77959, longitude: 6.1045 },
    timeZone: 'Europe/Berlin',
    helpPhone: '+49241000',
    openingTimes: { twentyfourseven: false, regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '24:00' }] },
    parkingPlaces: [
      {
        id: 'p1',
        vehicleTypes: ['VAN', 'DISABLED'],
        maxVehicleHeight: 250,
        maxVehicleWeight: 3500,
        restrictedToType: true,
        reservationRequired: false,
      },
    ],
  },
  evses: [
    evse,
    { ...evse, uid: 'right', status: 'AVAILABLE' },
    { ...evse, uid: 'old', chargePointId: 'B', status: 'REMOVED' },
  ],
  createdAt: AT,
  lastUpdated: AT + 1,
}
const publication = { lang: 'de', country: 'DE', publisher: 'DE*PIL', at: AT, tableId: 'T', version: '7' }

/** As its receiver reads it. */
function sent(object: object | undefined) {
  return JSON.parse(JSON.stringify(object))
}

test('AFIR-A5: a location is a site, a charge point a station, an EVSE a refill point; removed ones are not there', () => {
  const site = sent(siteOf(location, '7', context))
  expect(site.energyInfrastructureStation).toHaveLength(1)
  const [station] = site.energyInfrastructureStation
  expect(station).toMatchObject({
    versionG: '7',
    numberOfRefillPoints: 2,
    totalMaximumPower: 200_000,
    authenticationAndIdentificationMethods: [{ value: 'rfid' }, { value: 'creditCard' }],
    operator: {
      afacAnOrganisation: {
        externalIdentifier: [
          { identifier: 'DE*PIL', typeOfIdentifier: { value: 'extendedG', extendedValueG: 'operatorId' } },
        ],
      },
    },
    locationReference: {
      locPointLocation: {
        locLocationExtensionG: {
          FacilityLocation: { timeZone: '+01:00', address: { countryCode: 'DE' }, nutsArea: [{ nutsCode: 'DEA' }] },
        },
      },
    },
  })
  expect(station.refillPoint[0].aegiElectricChargingPoint).toMatchObject({
    externalIdentifier: [
      { identifier: 'DE*PIL*E1', typeOfIdentifier: { value: 'extendedG', extendedValueG: 'evseId' } },
    ],
    currentType: { value: 'dc' },
    connector: [{ connectorType: { value: 'iec62196T2COMBO' }, maxPowerAtSocket: 100_000 }],
  })
})

test('AFIR-A6: meters and tonnes, and hours that are local in spite of their Z', () => {
  const site = sent(siteOf(location, '7', context))
  expect(site.dedicatedParkingSpaces[0]).toMatchObject({
    applicableForVehicles: [
      {
        vehicleType: [{ value: 'van' }],
        heightCharacteristic: [{ vehicleHeight: 2.5 }],
        grossWeightCharacteristic: [{ grossVehicleWeight: 3.5 }],
      },
    ],
    userSpecific: [{ value: 'personsWithDisabilities' }],
  })
  const [period] = site.operatingHours.afacOperatingHoursSpecification.overallPeriod.validPeriod
  expect(period).toEqual({
    recurringTimePeriodOfDay: [{ startTimeOfPeriod: '08:00:00Z', endTimeOfPeriod: '23:59:59Z' }],
    recurringDayWeekMonthPeriod: [{ comDayWeekMonth: { applicableDay: [{ value: 'monday' }] } }],
  })
})

test('AFIR-A5: references of the status have the ids and versions of the table; ids follow from what they name', () => {
  const site = sent(siteOf(location, '7', context))
  const status = sent(siteStatusOf(location, '7', context))
  const [station] = site.energyInfrastructureStation
  const [stationStatus] = status.energyInfrastructureStationStatus
  expect(status.reference).toEqual({ targetClass: 'FacilityObject', idG: site.idG, versionG: '7' })
  expect(stationStatus.reference.idG).toBe(station.idG)
  const points = stationStatus.refillPointStatus.map(
    (one: { aegiElectricChargingPointStatus: object }) => one.aegiElectricChargingPointStatus,
  )
  expect(points.map(({ reference }: { reference: { idG: string } }) => reference.idG)).toEqual(
    station.refillPoint.map((one: { aegiElectricChargingPoint: { idG: string } }) => one.aegiElectricChargingPoint.idG),
  )
  expect(points[0].status).toEqual({ value: 'charging' })
  const [rate] = station.refillPoint[0].aegiElectricChargingPoint.electricEnergy[0].energyRate
  expect(points[0].energyRateUpdate[0]).toEqual({
    lastUpdated: rate.lastUpdated,
    energyRateReference: { targetClass: 'EnergyRate', idG: rate.idG },
    energyPrice: rate.energyPrice,
  })
  expect(sent(siteOf({ ...location, facts: { ...location.facts, name: 'Other' } }, '8', context)).idG).toBe(site.idG)
})

test('AFIR-A1: changes since a time have what changed then or later, removed EVSEs as well', () => {
  const late = {
    ...location,
    evses: location.evses.map((one) => ({ ...one, lastUpdated: one.uid === 'old' ? AT + 9 : AT - 9 })),
  }
  const earlier: SiteContext = { ...context, adhocOf: () => ({ tariff, updatedAt: AT - 9 }) }
  const all = sent(siteStatusOf(late, '7', earlier, () => true))
  const status = sent(changedSince(all, AT + 9))
  expect(
    status.energyInfrastructureStationStatus.map((one: { refillPointStatus: object[] }) => one.refillPointStatus),
  ).toEqual([[{ aegiElectricChargingPointStatus: expect.objectContaining({ status: { value: 'removed' } }) }]])
  expect(changedSince(all, AT + 10)).toBeUndefined()
})

test('AFIR-A6: a simple tariff is prices that add up; tax is always said', () => {
  expect(sent(energyPrices({ tariff, updatedAt: AT }, 'en') as object)).toEqual([
    { priceType: { value: 'pricePerKWh' }, value: 0.49, taxIncluded: false },
    { priceType: { value: 'basePrice' }, value: 0.35, taxIncluded: false },
    {
      priceType: { value: 'pricePerMinute' },
      value: 0.1,
      taxIncluded: false,
      additionalInformation: { values: [{ lang: 'en', value: 'While the vehicle takes no power' }] },
    },
  ])
})

const energy = (priceMicros: number): TariffElement['priceComponents'] => [
  { type: 'ENERGY', priceMicros, vat: 19, stepSize: 1 },
]
const pricesOf = (elements: readonly TariffElement[]) =>
  sent(energyPrices({ tariff: { ...tariff, elements, taxIncluded: 'yes' }, updatedAt: AT }, 'en') as object)

test('AFIR-A6: of elements that exclude each other, a later one has the hours that no earlier one takes', () => {
  const prices = pricesOf([
    { priceComponents: energy(300_000), restrictions: { startTime: '22:00', endTime: '06:00' } },
    { priceComponents: energy(500_000) },
  ])
  expect(prices).toEqual([
    {
      priceType: { value: 'pricePerKWh' },
      value: 0.3,
      taxIncluded: true,
      taxRate: 19,
      overallPeriod: {
        overallStartTime: '2026-11-01T12:00:00.000Z',
        validPeriod: [
          {
            recurringTimePeriodOfDay: [
              { startTimeOfPeriod: '00:00:00Z', endTimeOfPeriod: '06:00:00Z' },
              { startTimeOfPeriod: '22:00:00Z', endTimeOfPeriod: '23:59:59Z' },
            ],
          },
        ],
      },
    },
    expect.objectContaining({
      value: 0.5,
      overallPeriod: expect.objectContaining({
        validPeriod: [{ recurringTimePeriodOfDay: [{ startTimeOfPeriod: '06:00:00Z', endTimeOfPeriod: '22:00:00Z' }] }],
      }),
    }),
  ])
})

test('AFIR-A6: limits of energy and time are cut out in the same way, and what depends on power is left out', () => {
  const prices = pricesOf([
    { priceComponents: energy(900_000), restrictions: { minPower: 50 } },
    { priceComponents: energy(300_000), restrictions: { maxKwh: 20, minDuration: 3600 } },
    { priceComponents: energy(500_000) },
  ])
  expect(
    prices.map(({ value, timeBasedApplicability, energyBasedApplicability }: Record<string, unknown>) => [
      value,
      timeBasedApplicability,
      energyBasedApplicability,
    ]),
  ).toEqual([
    [0.3, { fromMinute: 60 }, { toKWh: 20 }],
    [0.5, { toMinute: 60 }, undefined],
    [0.5, { fromMinute: 60 }, { fromKWh: 20 }],
  ])
})

test('AFIR-A6: a tariff of a hundred elements that overlap in every way is worked out once for all EVSEs', () => {
  const two = (value: number): string => String(value).padStart(2, '0')
  const elements = Array.from({ length: 100 }, (_, at) => ({
    priceComponents: (['ENERGY', 'FLAT', 'TIME', 'PARKING_TIME'] as const).map((type) => ({
      type,
      priceMicros: at,
      stepSize: 1,
    })),
    restrictions: {
      startTime: `${two(at % 23)}:${two((at * 7) % 60)}`,
      endTime: `${two((at * 5 + 1) % 24)}:${two((at * 11 + 3) % 60)}`,
      startDate: `2026-01-${two((at % 28) + 1)}`,
      endDate: `2027-01-${two(28 - (at % 27))}`,
      minKwh: at / 10,
      maxKwh: 200 - at,
      minDuration: at * 60,
      maxDuration: 366 * 86_400 - at * 600,
    },
  }))
  const adhoc = { tariff: { ...tariff, elements }, updatedAt: AT }
  const prices = energyPrices(adhoc, 'en')
  expect(prices).toHaveLength(200)
  expect(energyPrices(adhoc, 'en')).toBe(prices)
  expect(energyPrices(adhoc, 'de')).not.toEqual(prices)
})

test('AFIR-A6: a day of the week is its own part', () => {
  const prices = pricesOf([
    { priceComponents: energy(300_000), restrictions: { dayOfWeek: ['SUNDAY'] } },
    { priceComponents: energy(500_000) },
  ])
  const days = prices.map(
    ({
      overallPeriod,
    }: {
      overallPeriod: {
        validPeriod: { recurringDayWeekMonthPeriod: { comDayWeekMonth: { applicableDay: object[] } }[] }[]
      }
    }) => overallPeriod.validPeriod[0]?.recurringDayWeekMonthPeriod[0]?.comDayWeekMonth.applicableDay,
  )
  expect(days[0]).toEqual([{ value: 'sunday' }])
  expect(days[1]).toHaveLength(6)
})

test('AFIR-A1: XML has the elements in the order of the schema, types as attributes, and texts escaped', () => {
  const table = xmlDocument(tableDocument(publication, [siteOf(location, '7', context) ?? {}]) as never)
  expect(table).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<d2:payload xmlns:d2="http:\/\/datex2.eu\/schema\/3\/d2Payload"/,
  )
  expect(table).toContain('xsi:type="aegi:EnergyInfrastructureTablePublication" lang="de" modelBaseVersion="3"')
  expect(table).toContain(
    '<afac:name><com:values><com:value lang="de">Yard &lt;1&gt;</com:value></com:values></afac:name><afac:lastUpdated>',
  )
  expect(table).toContain('<afac:typeOfIdentifier _extendedValue="evseId">_extended</afac:typeOfIdentifier>')
  expect(table).toContain('<afac:operator xsi:type="afac:AnOrganisation"><afac:name>')
  const status = xmlDocument(
    statusDocument(publication, 'snapshotPull', [siteStatusOf(location, '7', context) ?? {}]) as never,
  )
  expect(status).toContain('<con:payload xsi:type="aegi:EnergyInfrastructureStatusPublication"')
  expect(status).toMatch(
    /<afac:reference id="[0-9a-f-]{36}" version="7" targetClass="afac:FacilityObject"><\/afac:reference>/,
  )
  expect(status).toContain('<ex:codedExchangeProtocol>snapshotPull</ex:codedExchangeProtocol>')
})
