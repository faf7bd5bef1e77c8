/** Locations in the API's names (LOCATION-A1, LOCATION-A5), in the lengths and words of OCPI 2.3.0. */
import { z } from '@hono/zod-openapi'
import { isCountry } from '../../domain/locations/countries.ts'
import { isEvseId } from '../../domain/locations/evse-id.ts'
import { EVSE_STATUSES } from '../../domain/locations/records.ts'
import {
  CONNECTOR_CAPABILITIES,
  CONNECTOR_FORMATS,
  CONNECTOR_STANDARDS,
  ENERGY_SOURCES,
  ENVIRONMENTAL_IMPACTS,
  EVSE_CAPABILITIES,
  EVSE_POSITIONS,
  FACILITIES,
  PARKING_DIRECTIONS,
  PARKING_RESTRICTIONS,
  PARKING_TYPES,
  POWER_TYPES,
  VEHICLE_TYPES,
} from '../../domain/locations/vocabulary.ts'
import { filterText, instant, listOf, pageParameters, time, timeOfDay, timeZone, typedText } from '../schemas/common.ts'
import { CoordinatesSchema } from '../sites/sites.ts'

const MAX_EVSES = 500
const MAX_LISTED = 100

const text = (most: number) => typedText({ most })
const id = z
  .string()
  .regex(/^[A-Za-z0-9_.*-]{1,36}$/, 'must have 1 to 36 letters, digits or any of _ . * -')
  .openapi({ example: 'north-1' })
const someOf = (words: readonly string[]) => z.array(z.enum(words)).max(MAX_LISTED)
const some = <Of extends z.ZodType>(of: Of) => z.array(of).max(MAX_LISTED)
const url = z.url({ protocol: /^https?$/ }).max(255)
const count = (most: number) => z.int().min(0).max(most)
const measure = z.number().min(0).max(1_000_000)

const business = z
  .strictObject({ name: text(100), website: url.optional() })
  .openapi('BusinessDetails', { example: { name: 'Northern Charging' } })
const displayText = z.strictObject({
  language: z.string().regex(/^[a-z]{2}$/, 'must be a language such as de'),
  text: text(512),
})
const hours = z.strictObject({ weekday: z.int().min(1).max(7), periodBegin: timeOfDay, periodEnd: timeOfDay })

const energyMix = z.strictObject({
  isGreenEnergy: z.boolean(),
  energySources: some(
    z.strictObject({ source: z.enum(ENERGY_SOURCES), percentage: z.number().min(0).max(100) }),
  ).optional(),
  environImpact: some(z.strictObject({ category: z.enum(ENVIRONMENTAL_IMPACTS), amount: measure })).optional(),
  supplierName: text(64).optional(),
  energyProductName: text(64).optional(),
})

const parkingPlace = z
  .strictObject({
    id,
    physicalReference: text(12).optional(),
    vehicleTypes: someOf(VEHICLE_TYPES).min(1),
    maxVehicleWeight: measure.optional().openapi({ description: 'Kilograms.' }),
    maxVehicleHeight: measure.optional().openapi({ description: 'Centimeters, like the other lengths.' }),
    maxVehicleLength: measure.optional(),
    maxVehicleWidth: measure.optional(),
    parkingSpaceLength: measure.optional(),
    parkingSpaceWidth: measure.optional(),
    dangerousGoodsAllowed: z.boolean().optional(),
    direction: z.enum(PARKING_DIRECTIONS).optional(),
    driveThrough: z.boolean().optional(),
    restrictedToType: z.boolean(),
    reservationRequired: z.boolean(),
    timeLimit: measure.optional().openapi({ description: 'Minutes.' }),
    roofed: z.boolean().optional(),
    lighting: z.boolean().optional(),
    refrigerationOutlet: z.boolean().optional(),
    standards: some(text(36)).optional(),
    apdsReference: text(36).optional(),
  })
  .openapi('ParkingPlace')

const factsOf = (at: z.ZodType<number> | z.ZodString) => {
  const period = z.strictObject({ periodBegin: at, periodEnd: at })
  return {
    name: text(255).optional(),
    address: text(255),
    city: text(45),
    postalCode: text(10).optional(),
    state: text(45).optional(),
    country: z
      .string()
      .refine(isCountry, 'must be a country of ISO 3166-1 with three letters, such as DEU')
      .openapi({ example: 'DEU' }),
    coordinates: CoordinatesSchema,
    timeZone,
    operator: business.optional(),
    suboperator: business.optional(),
    owner: business.optional(),
    openingTimes: z
      .strictObject({
        twentyfourseven: z.boolean(),
        regularHours: some(hours).optional(),
        exceptionalOpenings: some(period).optional(),
        exceptionalClosings: some(period).optional(),
      })
      .optional(),
    chargingWhenClosed: z.boolean().optional(),
    helpPhone: text(25).optional(),
    facilities: someOf(FACILITIES).optional(),
    parkingType: z.enum(PARKING_TYPES).optional(),
    parkingPlaces: z.array(parkingPlace).max(MAX_EVSES).optional(),
    accessibility: text(1000).optional().openapi({ description: 'In sentences, for people who need it.' }),
    directions: some(displayText).optional(),
    energyMix: energyMix.optional(),
  }
}

