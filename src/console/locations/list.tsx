/** Locations, listed and on a map (LOCATION-P1). */
import { fitsSearch, shownLocations } from '../../application/locations/show.ts'
import { missingForAfir } from '../../domain/locations/afir-elements.ts'
import type { EvseStatus, Location } from '../../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../../domain/locations/shown.ts'
import { fittingRecords, PART } from '../../domain/records/all-records.ts'
import type { MapView } from '../../domain/sites/map.ts'
import { tariffsAt } from '../../domain/tariffs/places.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { type Filter, labelsOf, pageSize, parsed, search } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ButtonLink, chip, cutOff, Nothing, Panel, wordsIn } from '../kit/parts.tsx'
import { locationPath, queryText } from '../paths.ts'
import { insideOf, type MapPoint, PointMap } from '../sites/map.tsx'
import { mapOf, mapText } from '../sites/sites-page.tsx'
import { mayAct } from '../visit.tsx'

/** Drawn in some milliseconds. */
const MAX_ON_MAP = 500
const label = labelsOf('locations')
const map: Filter<MapView> = { ...parsed(label('part'), mapOf, { linked: true }), kind: 'tick' }
const FILTERS = { q: search(label('search')), map, size: pageSize }

export const showLocations: ConsolePage = listing('see', FILTERS, async (visit, query) => {
  const { frame, site, accountId, context } = visit
  const { asked, requested } = query
  const words = wordsIn('locations', frame)
  const path = `${frame.root}/locations`
  const found = (limit: number, after: string | undefined, fits: (one: Location) => boolean) =>
    fittingRecords<Location, Pick<Location, 'accountId' | 'locationId'>>(
      (from) => site.reads.listRecords('locations', { where: { accountId }, limit: PART, after: from }),
      (one) => fitsSearch(one, { q: requested.q }) && fits(one),
      limit,
      after === undefined ? undefined : { accountId, locationId: after },
    )
  const after = context.req.query('after')?.slice(0, 36)
  const isHere = (one: Location): boolean =>
    requested.map === undefined || insideOf(requested.map, [one.facts]).length > 0
  const [some, onMap] = await Promise.all([
    found(rowsAsked(frame), after, isHere),
    found(MAX_ON_MAP, undefined, () => true),
  ])
  const { rows, last } = pageOfRows(some, frame)
  const shown = await shownLocations(site.reads, rows)
  const pricing = tariffsAt(await site.reads.listTariffs(accountId))
  const points = (await shownLocations(site.reads, onMap)).map((one) => pointOf(frame, one))
  const to = (view: MapView | undefined): string => {
    const { map: _, ...others } = asked
    return path + queryText({ ...others, ...(view && { map: mapText(view) }) })
  }
  return (
    <Page frame={frame} title={words.title} wide live>
      <Title text={words.title}>
        <ButtonLink to={`${frame.root}/export/locations?format=csv`} text={words.exportCsv} download />
        <ButtonLink to={`${frame.root}/export/locations?format=ocpi`} text={words.exportOcpi} download />
        {mayAct(visit) && <ButtonLink to={`${frame.root}/import/locations`} text={words.importLocations} />}
        {mayAct(visit) && <ButtonLink to={`${frame.root}/new-location`} text={words.newLocation} main />}
      </Title>
      <FilterForm frame={frame} path={path} filters={FILTERS} query={query} />
      <div class="cols">
        <div data-live="locations">
          <TableCard<ShownLocation>
            label={words.title}
            oneLine
            rows={shown}
            empty={frame.texts.noMatches}
            columns={[
              {
                title: words.name,
                kind: 'name',
                cell: (one) => (
                  <TextLink class="name-link" to={locationPath(frame, one.locationId)} text={nameOf(one)} />
                ),
              },
              cutOff(words.place, ({ facts }) => `${facts.address}, ${facts.city}`, { wideOnly: true }),
              {
                title: words.free,
                kind: 'number',
                width: 88,
                cell: ({ evses }) => words.partOf(countOf(frame, evses, 'AVAILABLE'), countOf(frame, evses)),
              },
              chip(words.state, (one) => stateOf(frame, one), { width: 120 }),
              { title: words.public, width: 104, wideOnly: true, cell: ({ publish }) => publish && words.yes },
              {
                title: words.missing,
                width: 104,
                wideOnly: true,
                cell: (one) => missingText(frame, missingForAfir(one, pricing).length),
              },
            ]}
            after={
              <Paging frame={frame} path={path} query={asked} later={after !== undefined} next={last?.locationId} />
            }
          />
          {onMap.length === 0 && !query.isNarrowed && <Nothing text={words.none} />}
        </div>
        <Panel
          title={words.map}
          live="map"
          said={onMap.length === MAX_ON_MAP ? words.onMap(shownFigure(frame, MAX_ON_MAP)) : undefined}
        >
          <PointMap
            {...{ frame, points, to }}
            view={requested.map}
            label={words.mapOf}
            several={words.markOf}
            nothing={words.nothingOnMap}
          />
        </Panel>
      </div>
    </Page>
  )
})

export function nameOf({ locationId, facts }: Location): string {
  return facts.name ?? locationId
}

function countOf(frame: Frame, evses: readonly ShownEvse[], only?: EvseStatus): string {
  const counted = evses.filter(({ status }) => (only ? status === only : status !== 'REMOVED'))
  return shownFigure(frame, counted.length)
}

function missingText(frame: Frame, count: number): string {
  const words = wordsIn('locations', frame)
  return count === 0 ? words.complete : words.missingOf(shownFigure(frame, count))
}

/** What an operator has to see first comes first. */
const TONES: Readonly<Record<EvseStatus, string>> = {
  OUTOFORDER: 'bad',
  UNKNOWN: 'amber',
  INOPERATIVE: 'amber',
  BLOCKED: '',
  CHARGING: 'charging',
  RESERVED: '',
  AVAILABLE: '',
  PLANNED: 'over',
  REMOVED: 'over',
}
const RANKS = Object.keys(TONES) as readonly EvseStatus[]

function worstOf({ evses }: ShownLocation): EvseStatus | undefined {
  return RANKS.find((rank) => rank !== 'REMOVED' && evses.some(({ status }) => status === rank))
}

export function statusChip(frame: Frame, status: EvseStatus | undefined): readonly [tone: string, text: string] {
  const words = wordsIn('locations', frame)
  return status ? [TONES[status], words.statuses[status]] : ['over', words.noEvses]
}

export function stateOf(frame: Frame, location: ShownLocation): readonly [tone: string, text: string] {
  return statusChip(frame, worstOf(location))
}

function pointOf(frame: Frame, location: ShownLocation): MapPoint {
  const [tone, state] = stateOf(frame, location)
  const { coordinates } = location.facts
  const path = locationPath(frame, location.locationId)
  const worst = worstOf(location)
  return { coordinates, name: nameOf(location), path, state, tone, rank: worst ? RANKS.indexOf(worst) : RANKS.length }
}
