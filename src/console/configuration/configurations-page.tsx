import type { FC } from 'hono/jsx'
import { shownValue } from '../../application/configuration/orders.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { INTENT_STATES, type IntentState } from '../../domain/intents/records.ts'
import { Sealed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { intentTexts } from '../intents/texts.ts'
import { StateChip } from '../intents/wanted.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { SelectorText } from '../selector/choosing.tsx'
import { operatorTexts } from '../texts.ts'
import { configurationTexts } from './texts.ts'

export const ConfigurationsPage: FC<{
  frame: Frame
  configurations: readonly Configuration[]
  next?: string
  acts: boolean
}> = ({ frame, configurations, next, acts }) => {
  const words = configurationTexts(frame)
  const path = `${frame.root}/configurations`
  return (
    <Page frame={frame} title={words.configurations} wide>
      <div class="heading">
        <h1>{words.configurations}</h1>
        {acts && <a href={`${frame.root}/new-configuration`}>{words.make}</a>}
      </div>
      <p class="soft">{words.lead}</p>
      {configurations.length === 0 ? (
        <p class="card soft">{words.none}</p>
      ) : (
        <section class="card scrolls" aria-label={words.configurations} tabindex={0}>
          <table class="cards">
            <Headings of={[words.name, words.charging, words.values, words.priority, words.changed]} />
            <tbody>
              {configurations.map(({ name, selector, variables, keys16, priority, updatedAt }) => (
                <tr>
                  <td class="name">
                    <a href={`${path}/${encodeURIComponent(name)}`}>
                      <bdi>{name}</bdi>
                    </a>
                  </td>
                  <td data-label={words.charging}>
                    <SelectorText frame={frame} selector={selector} />
                  </td>
                  <td data-label={words.values}>{variables.length + keys16.length}</td>
                  <td data-label={words.priority}>{priority}</td>
                  <td class="time">{shownTime(updatedAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {next !== undefined && (
        <p class="filters">
          <a href={path + queryText({ after: next })} rel="next">
            {operatorTexts(frame).next}
          </a>
        </p>
      )}
    </Page>
  )
}

/** One configuration: what it sets, and how far each charge point is. */
export const ConfigurationPage: FC<{
  frame: Frame
  configuration: Configuration
  stations: readonly StationStatus[]
  rows: readonly StationStatus[]
  state: IntentState | undefined
  /** The address asks for a state that there is not. */
  isWrong: boolean
  next?: string
  acts: boolean
}> = ({ frame, configuration, stations, rows, state, isWrong, next, acts }) => {
  const words = configurationTexts(frame)
  const { name } = configuration
  const path = `${frame.root}/configurations/${encodeURIComponent(name)}`
  return (
    <Page frame={frame} title={name} wide live>
      <div class="heading">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {acts && (
          <p class="filters">
            <a href={`${path}/edit`}>{words.edit}</a>
            <a href={`${path}/delete`}>{words.delete}</a>
          </p>
        )}
      </div>
      <DesiredSettings frame={frame} configuration={configuration} />
      <section class="card" data-live="status" aria-labelledby="status">
        <h2 id="status">{words.status}</h2>
        {isWrong && <Warning>{words.badState}</Warning>}
        <Counts frame={frame} path={path} stations={stations} state={state} />
        {rows.length === 0 ? <p class="soft">{words.noStations}</p> : <Stations frame={frame} rows={rows} />}
        {next !== undefined && (
          <p class="filters">
            <a href={path + queryText({ ...(state && { state }), after: next })} rel="next">
              {operatorTexts(frame).next}
            </a>
          </p>
        )}
      </section>
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
        <dd>{shownTime(updatedAt)}</dd>
      </dl>
    </section>
  )
}

/** Each state with its number, as a filter. */
const Counts: FC<{
  frame: Frame
  path: string
  stations: readonly StationStatus[]
  state: IntentState | undefined
}> = ({ frame, path, stations, state }) => {
  const counts = countsOf(stations)
  return (
    <p class="filters">
      <a href={path} aria-current={state === undefined ? 'page' : undefined}>
        {configurationTexts(frame).all} {stations.length}
      </a>
      {INTENT_STATES.filter((one) => counts[one] !== undefined).map((one) => (
        <a href={path + queryText({ state: one })} aria-current={one === state ? 'page' : undefined}>
          {intentTexts(frame).states[one]} {counts[one]}
        </a>
      ))}
    </p>
  )
}

const Stations: FC<{ frame: Frame; rows: readonly StationStatus[] }> = ({ frame, rows }) => {
  const words = configurationTexts(frame)
  return (
    <table class="cards">
      <Headings of={[words.station, words.state, words.reason, words.changed]} />
      <tbody>
        {rows.map(({ evseControllerId: id, state, reason, updatedAt }) => (
          <tr>
            <td class="host">
              <a href={`${chargePointPath(frame, id)}/variables`}>
                <bdi>{id}</bdi>
              </a>
            </td>
            <td data-label={words.state}>
              <StateChip frame={frame} state={state} />
            </td>
            <TextCell label={words.reason} text={reason} />
            <td class="time">{shownTime(Date.parse(updatedAt))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const ConfigurationDeletionPage: FC<{ frame: Frame; name: string; csrf: string }> = ({ frame, name, csrf }) => {
  const words = configurationTexts(frame)
  const path = `${frame.root}/configurations/${encodeURIComponent(name)}`
  return (
    <Page frame={frame} title={words.deleteAsk}>
      <form class="card" method="post" action={`${path}/delete`}>
        <h1>{words.deleteAsk}</h1>
        <Sealed csrf={csrf} />
        <p>
          <bdi class="host">{name}</bdi>
        </p>
        <p>{words.deleteLead}</p>
        <div class="actions">
          <button class="danger" type="submit">
            {words.delete}
          </button>
          <a href={path}>{words.cancel}</a>
        </div>
      </form>
    </Page>
  )
}
