/** The list of sites, most urgent first, and beside it the same on a map (SITE-P1). */
import type { FC } from 'hono/jsx'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { listSites, type Site } from '../../application/sites/sites.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import { MAX_ZOOM, type MapView } from '../../domain/sites/map.ts'
import {
  groupsBySite,
  inOrder,
  needsAttention,
  SITE_ORDERS,
  type SiteOrder,
  siteState,
} from '../../domain/sites/site.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Column, TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { type Filter, kept, labelsOf, pageSize, parsed, search } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listing } from '../kit/listing.ts'
import { figure, Nothing, Panel, TabBar, wordsIn } from '../kit/parts.tsx'
import { queryText, sitePath } from '../paths.ts'
import { insideOf, isPlaced, SiteChip, SiteMap } from './map.tsx'

const SITE_VIEWS = ['all', 'needs', 'unplaced'] as const
type SiteListView = (typeof SITE_VIEWS)[number]

const NUMBER = String.raw`(-?\d{1,3}(?:\.\d{1,10})?)`
const MAP = new RegExp(`^${NUMBER},${NUMBER},(\\d{1,2})$`)

const label = labelsOf('sites')
const map: Filter<MapView> = { ...parsed(label('part'), mapOf, { linked: true }), kind: 'tick' }

const SITE_FILTERS = {
  q: search(label('search')),
  map,
  show: kept(SITE_VIEWS),
  sort: kept(SITE_ORDERS),
  order: kept(['asc', 'desc']),
  size: pageSize,
}

export function mapOf(text: string): MapView | undefined {
  const [latitude = 99, longitude = 999, zoom = 99] = (MAP.exec(text)?.slice(1) ?? []).map(Number)
  const isOne = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom <= MAX_ZOOM
  return isOne ? { latitude, longitude, zoom } : undefined
}

/** For the address of the list: to a few meters. */
export function mapText({ latitude, longitude, zoom }: MapView): string {
  return [latitude.toFixed(4), longitude.toFixed(4), zoom].join(',')
}

