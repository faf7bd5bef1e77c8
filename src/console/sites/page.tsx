/** Sites: listed and on a map, and each with its stations, limits, uptime and place (SITE-P1 to SITE-P4). */
import type { FC } from 'hono/jsx'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { CoordinatesSchema, findSite, placeSite, type Site, unplaceSite } from '../../application/sites/sites.ts'
import { type UptimeFigures, uptimeOfAll } from '../../application/uptime/rows.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { groupsBySite } from '../../domain/sites/site.ts'
import { DAY_MS } from '../../domain/time-zone.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { scaled, shownFigure } from '../../web/figures.tsx'
import { TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import { shownSpan } from '../../web/times.tsx'
import { columnsOf } from '../charge-points/columns.tsx'
import { type ShownChargePoint, shownOf } from '../charge-points/shown-charge-point.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { checkedForm, Form, typedNumber, typedWith } from '../kit/form.tsx'
import { ButtonLink, Facts, KeyFigures, Nothing, Panel, wordsIn } from '../kit/parts.tsx'
import { queryText, sitePath } from '../paths.ts'
import { acting, again, mayAct, showing, type Visit } from '../visit.tsx'
import { isPlaced, SiteChip, SiteMap } from './map.tsx'
import { mapText, shownLimit, showSites } from './sites-page.tsx'

/** Of more stations, neither all are shown nor is their uptime computed while the page loads. */
const MAX_STATIONS = 100
const UPTIME_DAYS = 30

export const addSitePages: MountConsolePages = (page) => {
  page('/sites', { GET: showSites })
  page('/sites/:site', { GET: showing('see', (visit) => sitePage(visit, NOTHING_TYPED)) })
  page('/sites/:site/place', { POST: orderPlace })
}

/** SITE-P2: figures and stations, and beside them limits, reliability and place. */
async function sitePage(visit: Visit, typed: Typed) {
  const { site, context, accountId, frame } = visit
  const name = context.req.param('site') ?? ''
  const page = { accountId, sort: 'state', limit: MAX_STATIONS + 1 } as const
  const [found, rows, groups] = await Promise.all([
    findSite(site, accountId, name),
    findChargePoints(site, { site: name }, page),
    groupsOfAccount(site, accountId),
  ])
  if (!found) return undefined
  const few = rows.slice(0, MAX_STATIONS)
  const to = site.now()
  const period = { from: to - UPTIME_DAYS * DAY_MS, to }
  const shown: SiteShown = {
    visit,
    name,
    site: found,
    stations: await shownOf(visit, few),
    groups: groupsBySite(groups).get(name) ?? [],
    voltage: visit.site.voltage,
    uptime:
      rows.length > MAX_STATIONS
        ? undefined
        : await uptimeOfAll(
            site,
            few.map(({ view }) => view),
            period,
          ),
    typed,
  }
  const words = wordsIn('sites', frame)
  return (
    <Page frame={frame} title={name} wide live>
      <Title
        text={<bdi>{name}</bdi>}
        said={
          <span data-live="state">
            <SiteChip frame={frame} site={found} />
          </span>
        }
      >
        {isPlaced(found) && (
          <ButtonLink
            to={`${frame.root}/sites${queryText({ map: mapText({ ...found.coordinates, zoom: 12 }) })}`}
            text={words.showOnMap}
          />
        )}
      </Title>
      <div data-live="figures">
        <Figures {...shown} />
      </div>
      <div class="cols">
        <Stations {...shown} />
        <div>
          <Limits {...shown} />
          <Uptime {...shown} />
          <Place {...shown} />
        </div>
      </div>
    </Page>
  )
}

/** Sets the coordinates of a site; two empty fields remove them (SITE-P4). */
const orderPlace: ConsolePage = acting(actionOf, async (visit, form) => {
  const { site, context, accountId } = visit
  const name = context.req.param('site') ?? ''
  const isEmpty = ['latitude', 'longitude'].every((field) => (form.get(field) ?? '').trim() === '')
  const done = isEmpty ? await unplaceSite(site, accountId, name) : await place(visit, name, form)
  if (!done) return `/sites/${encodeURIComponent(name)}`
  const page = await sitePage(visit, typedWith(form, done))
  return page === undefined ? done : again(page, done)
})

async function place({ site, accountId }: Visit, name: string, form: URLSearchParams): Promise<Refusal | undefined> {
  const [latitude, longitude] = [typedNumber(form, 'latitude'), typedNumber(form, 'longitude')]
  const coordinates = checkedForm(CoordinatesSchema, { latitude, longitude })
  const placed = 'refused' in coordinates ? coordinates : await placeSite(site, accountId, name, coordinates)
  return 'refused' in placed ? placed : undefined
}

function actionOf({ req }: PageContext): string {
  return `place of ${req.param('site') ?? ''}`
}

interface SiteShown {
  readonly visit: Visit
  readonly name: string
  readonly site: Site
  readonly stations: readonly ShownChargePoint[]
  readonly groups: readonly LimitGroup[]
  readonly voltage: number
  /** Absent: of too many stations. */
  readonly uptime: UptimeFigures | undefined
  readonly typed: Typed
}

const Figures: FC<SiteShown> = ({ visit: { frame }, name, site }) => {
  const words = wordsIn('sites', frame)
  const list = (narrowing: Readonly<Record<string, string>> = {}): string =>
    `${frame.root}/charge-points${queryText({ site: name, ...narrowing })}`
  const counted = (label: string, count: number, narrowing?: Readonly<Record<string, string>>) => ({
    label,
    figure: shownFigure(frame, count),
    to: list(narrowing),
  })
  const isCharging = { online: 'true', charging: 'true' }
  const { stations, offline, faulted, charging, pending, powerMilliW, milliWh } = site
  return (
    <KeyFigures
      label={frame.texts.overview}
      figures={[
        counted(words.allStations, stations),
        { ...counted(words.offline, offline, { online: 'false', registration: 'Accepted' }), bad: offline > 0 },
        { ...counted(words.faulted, faulted, { online: 'true', status: 'Faulted' }), bad: faulted > 0 },
        ...(pending > 0 ? [counted(words.pending, pending, { registration: 'Pending' })] : []),
        counted(words.charging, charging, isCharging),
        { label: words.drawsNow, ...scaled(frame, powerMilliW / 1_000_000, 'W'), to: list(isCharging) },
        { label: words.energyToday, ...scaled(frame, milliWh / 1_000_000, 'Wh'), to: list() },
      ]}
    />
  )
}

const Stations: FC<SiteShown> = ({ visit: { frame }, name, site, stations }) => {
  const words = wordsIn('sites', frame)
  const all = `${frame.root}/charge-points${queryText({ site: name })}`
  return (
    <div data-live="stations">
      <TableCard
        label={frame.texts.stations}
        oneLine
        rows={stations}
        columns={columnsOf(frame, ['id', 'name', 'state', 'since', 'power', 'stateOfCharge'], () => undefined)}
        empty={words.noStations}
        after={
          site.stations > stations.length && (
            <p class="pager">
              <a href={all}>{words.everyStation(shownFigure(frame, site.stations))}</a>
            </p>
          )
        }
      />
    </div>
  )
}

const Limits: FC<SiteShown> = ({ visit: { frame }, groups, voltage }) => {
  const words = wordsIn('sites', frame)
  return (
    <Panel title={words.limitGroups}>
      {groups.length === 0 && <p class="soft">{words.noGroups}</p>}
      <ul class="rows">
        {groups.map((group) => (
          <li>
            <TextLink to={`${frame.root}/limits/${group.name}`} text={group.name} />
            <span class="end">{shownLimit(frame, group, voltage)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const Uptime: FC<SiteShown> = ({ visit: { frame }, uptime }) => {
  const words = wordsIn('sites', frame)
  const span = (seconds: number): string | false => seconds > 0 && shownSpan(frame, seconds * 1000)
  return (
    <Panel title={words.uptime} end={<a href={`${frame.root}/uptime?group=site`}>{words.bySite}</a>}>
      {uptime ? (
        <Facts
          facts={[
            [
              words.share,
              uptime.uptime === undefined ? words.notKnown : `${shownFigure(frame, uptime.uptime * 100, 2)} %`,
            ],
            [words.down, span(uptime.downtimeSeconds)],
            [words.planned, span(uptime.plannedSeconds)],
          ]}
        />
      ) : (
        <p class="soft">{words.tooMany}</p>
      )}
    </Panel>
  )
}

const Place: FC<SiteShown> = ({ visit, name, site, typed }) => {
  const { frame } = visit
  const words = wordsIn('sites', frame)
  const { coordinates } = site
  const degrees = { inputmode: 'decimal', maxlength: 20 } as const
  return (
    <>
      <Panel title={words.place}>
        {isPlaced(site) ? (
          <SiteMap frame={frame} sites={[site]} view={{ ...site.coordinates, zoom: 5 }} />
        ) : (
          <Nothing text={words.noPlace} />
        )}
        {coordinates && <p class="small soft">{`${coordinates.latitude}, ${coordinates.longitude}`}</p>}
      </Panel>
      {mayAct(visit) && (
        <Form
          visit={visit}
          action={actionOf(visit.context)}
          to={`${sitePath(frame, name)}/place`}
          submit={words.setPlace}
          typed={typed}
          lead={coordinates && words.placeHint}
          fields={[
            {
              name: 'latitude',
              label: words.latitude,
              hint: words.latitudeHint,
              value: coordinates && String(coordinates.latitude),
              ...degrees,
            },
            {
              name: 'longitude',
              label: words.longitude,
              hint: words.longitudeHint,
              value: coordinates && String(coordinates.longitude),
              ...degrees,
            },
          ]}
        />
      )}
    </>
  )
}
