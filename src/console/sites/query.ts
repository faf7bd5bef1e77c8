/** The list of sites in its address (SITE-P1). */
import { MAX_ZOOM, type MapView } from '../../domain/sites/map.ts'
import { SITE_ORDERS } from '../../domain/sites/site.ts'
import { type Filter, kept, type ListQuery, labelsOf, pageSize, parsed, search } from '../kit/filters.ts'
import { siteTexts } from '../kit/texts.ts'

export const SITE_VIEWS = ['all', 'needs', 'unplaced'] as const
export type SiteListView = (typeof SITE_VIEWS)[number]

const NUMBER = String.raw`(-?\d{1,3}(?:\.\d{1,10})?)`
const MAP = new RegExp(`^${NUMBER},${NUMBER},(\\d{1,2})$`)

const label = labelsOf(siteTexts)
const map: Filter<MapView> = { ...parsed(label('part'), mapOf, { linked: true }), kind: 'tick' }

export const SITE_FILTERS = {
  q: search(label('search')),
  map,
  show: kept(SITE_VIEWS),
  sort: kept(SITE_ORDERS),
  order: kept(['asc', 'desc']),
  size: pageSize,
}

export type SitesQuery = ListQuery<typeof SITE_FILTERS>

function mapOf(text: string): MapView | undefined {
  const [latitude = 99, longitude = 999, zoom = 99] = (MAP.exec(text)?.slice(1) ?? []).map(Number)
  const isOne = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom <= MAX_ZOOM
  return isOne ? { latitude, longitude, zoom } : undefined
}

/** As it stands in the address: to a few meters. */
export function mapText({ latitude, longitude, zoom }: MapView): string {
  return [latitude.toFixed(4), longitude.toFixed(4), zoom].join(',')
}
