/**
 * What an owner says of a location, its EVSEs and their connectors: OCPI 2.3.0's members in camel case, with its
 * lengths and words (LOCATION-A1, LOCATION-A5). Declared once: types, the API and what is stored follow.
 */
import type { z } from '@hono/zod-openapi'
import type { Coordinates } from '../sites/records.ts'
import { alpha2Of } from './countries.ts'
import { isEvseId } from './evse-id.ts'
import { WORDS } from './vocabulary.ts'

/** Given by the API, which has them for other resources too. */
interface Shared {
  readonly z: typeof z
  readonly text: (most: number) => z.ZodString
  readonly timeOfDay: z.ZodString
  readonly timeZone: z.ZodString
  readonly coordinates: z.ZodType<Coordinates>
}

export function locationMembers({ z, text, timeOfDay, timeZone, coordinates }: Shared) {
  const some = <Of extends z.ZodType>(of: Of, most = 100) => z.array(of).max(most).optional()
  const someOf = (words: readonly string[]) => some(z.enum(words))
  const oneOf = (words: readonly string[]) => z.enum(words).optional()
  const id = z
    .string()
    .regex(/^[A-Za-z0-9_.*-]{1,36}$/, 'must have 1 to 36 letters, digits or any of _ . * -')
    .openapi({ example: 'north-1' })
  const url = z.url({ protocol: /^https?$/ }).max(255)
  const count = (most: number) => z.int().min(0).max(most)
  const flag = z.boolean().optional()
  const amount = z.number().min(0).max(1_000_000)
  const measure = amount.optional()
  const moment = z.iso.datetime('must be a time in UTC such as 2026-12-24T12:00:00Z')
  const period = z.strictObject({ periodBegin: moment, periodEnd: moment })
  const language = z.string().regex(/^[a-z]{2}$/, 'must be a language such as de')
  const directions = some(z.strictObject({ language, text: text(512) }))
  const business = z
    .strictObject({ name: text(100), website: url.optional() })
    .openapi('BusinessDetails', { example: { name: 'Northern Charging' } })
    .optional()
  const parkingSpace = z
    .strictObject({
      id,
      physicalReference: text(12).optional(),
      vehicleTypes: z.array(z.enum(WORDS.vehicleTypes)).min(1).max(100),
      maxVehicleWeight: measure.openapi({ description: 'Kilograms.' }),
      maxVehicleHeight: measure.openapi({ description: 'Centimeters, like the other lengths.' }),
      maxVehicleLength: measure,
      maxVehicleWidth: measure,
      parkingSpaceLength: measure,
      parkingSpaceWidth: measure,
      dangerousGoodsAllowed: flag,
      direction: oneOf(WORDS.parkingDirections),
      driveThrough: flag,
      restrictedToType: z.boolean(),
      reservationRequired: z.boolean(),
      timeLimit: measure.openapi({ description: 'Minutes.' }),
      roofed: flag,
      lighting: flag,
      refrigerationOutlet: flag,
      standards: some(text(36)),
      apdsReference: text(36).optional(),
    })
    .openapi('ParkingSpace')
  return {
    id,
    facts: {
      name: text(255).optional(),
      address: text(255),
      city: text(45),
      postalCode: text(10).optional(),
      state: text(45).optional(),
      country: z
        .string()
        .refine(
          (code) => alpha2Of(code) !== undefined,
          'must be a country of ISO 3166-1 with three letters, such as DEU',
        )
        .openapi({ example: 'DEU' }),
      coordinates,
      timeZone,
      operator: business,
      suboperator: business,
      owner: business,
      openingTimes: z
        .strictObject({
          twentyfourseven: z.boolean(),
          regularHours: some(
            z.strictObject({ weekday: z.int().min(1).max(7), periodBegin: timeOfDay, periodEnd: timeOfDay }),
          ).openapi({ description: 'In local time; weekday 1 is Monday.' }),
          exceptionalOpenings: some(period),
          exceptionalClosings: some(period),
        })
        .optional(),
      chargingWhenClosed: flag,
      helpPhone: text(25).optional(),
      facilities: someOf(WORDS.facilities),
      parkingType: oneOf(WORDS.parkingTypes),
      parkingPlaces: some(parkingSpace, 500),
      accessibility: text(1000).optional().openapi({ description: 'In sentences, for people who need it.' }),
      directions,
      energyMix: z
        .strictObject({
          isGreenEnergy: z.boolean(),
          energySources: some(
            z.strictObject({ source: z.enum(WORDS.energySources), percentage: z.number().min(0).max(100) }),
          ),
          environImpact: some(z.strictObject({ category: z.enum(WORDS.environmentalImpacts), amount })),
          supplierName: text(64).optional(),
          energyProductName: text(64).optional(),
        })
        .optional(),
    },
    evse: {
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
      coordinates: coordinates.optional(),
      directions,
      parkingRestrictions: someOf(WORDS.parkingRestrictions),
      capabilities: someOf(WORDS.capabilities),
      parking: some(z.strictObject({ parkingId: id, evsePosition: oneOf(WORDS.evsePositions) })),
      acceptedServiceProviders: some(text(50)),
    },
    connector: {
      connectorId: id,
      standard: z.enum(WORDS.standards).openapi({ example: 'IEC_62196_T2' }),
      format: z.enum(WORDS.formats),
      powerType: z.enum(WORDS.powerTypes),
      maxVoltage: count(10_000).openapi({ description: 'Volts, line to neutral for AC_3_PHASE.', example: 230 }),
      maxAmperage: count(10_000),
      maxElectricPower: count(100_000_000).optional().openapi({ description: 'Watts.' }),
      capabilities: someOf(WORDS.connectorCapabilities),
      tariffIds: some(text(36)),
      termsAndConditions: url.optional(),
    },
  }
}
