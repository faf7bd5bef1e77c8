import { expect, test } from 'vitest'
import type { LocationConnector } from '../../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../../domain/locations/shown.ts'
import { locationIn } from '../../domain/partners/ocpi-location.ts'
import { decimal } from '../../domain/partners/ocpi-versions.ts'
import type { CdrFacts, OcpiVersion, PartnerOfSession, WholeCdr } from '../../domain/partners/records.ts'
import type { TariffElement } from '../../domain/tariffs/elements.ts'
import type { ShownTariff } from '../../domain/tariffs/shown-elements.ts'
import { cdrIn } from './cdr.ts'
import { type SessionFacts, sessionIn } from './session.ts'
import { tariffIn } from './tariff.ts'

const party = { countryCode: 'DE', partyId: 'PIL' }
const AT = Date.UTC(2026, 10, 1, 12)

const connector: LocationConnector = {
  connectorId: '1',
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  powerType: 'AC_3_PHASE',
  maxVoltage: 230,
  maxAmperage: 32,
  maxElectricPower: 22_000,
  capabilities: ['ISO_15118_2_PLUG_AND_CHARGE'],
  tariffIds: ['day'],
  lastUpdated: AT,
}
const evse: ShownEvse = {
  uid: 'left',
  evseId: 'DE*PIL*E1',
  status: 'CHARGING',
  parkingRestrictions: ['EV_ONLY', 'TENANTS'],
  parking: [{ parkingId: 'p1', evsePosition: 'LEFT' }],
  acceptedServiceProviders: ['NL-TST'],
  connectors: [connector, { ...connector, connectorId: '2', standard: 'MCS' }],
  lastUpdated: AT + 1,
}
const location: ShownLocation = {
  accountId: 'one',
  locationId: 'yard',
  publish: true,
  facts: {
    address: 'A'.repeat(255),
    city: 'Aachen',
    state: 'S'.repeat(45),
    country: 'DEU',
    coordinates: { latitude: 50.77959, longitude: -6.1045 },
    timeZone: 'Europe/Berlin',
    helpPhone: '+49241000',
    openingTimes: { twentyfourseven: false, regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '24:00' }] },
    parkingPlaces: [{ id: 'p1', vehicleTypes: ['VAN'], restrictedToType: true, reservationRequired: false }],
  },
  evses: [evse, { ...evse, uid: 'right', connectors: [{ ...connector, standard: 'SAE_J3400' }] }],
  createdAt: AT,
  lastUpdated: AT + 5,
}
const context = { party }

/** As its receiver reads it. */
function sent(object: object) {
  return JSON.parse(JSON.stringify(object))
}

test('LOCATION-A5: a location has all that 2.3.0 knows, and each part the time of its last change', () => {
  expect(sent(locationIn('2.3.0', location, context))).toEqual({
    country_code: 'DE',
    party_id: 'PIL',
    id: 'yard',
    publish: true,
    address: 'A'.repeat(255),
    city: 'Aachen',
    state: 'S'.repeat(45),
    country: 'DEU',
    coordinates: { latitude: '50.779590', longitude: '-6.104500' },
    time_zone: 'Europe/Berlin',
    help_phone: '+49241000',
    opening_times: {
      twentyfourseven: false,
      regular_hours: [{ weekday: 1, period_begin: '08:00', period_end: '23:59' }],
    },
    parking_places: [{ id: 'p1', vehicle_types: ['VAN'], restricted_to_type: true, reservation_required: false }],
    evses: [
      {
        uid: 'left',
        evse_id: 'DE*PIL*E1',
        status: 'CHARGING',
        parking_restrictions: ['EV_ONLY', 'TENANTS'],
        parking: [{ parking_id: 'p1', evse_position: 'LEFT' }],
        accepted_service_providers: ['NL-TST'],
        connectors: [expect.objectContaining({ id: '1', max_amperage: 32 }), expect.objectContaining({ id: '2' })],
        last_updated: '2026-11-01T12:00:00.001Z',
      },
      expect.objectContaining({ uid: 'right' }),
    ],
    last_updated: '2026-11-01T12:00:00.005Z',
  })
})

