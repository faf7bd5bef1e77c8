import type { FC } from 'hono/jsx'
import type { Site } from '../../application/sites/sites.ts'
import type { UptimeFigures } from '../../application/uptime/rows.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import type { Typed } from '../../web/entries.tsx'
import { scaled, shownFigure } from '../../web/figures.tsx'
import { Page } from '../../web/layout.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import type { PageContext } from '../../web/site.ts'
import { shownSpan } from '../../web/times.tsx'
import { columnsOf } from '../charge-points/columns.tsx'
import type { ShownChargePoint } from '../charge-points/shown-charge-point.ts'
import { Facts } from '../kit/facts.tsx'
import { Form } from '../kit/form.tsx'
import { KeyFigures, Nothing } from '../kit/frame.tsx'
import { Panel } from '../kit/panel.tsx'
import { siteTexts } from '../kit/texts.ts'
import { queryText, sitePath } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { isPlaced, SiteMap } from './map.tsx'
import { mapText } from './query.ts'
import { SiteChip } from './site-chip.tsx'
import { shownLimit } from './sites-page.tsx'

export function actionOf({ req }: PageContext): string {
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

/** SITE-P2: figures and stations, and beside them limits, reliability and place. */
export const SitePage: FC<SiteShown> = (shown) => {
  const { visit, name, site } = shown
  const { frame } = visit
  const words = siteTexts(frame)
  return (
    <Page frame={frame} title={name} wide live>
      <Title
        text={<bdi>{name}</bdi>}
        said={
          <span data-live="state">
            <SiteChip frame={frame} site={site} />
          </span>
        }
      >
        {isPlaced(site) && (
          <a
            class="button"
            href={`${frame.root}/sites${queryText({ map: mapText({ ...site.coordinates, zoom: 12 }) })}`}
          >
            {words.showOnMap}
          </a>
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

const Figures: FC<SiteShown> = ({ visit: { frame }, name, site }) => {
  const words = siteTexts(frame)
  const list = (narrowing: Readonly<Record<string, string>> = {}): string =>
    `${frame.root}/charge-points${queryText({ site: name, ...narrowing })}`
  const figure = (value: number): string => shownFigure(frame, value)
  const { stations, offline, faulted, charging, pending, powerMilliW, milliWh } = site
  return (
    <KeyFigures
      label={frame.texts.overview}
      figures={[
        { label: words.allStations, figure: figure(stations), to: list() },
        {
          label: words.offline,
          figure: figure(offline),
          bad: offline > 0,
          to: list({ online: 'false', registration: 'Accepted' }),
        },
        {
          label: words.faulted,
          figure: figure(faulted),
          bad: faulted > 0,
          to: list({ online: 'true', status: 'Faulted' }),
        },
        ...(pending > 0
          ? [{ label: words.pending, figure: figure(pending), to: list({ registration: 'Pending' }) }]
          : []),
        { label: words.charging, figure: figure(charging), to: list({ online: 'true', charging: 'true' }) },
        {
          label: words.drawsNow,
          ...scaled(frame, powerMilliW / 1_000_000, 'W'),
          to: list({ online: 'true', charging: 'true' }),
        },
        { label: words.energyToday, ...scaled(frame, milliWh / 1_000_000, 'Wh'), to: list() },
      ]}
    />
  )
}

const Stations: FC<SiteShown> = ({ visit: { frame }, name, site, stations }) => {
  const words = siteTexts(frame)
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
  const words = siteTexts(frame)
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
  const words = siteTexts(frame)
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
  const words = siteTexts(frame)
  const { coordinates } = site
  const action = `place of ${name}`
  const to = `${sitePath(frame, name)}/place`
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
          action={action}
          to={to}
          submit={words.setPlace}
          typed={typed}
          lead={coordinates && words.placeHint}
          fields={[
            {
              name: 'latitude',
              label: words.latitude,
              hint: words.latitudeHint,
              inputmode: 'decimal',
              value: coordinates && String(coordinates.latitude),
              maxlength: 20,
            },
            {
              name: 'longitude',
              label: words.longitude,
              hint: words.longitudeHint,
              inputmode: 'decimal',
              value: coordinates && String(coordinates.longitude),
              maxlength: 20,
            },
          ]}
        />
      )}
    </>
  )
}
