import type { FC } from 'hono/jsx'
import { shownValue } from '../../application/configuration/orders.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import type { StationStatus } from '../../domain/configuration/status.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { Ago } from '../../web/times.tsx'
import { Paging } from '../kit/list.tsx'
import { TableCard, TextLink } from '../kit/table.tsx'
import { SelectorText } from '../selector/choosing.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import { FleetStatus, type StatusQuery } from './fleet-status.tsx'
import { configurationTexts } from './texts.ts'

export const ConfigurationsPage: FC<{
  visit: Visit
  configurations: readonly Configuration[]
  next: string | undefined
}> = ({ visit, configurations, next }) => {
  const { frame } = visit
  const words = configurationTexts(frame)
  const path = `${frame.root}/configurations`
  return (
    <Page frame={frame} title={words.configurations} wide>
      <div class="heading">
        <h1>{words.configurations}</h1>
        {mayAct(visit) && <a href={`${frame.root}/new-configuration`}>{words.make}</a>}
      </div>
      <p class="soft">{words.lead}</p>
      <TableCard
        label={words.configurations}
        rows={configurations}
        empty={words.none}
        columns={[
          {
            title: words.name,
            kind: 'name',
            cell: ({ name }) => <TextLink to={`${path}/${encodeURIComponent(name)}`} text={name} />,
          },
          { title: words.charging, cell: ({ selector }) => <SelectorText frame={frame} selector={selector} /> },
          { title: words.values, cell: ({ variables, keys16 }) => variables.length + keys16.length },
          { title: words.priority, cell: ({ priority }) => priority },
          { title: words.changed, kind: 'time', cell: ({ updatedAt }) => <Ago frame={frame} at={updatedAt} /> },
        ]}
      />
      <Paging frame={frame} path={path} next={next ? { after: next } : undefined} />
    </Page>
  )
}

/** One configuration: what it sets, and how far each charge point is. */
export const ConfigurationPage: FC<{
  visit: Visit
  configuration: Configuration
  stations: readonly StationStatus[]
  query: StatusQuery
}> = ({ visit, configuration, stations, query }) => {
  const { frame } = visit
  const words = configurationTexts(frame)
  const { name } = configuration
  const path = `${frame.root}/configurations/${encodeURIComponent(name)}`
  return (
    <Page frame={frame} title={name} wide live>
      <div class="heading">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {mayAct(visit) && (
          <p class="filters">
            <a href={`${path}/edit`}>{words.edit}</a>
            <a href={`${path}/delete`}>{words.delete}</a>
          </p>
        )}
      </div>
      <DesiredSettings frame={frame} configuration={configuration} />
      <FleetStatus visit={visit} path={path} stations={stations} query={query} empty={words.noStations} />
    </Page>
  )
}

const DesiredSettings: FC<{ frame: Frame; configuration: Configuration }> = ({ frame, configuration }) => {
  const words = configurationTexts(frame)
  const { selector, priority, variables, keys16, rebootPolicy, rebootWindow, updatedAt } = configuration
  const values = [
    ...variables.map((one) => [nameText(one), shownValue(one)] as const),
    ...keys16.map((one) => [one.key, shownValue(one)] as const),
  ]
  return (
    <section class="card">
      <dl>
        <dt>{words.charging}</dt>
        <dd>
          <SelectorText frame={frame} selector={selector} />
        </dd>
        {values.map(([what, value]) => (
          <>
            <dt class="host">
              <bdi>{what}</bdi>
            </dt>
            <dd class="host">
              <bdi>{value}</bdi>
            </dd>
          </>
        ))}
        <dt>{words.reboot}</dt>
        <dd>
          {words.policies[rebootPolicy]}
          {rebootWindow &&
            ` ${rebootWindow.start}–${rebootWindow.end} ${rebootWindow.timeZone} ${(rebootWindow.days ?? []).join(' ')}`}
        </dd>
        <dt>{words.priority}</dt>
        <dd>{priority}</dd>
        <dt>{words.changed}</dt>
        <dd>
          <Ago frame={frame} at={updatedAt} />
        </dd>
      </dl>
    </section>
  )
}