test('LOCATION-A7: what 2.2.1 does not know is left out: members, values, connectors, and EVSEs without others', () => {
  const older = sent(locationIn('2.2.1', location, context))
  expect(older).not.toHaveProperty('help_phone')
  expect(older).not.toHaveProperty('parking_places')
  expect(older.evses).toEqual([
    {
      uid: 'left',
      evse_id: 'DE*PIL*E1',
      status: 'CHARGING',
      parking_restrictions: ['EV_ONLY'],
      connectors: [
        {
          id: '1',
          standard: 'IEC_62196_T2',
          format: 'SOCKET',
          power_type: 'AC_3_PHASE',
          max_voltage: 230,
          max_amperage: 32,
          max_electric_power: 22_000,
          tariff_ids: ['day'],
          last_updated: '2026-11-01T12:00:00.000Z',
        },
      ],
      last_updated: '2026-11-01T12:00:00.001Z',
    },
  ])
})

test('LOCATION-A3: the EVSEs of a deleted location are REMOVED', () => {
  const { evses } = sent(locationIn('2.3.0', { ...location, isRemoved: true }, context))
  expect(evses.map(({ status }: ShownEvse) => status)).toEqual(['REMOVED', 'REMOVED'])
})

const simple: ShownTariff = {
  tariffId: 'day',
  version: 1,
  currency: 'EUR',
  perKwhMicros: 490_000,
  perMinuteMicros: 0,
  perSessionMicros: 0,
  idlePerMinuteMicros: 0,
}
const taxed: readonly TariffElement[] = [
  { priceComponents: [{ type: 'ENERGY', priceMicros: 595_000, vat: 19, stepSize: 1000 }] },
]

test.each<[string, Partial<ShownTariff>, object[]]>([
  ['energy alone', {}, [{ type: 'ENERGY', price: 0.49, step_size: 1 }]],
  [
    'every part: an idle minute costs the minute too',
    { perSessionMicros: 350_000, perMinuteMicros: 10_000, idlePerMinuteMicros: 100_000, taxPercent: 19 },
    [
      { type: 'ENERGY', price: 0.49, vat: 19, step_size: 1 },
      { type: 'FLAT', price: 0.35, vat: 19, step_size: 1 },
      { type: 'TIME', price: 0.6, vat: 19, step_size: 1 },
      { type: 'PARKING_TIME', price: 6.6, vat: 19, step_size: 1 },
    ],
  ],
  ['nothing: free of charge', { perKwhMicros: 0 }, [{ type: 'FLAT', price: 0, step_size: 1 }]],
])('TARIFF-A1: a simple tariff of %s is one element', (_, rates, components) => {
  const { elements } = sent(tariffIn('2.2.1', { ...simple, ...rates }, AT, party))
  expect(elements).toEqual([{ price_components: components }])
})

test('TARIFF-A5: prices with tax are shown as they are in 2.3.0, and without it in 2.2.1', () => {
  const tariff: ShownTariff = { ...simple, elements: taxed, taxIncluded: 'yes' }
  const newer = sent(tariffIn('2.3.0', tariff, AT, party))
  expect(newer.tax_included).toBe('YES')
  expect(newer.elements[0].price_components[0]).toEqual({ type: 'ENERGY', price: 0.595, vat: 19, step_size: 1000 })
  const older = sent(tariffIn('2.2.1', tariff, AT, party))
  expect(older).not.toHaveProperty('tax_included')
  expect(older.elements[0].price_components[0].price).toBe(0.5)
})

