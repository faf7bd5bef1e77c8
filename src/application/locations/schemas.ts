/** Locations as requests and answers of the API (LOCATION-A1, LOCATION-A5). */
import { z } from '@hono/zod-openapi'
import { locationMembers } from '../../domain/locations/members.ts'
import { EVSE_STATUSES } from '../../domain/locations/records.ts'
import { filterText, listOf, pageParameters, time, timeOfDay, timeZone, typedText } from '../schemas/common.ts'
import { CoordinatesSchema } from '../sites/sites.ts'

const text = (most: number) => typedText({ most })
const { id, facts, evse, connector } = locationMembers({ z, text, timeOfDay, timeZone, coordinates: CoordinatesSchema })

const put = {
  ...facts,
  publish: z.boolean().optional().openapi({ description: 'Whether the public may see it; false unless given.' }),
  evses: z
    .array(
      z.strictObject({
        uid: id.optional().openapi({ description: 'Never changes; made by the server unless given.' }),
        ...evse,
        connectors: z.array(z.strictObject(connector)).min(1).max(100),
      }),
    )
    .max(500)
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
    ...facts,
    publish: z.boolean(),
    evses: z.array(
      z
        .strictObject({
          uid: id,
          status: z.enum(EVSE_STATUSES),
          ...evse,
          connectors: z.array(z.strictObject({ ...connector, lastUpdated: time() })),
          lastUpdated: time(),
        })
        .openapi('LocationEvse'),
    ),
    createdAt: time(),
    lastUpdated: time().openapi({ description: 'Of all that is shown of it: rises with each change.' }),
  })
  .openapi('Location')

export const LocationListSchema = listOf('LocationList', LocationSchema)

/** Two names are those of addresses below the list. */
export const locationParams = z.object({
  location: id.refine((text) => text !== 'export' && text !== 'import', 'must not be export or import'),
})

export const locationQuery = z.strictObject({
  country: filterText(3, 'Country of ISO 3166-1 with three letters.'),
  q: filterText(100, 'Part of its id, name, address or city, in any case.'),
  publish: z.enum(['true', 'false']).optional().openapi({ description: 'Whether it is public.' }),
  ...pageParameters,
})

const description = '`ocpi`: a list of locations in JSON, as OCPI 2.3.0 has them.'
export const transferQuery = z.strictObject({ format: z.enum(['csv', 'ocpi']).openapi({ description }) })

export const ImportedLocationsSchema = z
  .strictObject({ created: z.int(), changed: z.int(), unchanged: z.int() })
  .openapi('ImportedLocations')
