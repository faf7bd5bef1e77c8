import { z } from '@hono/zod-openapi'
import type { Reads } from '../../domain/ports/storage.ts'
import type { SiteCounts } from '../../domain/ports/storage-queries.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import type { Coordinates, SitePosition } from '../../domain/sites/records.ts'
import { SITE_STATES } from '../../domain/sites/site.ts'
import { startOfDay } from '../../domain/time-zone.ts'
import { LABEL_VALUE } from '../../domain/typed-text.ts'
import type { UseCaseContext } from '../context.ts'
import { listOf, typedText } from '../schemas/common.ts'

const MAX_PLACES = 5000

export interface Site extends SiteCounts {
  readonly coordinates?: Coordinates | undefined
}

type SiteContext = Pick<UseCaseContext, 'reads' | 'core' | 'now' | 'timeZone'>

/** All of them, in no order; the stations without a site are one without a name. */
export async function listSites(parts: SiteContext, accountId: string): Promise<readonly Site[]> {
  const [counted, places] = await Promise.all([countSites(parts, accountId), placesOf(parts, accountId)])
  const sites = counted.map((counts): Site => {
    const place = counts.site === undefined ? undefined : places.get(counts.site)
    if (place) places.delete(place.site)
    return { ...counts, coordinates: place?.coordinates }
  })
  for (const { site, coordinates } of places.values()) sites.push({ ...NO_STATIONS, site, coordinates })
  return sites
}

export async function findSite(parts: SiteContext, accountId: string, site: string): Promise<Site | undefined> {
  const [[counts], place] = await Promise.all([
    countSites(parts, accountId, site),
    parts.reads.getRecord('site_places', { accountId, site }),
  ])
  if (!counts && !place) return undefined
  return { ...(counts ?? { ...NO_STATIONS, site }), coordinates: place?.coordinates }
}

export async function isSite(
  reads: Pick<Reads, 'countChargePoints' | 'getRecord'>,
  accountId: string,
  site: string,
): Promise<boolean> {
  const labelled = await reads.countChargePoints({ accountId, filter: { labels: [['site', site]] } })
  return labelled > 0 || (await reads.getRecord('site_places', { accountId, site })) !== undefined
}

const NO_STATIONS: Omit<SiteCounts, 'site'> = {
  stations: 0,
  pending: 0,
  offline: 0,
  faulted: 0,
  charging: 0,
  powerMilliW: 0,
  milliWh: 0,
}

async function countSites({ reads, core, now, timeZone = 'UTC' }: SiteContext, accountId: string, site?: string) {
  const online = await core.onlineChargePoints(accountId)
  return reads.listSites({ accountId, online, since: startOfDay(now(), timeZone), site })
}

async function placesOf({ reads }: Pick<SiteContext, 'reads'>, accountId: string): Promise<Map<string, SitePosition>> {
  const places = await allRecords(reads, 'site_places', { accountId })
  return new Map(places.map((place) => [place.site, place]))
}

export async function placeSite(
  { reads, writes, now }: Pick<UseCaseContext, 'reads' | 'writes' | 'now'>,
  accountId: string,
  site: string,
  coordinates: Coordinates,
): Promise<{ readonly before: SitePosition | undefined; readonly after: SitePosition } | Refusal> {
  const before = await reads.getRecord('site_places', { accountId, site })
  if (!before) {
    const count = await reads.countRecords('site_places', { where: { accountId }, limit: MAX_PLACES })
    if (count >= MAX_PLACES) {
      return refuse(409, 'too_many_sites', `An account has at most ${MAX_PLACES} sites with coordinates.`)
    }
  }
  const at = now()
  const after = { accountId, site, coordinates, createdAt: before?.createdAt ?? at, updatedAt: at }
  await writes.putRecords('site_places', [after])
  return { before, after }
}

/** Its stations and their label stay. */
export async function unplaceSite(
  { reads, writes }: Omit<Pick<UseCaseContext, 'reads' | 'writes' | 'now'>, 'now'>,
  accountId: string,
  site: string,
): Promise<Refusal | undefined> {
  if (!(await reads.getRecord('site_places', { accountId, site }))) return noSuch('place of that site')
  await writes.removeRecords('site_places', [{ accountId, site }])
  return undefined
}

export const CoordinatesSchema = z
  .strictObject({
    latitude: z.number().min(-90).max(90).openapi({ description: 'Degrees of WGS 84, north positive.' }),
    longitude: z.number().min(-180).max(180).openapi({ description: 'Degrees of WGS 84, east positive.' }),
  })
  .openapi('Coordinates', { example: { latitude: 52.3759, longitude: 9.732 } })

export const PutSiteSchema = z.strictObject({ coordinates: CoordinatesSchema }).openapi('PutSite')

const count = z.int().min(0)

export const SiteSchema = z
  .strictObject({
    site: z.string().openapi({ description: 'The value of the label `site`.', example: 'North' }),
    coordinates: CoordinatesSchema.optional(),
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