test.each<[OcpiVersion, string, ShownTariff['minPrice'], object | undefined]>([
  ['2.3.0', 'both', { exclVatMicros: 1e6, inclVatMicros: 2e6 }, { before_taxes: 1, after_taxes: 2 }],
  ['2.3.0', 'gross: net follows from the tax', { inclVatMicros: 1.19e6 }, { before_taxes: 1, after_taxes: 1.19 }],
  ['2.2.1', 'net', { exclVatMicros: 1e6 }, { excl_vat: 1 }],
  ['2.2.1', 'gross', { inclVatMicros: 1.19e6 }, { excl_vat: 1, incl_vat: 1.19 }],
  ['2.2.1', 'neither', undefined, undefined],
  ['2.3.0', 'an empty one', {}, undefined],
])('TARIFF-A5: %s has the price limit that is given as %s', (version, _, minPrice, expected) => {
  expect(sent(tariffIn(version, { ...simple, elements: taxed, minPrice }, AT, party)).min_price).toEqual(expected)
})

test('TARIFF-A5: where rates of tax differ, the net limit of a gross one never holds first', () => {
  const elements: readonly TariffElement[] = [
    ...taxed,
    { priceComponents: [{ type: 'FLAT', priceMicros: 1, stepSize: 0 }] },
  ]
  const both = { minPrice: { inclVatMicros: 2e6 }, maxPrice: { inclVatMicros: 9e6 } }
  const { min_price, max_price } = sent(tariffIn('2.3.0', { ...simple, elements, ...both }, AT, party))
  expect(min_price).toEqual({ before_taxes: 0, after_taxes: 2 })
  expect(max_price).toEqual({ before_taxes: 9, after_taxes: 9 })
})

test('TARIFF-A1: restrictions keep their meaning, and empty ones are left out', () => {
  const restrictions = { startTime: '18:00', endTime: '24:00', minKwh: 0.123456, dayOfWeek: ['MONDAY'] } as const
  const elements = [
    { ...taxed[0], restrictions },
    { ...taxed[0], restrictions: {} },
  ] as readonly TariffElement[]
  const shown = sent(tariffIn('2.3.0', { ...simple, elements }, AT, party)).elements
  expect(shown[0].restrictions).toEqual({
    start_time: '18:00',
    end_time: '00:00',
    min_kwh: 0.1235,
    day_of_week: ['MONDAY'],
  })
  expect(shown[1]).not.toHaveProperty('restrictions')
})

const token: PartnerOfSession = {
  partnerId: 'p1',
  countryCode: 'NL',
  partyId: 'TST',
  uid: '04AB',
  type: 'EMAID',
  contractId: 'NL-TST-C1',
  authMethod: 'AUTH_REQUEST',
  authorizationReference: 'ref',
}
const periods: CdrFacts['periods'] = [
  {
    startAt: AT,
    dimensions: [
      { type: 'FLAT', volume: 1 },
      { type: 'ENERGY', volume: 1.23456 },
    ],
    tariffId: 'day',
  },
  { startAt: AT + 1_800_000, dimensions: [{ type: 'PARKING_TIME', volume: 0.5 }], tariffId: 'day' },
  { startAt: AT + 3_600_000, dimensions: [{ type: 'FLAT', volume: 1 }] },
]
const session: SessionFacts = {
  sessionId: 's1',
  state: 'suspended',
  startedAt: AT,
  energyMilliWh: 1_234_560,
  currency: 'EUR',
  costMicros: 1_000_000,
  costInclVatMicros: 1_190_000,
  token,
  place: { locationId: 'yard', evseUid: 'left', connectorId: '1' },
  periods,
  lastUpdated: AT,
}

test.each<[OcpiVersion, object]>([
  ['2.2.1', { excl_vat: 1, incl_vat: 1.19 }],
  ['2.3.0', { before_taxes: 1, taxes: [{ name: 'VAT', amount: 0.19 }] }],
])('OCPI-A2: a session of %s', (version, total) => {
  expect(sent(sessionIn(version, session, party))).toMatchObject({
    kwh: 1.2346,
    cdr_token: { uid: '04AB', type: version === '2.2.1' ? 'OTHER' : 'EMAID' },
    auth_method: 'AUTH_REQUEST',
    authorization_reference: 'ref',
    charging_periods: [
      {
        start_date_time: '2026-11-01T12:00:00.000Z',
        dimensions: [{ type: 'ENERGY', volume: 1.2346 }],
        tariff_id: 'day',
      },
      { dimensions: [{ type: 'PARKING_TIME', volume: 0.5 }] },
      { dimensions: [{ type: 'TIME', volume: 0 }] },
    ],
    total_cost: total,
    status: 'ACTIVE',
  })
})