const connectorShape = {
  connectorId: id,
  standard: z.enum(CONNECTOR_STANDARDS).openapi({ example: 'IEC_62196_T2' }),
  format: z.enum(CONNECTOR_FORMATS),
  powerType: z.enum(POWER_TYPES),
  maxVoltage: count(10_000).openapi({ description: 'Volts, line to neutral for AC_3_PHASE.', example: 230 }),
  maxAmperage: count(10_000),
  maxElectricPower: count(100_000_000).optional().openapi({ description: 'Watts.' }),
  capabilities: someOf(CONNECTOR_CAPABILITIES).optional(),
  tariffIds: some(text(36)).optional(),
  termsAndConditions: url.optional(),
}

const evseShape = {
  evseId: z
    .string()
    .refine(isEvseId, 'must be an EVSE id such as DE*ABC*E4711')
    .optional()
    .openapi({ description: 'As eMI3 spells it; unique in the account, with or without separators.' }),
  evseControllerId: text(255).optional().openapi({ description: 'Its charge point; absent: it is planned.' }),
  ocppEvseId: count(10_000).min(1).optional().openapi({
    description: 'EVSE of OCPP 2.0.1, connector of 1.6; absent: all of the charge point.',
  }),
  floorLevel: text(4).optional(),
  physicalReference: text(16).optional(),
  coordinates: CoordinatesSchema.optional(),
  directions: some(displayText).optional(),
  parkingRestrictions: someOf(PARKING_RESTRICTIONS).optional(),
  capabilities: someOf(EVSE_CAPABILITIES).optional(),
  parking: some(z.strictObject({ parkingId: id, evsePosition: z.enum(EVSE_POSITIONS).optional() })).optional(),
  acceptedServiceProviders: some(text(50)).optional(),
}

const put = {
  ...factsOf(instant('A moment.')),
  publish: z.boolean().optional().openapi({ description: 'Whether the public may see it; false unless given.' }),
  evses: z
    .array(
      z.strictObject({
        uid: id.optional().openapi({ description: 'Never changes; made by the server unless given.' }),
        ...evseShape,
        connectors: z.array(z.strictObject(connectorShape)).min(1).max(MAX_LISTED),
      }),
    )
    .max(MAX_EVSES)
    .optional(),
}

export const PutLocationSchema = z.strictObject(put).openapi('PutLocation')

/** A required member may be left out, and `null` removes another. */
export const ChangeLocationSchema = z
  .strictObject(
    Object.fromEntries(
      Object.entries<z.ZodType>(put).map(([name, schema]) => [
        name,
        schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType).nullable().optional() : schema.optional(),
      ]),
    ),
  )
  .openapi('ChangeLocation')

export const LocationSchema = z
  .strictObject({
    id,
    ...factsOf(time()),
    publish: z.boolean(),
    evses: z.array(
      z
        .strictObject({
          uid: id,
          status: z.enum(EVSE_STATUSES),
          ...evseShape,
          connectors: z.array(z.strictObject({ ...connectorShape, lastUpdated: time() })),
          lastUpdated: time(),
        })
        .openapi('LocationEvse'),
    ),
    createdAt: time(),
    lastUpdated: time().openapi({ description: 'Of all that is shown of it: rises with each change.' }),
  })
  .openapi('Location')

export const LocationListSchema = listOf('LocationList', LocationSchema)

/** Names of addresses below the list. */
const RESERVED = new Set(['export', 'import'])

export const locationParams = z.object({
  location: id.refine((text) => !RESERVED.has(text), 'must not be export or import'),
})

export const locationQuery = z.strictObject({
  country: filterText(3, 'Country of ISO 3166-1 with three letters.'),
  q: filterText(100, 'Part of its id, name, address or city, in any case.'),
  publish: z.enum(['true', 'false']).optional().openapi({ description: 'Whether it is public.' }),
  ...pageParameters,
})

const format = z
  .enum(['csv', 'ocpi'])
  .openapi({ description: '`ocpi`: a list of locations in JSON, as OCPI 2.3.0 has them.' })
export const transferQuery = z.strictObject({ format })

export const ImportedLocationsSchema = z
  .strictObject({ created: z.int(), changed: z.int(), unchanged: z.int() })
  .openapi('ImportedLocations')
