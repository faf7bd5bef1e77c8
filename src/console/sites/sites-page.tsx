import type { FC } from 'hono/jsx'
import type { Site } from '../../application/sites/sites.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import type { SiteOrder } from '../../domain/sites/site.ts'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { type Column, TableCard, TextLink } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { FilterForm } from '../kit/filter-form.tsx'
import { Nothing, TabBar } from '../kit/frame.tsx'
import { Paging } from '../kit/list.tsx'
import { Panel } from '../kit/panel.tsx'
import { siteTexts } from '../kit/texts.ts'
import { queryText, sitePath } from '../paths.ts'
import { type PlacedSite, SiteMap } from './map.tsx'
import { mapText, SITE_FILTERS, SITE_VIEWS, type SiteListView, type SitesQuery } from './query.ts'
import { SiteChip } from './site-chip.tsx'

/** Most urgent first; beside it the same on a map (SITE-P1). */
export const SitesPage: FC<{
  readonly frame: Frame
  readonly query: SitesQuery
  readonly rows: readonly Site[]
  readonly total: number
  readonly counts: Readonly<Record<SiteListView, number>>
  readonly stations: number
  readonly onMap: readonly PlacedSite[]
  readonly unplaced: number
  readonly groups: ReadonlyMap<string, readonly LimitGroup[]>
  readonly voltage: number
  readonly before: number
}> = (shown) => {
  const { frame, query, rows, total, counts, stations, onMap, unplaced, groups, voltage, before } = shown
  const words = siteTexts(frame)
  const path = `${frame.root}/sites`
  const { asked, requested } = query
  const isDescending = requested.order === 'desc'
  const figure = (value: number): string => shownFigure(frame, value)
  const without = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(asked).filter(([name]) => !names.includes(name)))
  const to = (map: Parameters<typeof mapText>[0] | undefined): string =>
    path + queryText({ ...without('map'), ...(map && { map: mapText(map) }) })
  const sorted = (by: SiteOrder, first: 'asc' | 'desc' = 'desc'): NonNullable<Column<Site>['sort']> => {
    const isNow = (requested.sort ?? 'state') === by
    const order = isNow ? (isDescending ? 'asc' : 'desc') : first
    return {
      to: path + queryText({ ...without('sort', 'order'), sort: by, order }),
      now: isNow ? (isDescending ? 'descending' : 'ascending') : undefined,
    }
  }
  const part = { first: before + 1, rows: rows.length, total }
  return (
    <Page frame={frame} title={frame.texts.sites} wide live>
      <Title text={frame.texts.sites} said={words.sitesOf(figure(counts.all), figure(stations))} />
      <TabBar
        label={words.views}
        tabs={SITE_VIEWS.map((view) => ({
          to: path + queryText(view === 'all' ? {} : { show: view }),
          text: words.view[view],
          count: figure(counts[view]),
          isHere: (requested.show ?? 'all') === view,
        }))}
      />
      <FilterForm frame={frame} path={path} filters={SITE_FILTERS} query={query} />
      <div class="cols">
        <div data-live="sites">
          <TableCard
            label={frame.texts.sites}
            oneLine
            rows={rows}
            empty={frame.texts.noMatches}
            columns={[
              {
                title: words.site,
                kind: 'name',
                sort: sorted('site', 'asc'),
                whole: ({ site }: Site) => site,
                cell: ({ site }: Site) =>
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
                cell: (site: Site) => <SiteChip frame={frame} site={site} />,
              },
              {
                ...figureColumn(words.stations, sorted('stations'), ({ stations: all }) => figure(all)),
                width: 104,
              },
              figureColumn(words.offline, sorted('offline'), ({ offline }) => offline > 0 && figure(offline)),
              figureColumn(words.faulted, sorted('faulted'), ({ faulted }) => faulted > 0 && figure(faulted)),
              {
                ...figureColumn(words.power, sorted('power'), ({ powerMilliW }) => figureOf(frame, powerMilliW)),
                wideOnly: false,
              },
              figureColumn(words.energy, sorted('energy'), ({ milliWh }) => figureOf(frame, milliWh)),
              {
                title: words.limit,
                kind: 'number',
                width: 88,
                roomy: true,
                cell: ({ site }: Site) =>
                  site !== undefined && <Limit frame={frame} groups={groups.get(site) ?? []} voltage={voltage} />,
              },
            ]}
            after={
              <Paging
                frame={frame}
                path={path}
                query={asked}
                later={before > 0}
                next={before + rows.length < total ? { before: String(before + rows.length) } : undefined}
                part={part}
              />
            }
          />
          {counts.all === 0 ? <Nothing text={words.none} /> : <p class="soft small">{words.energyHint}</p>}
        </div>
        <Panel title={words.map} live="map" said={unplaced > 0 ? words.notOnMap(figure(unplaced)) : undefined}>
          <SiteMap frame={frame} sites={onMap} view={requested.map} to={to} />
        </Panel>
      </div>
    </Page>
  )
}

function figureColumn(
  title: string,
  sort: Column<Site>['sort'],
  cell: NonNullable<Column<Site>['cell']>,
): Column<Site> {
  return { title, kind: 'number', width: 72, wideOnly: true, cell, sort }
}

/** Of millionths of what is shown; nothing of nothing. */
function figureOf(frame: Frame, millionths: number): string | false {
  return millionths > 0 && shownFigure(frame, millionths / 1_000_000, 1)
}

const Limit: FC<{ frame: Frame; groups: readonly LimitGroup[]; voltage: number }> = ({ frame, groups, voltage }) => {
  const [only, more] = groups
  if (!only) return null
  if (more) return <a href={`${frame.root}/limits`}>{siteTexts(frame).groups(shownFigure(frame, groups.length))}</a>
  return <a href={`${frame.root}/limits/${only.name}`}>{shownLimit(frame, only, voltage)}</a>
}

/** Of each phase. */
export function shownLimit(frame: Frame, group: LimitGroup, voltage: number): string {
  return `${shownFigure(frame, groupOf(group, voltage).limitAmps)} A`
}