const facts: CdrFacts = {
  startedAt: AT,
  stoppedAt: AT + 5_400_000,
  currency: 'EUR',
  token,
  place: {
    locationId: 'yard',
    address: 'A'.repeat(60),
    city: 'Aachen',
    state: 'S'.repeat(30),
    country: 'DEU',
    coordinates: { latitude: 50.77959, longitude: 6.1045 },
    evseUid: 'left',
    evseId: '',
    connectorId: '1',
    standard: 'MCS',
    format: 'CABLE',
    powerType: 'DC',
  },
  tariff: simple,
  periods,
  energyMilliWh: 1_234_560,
  costMicros: 1_000_000,
  parts: { ENERGY: { costMicros: 600_000 }, FLAT: { costMicros: 400_000 } },
}
const cdr: WholeCdr = { accountId: 'one', cdrId: 'c1', partnerId: 'p1', sessionId: 's1', facts, lastUpdated: AT }

test('OCPI-A5: a CDR has the place of the beginning, cut, and parts that add up to its total', () => {
  expect(sent(cdrIn('2.2.1', cdr, party))).toMatchObject({
    id: 'c1',
    session_id: 's1',
    cdr_location: {
      address: 'A'.repeat(45),
      state: 'S'.repeat(20),
      evse_id: '#NA',
      connector_standard: 'IEC_62196_T2_COMBO',
    },
    tariffs: [{ id: 'day' }],
    total_cost: { excl_vat: 1 },
    total_energy_cost: { excl_vat: 0.6 },
    total_fixed_cost: { excl_vat: 0.4 },
    total_energy: 1.2346,
    total_time: 1.5,
    total_parking_time: 0.5,
  })
})

test('OCPI-A5: a credit CDR takes back the total cost, and nothing else has another sign', () => {
  const {
    id: _,
    credit,
    credit_reference_id,
    total_cost,
    ...credited
  } = sent(cdrIn('2.3.0', { ...cdr, cdrId: 'c2', creditOf: 'c1' }, party))
  const { id: __, total_cost: before, ...original } = sent(cdrIn('2.3.0', cdr, party))
  expect(credited).toEqual(original)
  expect({ credit, credit_reference_id, total_cost }).toEqual({
    credit: true,
    credit_reference_id: 'c1',
    total_cost: { before_taxes: -before.before_taxes },
  })
})

test('OCPI-A5: signed records stand whole in both members; one that does not fit is left out', () => {
  const records = ['OCMF|begin', 'x'.repeat(3751), `OCMF|${'e'.repeat(3000)}`]
  const signed = { encodingMethod: 'OCMF', publicKey: 'k'.repeat(513), records }
  const shown = sent(cdrIn('2.3.0', { ...cdr, facts: { ...facts, signed } }, party)).signed_data
  expect(shown).not.toHaveProperty('public_key')
  expect(shown.signed_values).toEqual(
    [records[0], records[2]].map((record = '', at) => ({
      nature: ['Start', 'End'][at],
      plain_data: record,
      signed_data: Buffer.from(record).toString('base64'),
    })),
  )
})

test('OCPI-A5: without periods a CDR has one of the whole charge', () => {
  const shown = sent(cdrIn('2.3.0', { ...cdr, facts: { ...facts, periods: [] } }, party))
  expect(shown.charging_periods[0].dimensions).toEqual([
    { type: 'ENERGY', volume: 1.2346 },
    { type: 'TIME', volume: 1.5 },
  ])
  expect(shown).not.toHaveProperty('total_parking_time')
})

test.each([
  [0.00005, 0.0001],
  [1.00005, 1.0001],
  [-0.00001, 0],
  [1e-7, 0],
  [22_000, 22_000],
])('OCPI-A2: the number %d is sent as %d', (value, expected) => {
  expect(decimal(value)).toBe(expected)
})
