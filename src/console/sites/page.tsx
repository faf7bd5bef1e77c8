/** Sites: listed and on a map, and each with its stations, limits, uptime and place (SITE-P1 to SITE-P4). */
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { findSite, listSites, placeSite, type Site, unplaceSite } from '../../application/sites/sites.ts'
import { type UptimeFigures, uptimeOfAll } from '../../application/uptime/rows.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import type { Coordinates } from '../../domain/sites/records.ts'
import { groupsBySite, inOrder, needsAttention, siteState } from '../../domain/sites/site.ts'
import { DAY_MS } from '../../domain/time-zone.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { shownOf } from '../charge-points/charge-points.tsx'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { listing } from '../kit/listing.ts'
import { typedWith } from '../kit/typed.ts'
import { acting, again, showing, type Visit } from '../visit.tsx'
import { insideOf, isPlaced } from './map.tsx'
import { SITE_FILTERS, type SiteListView } from './query.ts'
import { actionOf, SitePage } from './site-page.tsx'
import { SitesPage } from './sites-page.tsx'

/** Of more stations, neither all are shown nor is their uptime computed while somebody waits. */
const MAX_STATIONS = 100
const UPTIME_DAYS = 30

export const addSitePages: MountConsolePages = (page, parts) => {
  page('/sites', { GET: showSites(parts) })
  page('/sites/:site', { GET: showing('see', (visit) => sitePage(parts, visit, NOTHING_TYPED)) })
  page('/sites/:site/place', { POST: orderPlace(parts) })
}

function partsOf({ site: { reads, now } }: Visit, { core, timeZone }: OperatorContext) {
  return { reads, core, now, timeZone }
}

function showSites(parts: OperatorContext): ConsolePage {
  return listing('see', SITE_FILTERS, async (visit, query) => {
    const { frame, context, site, accountId } = visit
    const { q: requested = '', map, show = 'all', sort: by = 'state', order } = query.requested
    const sent = context.req.query('before') ?? ''
    const before = /^\d{1,6}$/.test(sent) ? Number(sent) : 0
    const [all, groups] = await Promise.all([
      listSites(partsOf(visit, parts), accountId),
      groupsOfAccount(site, accountId),
    ])
    const named = all.filter((one) => one.site !== undefined)
    const views: Readonly<Record<SiteListView, readonly Site[]>> = {
      all,
      needs: all.filter((one) => needsAttention(siteState(one))),
      unplaced: named.filter((one) => !isPlaced(one)),
    }
    const q = requested.normalize('NFC').toLowerCase()
    const like = views[show].filter(({ site: name = '' }) => name.normalize('NFC').toLowerCase().includes(q))
    const onMap = like.filter(isPlaced)
    const needing = views.needs.filter((one) => one.site !== undefined)
    const isWrong = query.wrong.length > 0
    const found = isWrong ? [] : inOrder(map ? insideOf(map, onMap) : like, { by, descending: order === 'desc' })
    return (
      <SitesPage
        frame={frame}
        query={query}
        rows={found.slice(before, before + frame.pageSize)}
        total={found.length}
        counts={{ all: named.length, needs: needing.length, unplaced: views.unplaced.length }}
        stations={all.reduce((sum, { stations }) => sum + stations, 0)}
        onMap={onMap}
        unplaced={like.filter((one) => one.site !== undefined).length - onMap.length}
        groups={groupsBySite(groups)}
        voltage={parts.voltage}
        before={before}
      />
    )
  })
}

async function sitePage(parts: OperatorContext, visit: Visit, typed: Typed) {
  const { site, context, accountId } = visit
  const name = context.req.param('site') ?? ''
  const page = { accountId, sort: 'state', limit: MAX_STATIONS + 1 } as const
  const [found, rows, groups] = await Promise.all([
    findSite(partsOf(visit, parts), accountId, name),
    findChargePoints({ reads: site.reads, core: parts.core }, { site: name }, page),
    groupsOfAccount(site, accountId),
  ])
  if (!found) return undefined
  const views = rows.slice(0, MAX_STATIONS).map(({ view }) => view)
  return (
    <SitePage
      visit={visit}
      name={name}
      site={found}
      stations={await shownOf(parts, visit, rows.slice(0, MAX_STATIONS))}
      groups={groupsBySite(groups).get(name) ?? []}
      voltage={parts.voltage}
      uptime={rows.length <= MAX_STATIONS ? await uptimeOf(visit, parts, views) : undefined}
      typed={typed}
    />
  )
}

async function uptimeOf(
  { site: { reads, now } }: Visit,
  { timeZone }: OperatorContext,
  stations: readonly ChargePointView[],
): Promise<UptimeFigures> {
  const to = now()
  return uptimeOfAll({ reads, now, timeZone }, stations, { from: to - UPTIME_DAYS * DAY_MS, to })
}

/** Coordinates are said, or taken back by two empty fields (SITE-P4). */
function orderPlace(parts: OperatorContext): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const { site, context, accountId } = visit
    const name = context.req.param('site') ?? ''
    const isEmpty = ['latitude', 'longitude'].every((field) => (form.get(field) ?? '').trim() === '')
    const done = isEmpty ? await unplaceSite(site, accountId, name) : await place(visit, name, form)
    if (!done) return `/sites/${encodeURIComponent(name)}`
    const page = await sitePage(parts, visit, typedWith(form, done))
    return page === undefined ? done : again(page, done)
  })
}

async function place({ site, accountId }: Visit, name: string, form: URLSearchParams): Promise<Refusal | undefined> {
  const coordinates = readCoordinates(form)
  if ('faults' in coordinates) return refuseFaults(coordinates.faults)
  const placed = await placeSite(site, accountId, name, coordinates)
  return 'refused' in placed ? placed : undefined
}

function readCoordinates(form: URLSearchParams): Coordinates | { readonly faults: Parameters<typeof refuseFaults>[0] } {
  const latitude = degreesOf(form.get('latitude'), 90)
  const longitude = degreesOf(form.get('longitude'), 180)
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  const fault = (name: string, most: number, value: number | undefined) =>
    value === undefined
      ? [{ pointer: `/${name}`, code: 'invalid_value', message: `must be degrees from -${most} to ${most}` }]
      : []
  return { faults: [...fault('latitude', 90, latitude), ...fault('longitude', 180, longitude)] }
}

function degreesOf(text: string | null, most: number): number | undefined {
  const typed = (text ?? '').trim().replace(',', '.')
  const value = /^-?\d{1,3}(\.\d{1,12})?$/.test(typed) ? Number(typed) : Number.NaN
  return Math.abs(value) <= most ? value : undefined
}