export const showSites: ConsolePage = listing('see', SITE_FILTERS, async (visit, query) => {
  const { frame, context, site, accountId } = visit
  const { asked, requested } = query
  const { q = '', map, show = 'all', sort: by = 'state', order } = requested
  const sent = context.req.query('before') ?? ''
  const before = /^\d{1,6}$/.test(sent) ? Number(sent) : 0
  const [all, limitGroups] = await Promise.all([listSites(site, accountId), groupsOfAccount(site, accountId)])
  const named = all.filter((one) => one.site !== undefined)
  const views: Readonly<Record<SiteListView, readonly Site[]>> = {
    all,
    needs: all.filter((one) => needsAttention(siteState(one))),
    unplaced: named.filter((one) => !isPlaced(one)),
  }
  const folded = (text: string): string => text.normalize('NFC').toLowerCase()
  const like = views[show].filter(({ site: name = '' }) => folded(name).includes(folded(q)))
  const onMap = like.filter(isPlaced)
  const needing = views.needs.filter((one) => one.site !== undefined)
  const isWrong = query.wrong.length > 0
  const isDescending = order === 'desc'
  const found = isWrong ? [] : inOrder(map ? insideOf(map, onMap) : like, { by, descending: isDescending })
  const rows = found.slice(before, before + frame.pageSize)
  const unplaced = like.filter((one) => one.site !== undefined).length - onMap.length
  const counts = { all: named.length, needs: needing.length, unplaced: views.unplaced.length }
  const stations = all.reduce((sum, one) => sum + one.stations, 0)
  const groups = groupsBySite(limitGroups)
  const words = wordsIn('sites', frame)
  const path = `${frame.root}/sites`
  const shown = (value: number): string => shownFigure(frame, value)
  const { voltage } = site
  const to = (view: MapView | undefined): string => path + queryText({ ...asked, map: view && mapText(view) })
  const sorted = (column: SiteOrder, first: 'asc' | 'desc' = 'desc'): NonNullable<Column<Site>['sort']> => {
    const isNow = by === column
    const next = isNow ? (isDescending ? 'asc' : 'desc') : first
    return {
      to: path + queryText({ ...asked, sort: column, order: next }),
      now: isNow ? (isDescending ? 'descending' : 'ascending') : undefined,
    }
  }
  return (
    <Page frame={frame} title={frame.texts.sites} wide live>
      <Title text={frame.texts.sites} said={words.sitesOf(shown(counts.all), shown(stations))} />
      <TabBar
        label={words.views}
        tabs={SITE_VIEWS.map((view) => ({
          to: path + queryText(view === 'all' ? {} : { show: view }),
          text: words.view[view],
          count: shown(counts[view]),
          isHere: show === view,
        }))}
      />
      <FilterForm frame={frame} path={path} filters={SITE_FILTERS} query={query} />
      <div class="cols">
        <div data-live="sites">
          <TableCard<Site>
            label={frame.texts.sites}
            oneLine
            rows={rows}
            empty={frame.texts.noMatches}
            columns={[
              {
                title: words.site,
                kind: 'name',
                sort: sorted('site', 'asc'),
                whole: ({ site }) => site,
                cell: ({ site }) =>
                  site === undefined ? (
                    <a class="soft" href={`${frame.root}/charge-points?siteless=true`}>
                      {words.noSite}
                    </a>
                  ) : (
                    <TextLink class="name-link" to={sitePath(frame, site)} text={site} />
                  ),
              },
              {
                title: words.state,
                width: 160,
                sort: sorted('state', 'asc'),
                cell: (site) => <SiteChip frame={frame} site={site} />,
              },
              figure(words.stations, (one) => shown(one.stations), {
                width: 104,
                wideOnly: true,
                sort: sorted('stations'),
              }),
              figure(words.offline, ({ offline }) => offline > 0 && shown(offline), {
                ...SMALL,
                sort: sorted('offline'),
              }),
              figure(words.faulted, ({ faulted }) => faulted > 0 && shown(faulted), {
                ...SMALL,
                sort: sorted('faulted'),
              }),
              figure(words.power, ({ powerMilliW }) => figureOf(frame, powerMilliW), {
                width: 72,
                sort: sorted('power'),
              }),
              figure(words.energy, ({ milliWh }) => figureOf(frame, milliWh), { ...SMALL, sort: sorted('energy') }),
              figure(
                words.limit,
                ({ site }) => <Limit frame={frame} groups={groups.get(site ?? '') ?? []} voltage={voltage} />,
                {
                  width: 88,
                  roomy: true,
                },
              ),
            ]}
            after={
              <Paging
                frame={frame}
                path={path}
                query={asked}
                later={before > 0}
                next={before + rows.length < found.length ? { before: String(before + rows.length) } : undefined}
                part={{ first: before + 1, rows: rows.length, total: found.length }}
              />
            }
          />
          {counts.all === 0 ? <Nothing text={words.none} /> : <p class="soft small">{words.energyHint}</p>}
        </div>
        <Panel title={words.map} live="map" said={unplaced > 0 ? words.notOnMap(shown(unplaced)) : undefined}>
          <SiteMap frame={frame} sites={onMap} view={map} to={to} />
        </Panel>
      </div>
    </Page>
  )
})

const SMALL = { width: 72, wideOnly: true } as const

/** Of millionths of what is shown; nothing of nothing. */
function figureOf(frame: Frame, millionths: number): string | false {
  return millionths > 0 && shownFigure(frame, millionths / 1_000_000, 1)
}

const Limit: FC<{ frame: Frame; groups: readonly LimitGroup[]; voltage: number }> = ({ frame, groups, voltage }) => {
  const [only, more] = groups
  if (!only) return null
  if (more)
    return <a href={`${frame.root}/limits`}>{wordsIn('sites', frame).groups(shownFigure(frame, groups.length))}</a>
  return <a href={`${frame.root}/limits/${only.name}`}>{shownLimit(frame, only, voltage)}</a>
}

/** Of each phase. */
export function shownLimit(frame: Frame, group: LimitGroup, voltage: number): string {
  return `${shownFigure(frame, groupOf(group, voltage).limitAmps)} A`
}
