import { z } from '@hono/zod-openapi'
import { SITE_STATES } from '../../domain/sites/site.ts'
import { LABEL_VALUE } from '../../domain/typed-text.ts'
import { listOf, typedText } from '../schemas/common.ts'

const coordinates = z
  .strictObject({
    latitude: z.number().min(-90).max(90).openapi({ description: 'Degrees of WGS 84, north positive.' }),
    longitude: z.number().min(-180).max(180).openapi({ description: 'Degrees of WGS 84, east positive.' }),
  })
  .openapi('Coordinates', { example: { latitude: 52.3759, longitude: 9.732 } })

export const PutSiteSchema = z.strictObject({ coordinates }).openapi('PutSite')

const count = z.int().min(0)

export const SiteSchema = z
  .strictObject({
    site: z.string().openapi({ description: 'The value of the label `site`.', example: 'North' }),
    coordinates: coordinates.optional(),
    state: z.enum(SITE_STATES).openapi({
      description: 'The worst that is so of its stations; gone: none of them is connected; empty: it has none.',
    }),
    stations: count,
    pending: count,
    offline: count.openapi({ description: 'Accepted, in use and not connected.' }),
    faulted: count,
    charging: count,
    powerKw: z.number().openapi({ description: 'Of what charges now.' }),
    energyKwh: z.number().openapi({ description: 'Of the charges that began today in the time zone of the account.' }),
  })
  .openapi('Site')

export const SiteListSchema = listOf('SiteList', SiteSchema)

const SITE_NAME = { most: LABEL_VALUE.most } as const
export const siteParams = z.object({ site: typedText(SITE_NAME) })
