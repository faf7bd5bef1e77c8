import type { FC } from 'hono/jsx'
import type { StationStatus } from '../../domain/configuration/status.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { MONITOR_TYPES, type Monitor, type MonitorSet } from '../../domain/monitors/records.ts'
import type { Command } from '../../domain/ports/storage.ts'
import type { Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Ago } from '../../web/times.tsx'
import { Message } from '../charge-points/long-message.tsx'
import { FleetStatus, type StatusQuery } from '../configuration/fleet-status.tsx'
import { Form } from '../kit/form.tsx'
import { Title } from '../kit/frame.tsx'
import { Paging, Way } from '../kit/list.tsx'
import { Table, TableCard, TextLink } from '../kit/table.tsx'
import { queryText } from '../paths.ts'
import { SelectorText, selectorFields } from '../selector/choosing.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import { type MonitorRow, shownRows } from './form.ts'
import { monitorTexts } from './texts.ts'

/** Message that tells of a monitored variable. */
export const TOLD = 'NotifyEvent'

export const MonitorSetsPage: FC<{
  visit: Visit
  sets: readonly MonitorSet[]
  next: string | undefined
  /** The newest messages that told of something. */
  told: readonly Command[]
  salt: bigint
}> = ({ visit, sets, next, told, salt }) => {
  const { frame, site } = visit
  const words = monitorTexts(frame)
  const path = `${frame.root}/monitors`
  return (
    <Page frame={frame} title={frame.texts.monitors} wide live>
      <Title text={frame.texts.monitors}>
        {mayAct(visit) && (
          <a class="button main" href={`${frame.root}/new-monitors`}>
            {words.make}
          </a>
        )}
      </Title>
      <p class="soft">{words.lead}</p>
      <TableCard
        label={words.sets}
        rows={sets}
        empty={words.none}
        columns={[
          {
            title: words.name,
            kind: 'name',
            cell: ({ name }) => <TextLink to={`${path}/${encodeURIComponent(name)}`} text={name} />,
          },
          { title: words.charging, cell: ({ selector }) => <SelectorText frame={frame} selector={selector} /> },
          { title: words.watched, kind: 'number', cell: ({ monitors }) => shownFigure(frame, monitors.length) },
          { title: words.changed, kind: 'time', cell: ({ updatedAt }) => <Ago frame={frame} at={updatedAt} /> },
        ]}
        after={<Paging frame={frame} path={path} next={next === undefined ? undefined : { after: next }} />}
      />
      <section class="card tail" aria-label={words.fired}>
        <header>
          <h2>{words.fired}</h2>
          <a class="small end" href={`${frame.root}/log${queryText({ method: TOLD })}`}>
            {words.allFired}
          </a>
        </header>
        <div data-live="told">
          {told.map((message) => (
            <Message frame={frame} message={message} salt={salt} baseUrl={site.config.baseUrl} among />
          ))}
        </div>
        {told.length === 0 && <p class="soft nothing">{words.nothingFired}</p>}
      </section>
    </Page>
  )
}

/** One set: what is watched, and how far each charge point is. */
export const MonitorSetPage: FC<{
  visit: Visit
  set: MonitorSet
  stations: readonly StationStatus[]
  query: StatusQuery
}> = ({ visit, set, stations, query }) => {
  const { frame } = visit
  const words = monitorTexts(frame)
  const { name, monitors, selector } = set
  const path = `${frame.root}/monitors/${encodeURIComponent(name)}`
  return (
    <Page frame={frame} title={name} wide live>
      <Title text={<bdi>{name}</bdi>} said={<SelectorText frame={frame} selector={selector} />}>
        {mayAct(visit) && (
          <>
            <a class="button" href={`${path}/edit`}>
              {words.edit}
            </a>
            <a class="button" href={`${path}/delete`}>
              {words.delete}
            </a>
          </>
        )}
      </Title>
      <TableCard label={words.rows} rows={monitors} columns={columnsOf(frame)} />
      <FleetStatus visit={visit} path={path} stations={stations} query={query} empty={words.noStations} />
      <Way to={`${frame.root}/monitors`} text={frame.texts.monitors} />
    </Page>
  )
}

function columnsOf(frame: Frame) {
  const words = monitorTexts(frame)
  return [
    { title: words.variable, text: (one: Monitor) => nameText({ ...one, attribute: 'Actual' }) },
    { title: words.type, cell: ({ type }: Monitor) => words.types[type] },
    { title: words.value, kind: 'number' as const, cell: ({ value }: Monitor) => value },
    { title: words.severity, kind: 'number' as const, cell: ({ severity }: Monitor) => severity },
    {
      title: words.when,
      cell: ({ transaction }: Monitor) => (transaction ? words.inTransactions : words.always),
    },
  ]
}

/** A set is made or changed: a form that counts whom it means, and grows by rows. */
export const MonitorFormPage: FC<{
  visit: Visit
  action: string
  /** Of the one that is changed. */
  name: string | undefined
  typed: Typed
  selected: readonly string[] | undefined
}> = ({ visit, action, name, typed, selected }) => {
  const { frame } = visit
  const words = monitorTexts(frame)
  const own = name === undefined ? undefined : `${frame.root}/monitors/${encodeURIComponent(name)}`
  const trial = own ? `${own}/try` : `${frame.root}/new-monitors/try`
  return (
    <Page frame={frame} title={name ?? words.make} wide>
      <h1>{name === undefined ? words.make : <bdi>{name}</bdi>}</h1>
      <Form
        visit={visit}
        action={action}
        to={own ? `${own}/edit` : `${frame.root}/new-monitors`}
        typed={typed}
        refused={words.notSaved}
        once
        fields={[
          name === undefined && { name: 'name', label: words.name, hint: words.nameHint, required: true },
          selectorFields(frame, typed, trial, selected),
          { fields: [], more: <Rows frame={frame} typed={typed} trial={trial} /> },
        ]}
        submit={words.save}
      />
      <Way to={own ?? `${frame.root}/monitors`} text={words.cancel} />
    </Page>
  )
}

interface Numbered {
  readonly row: MonitorRow
  /** From 1. */
  readonly at: number
}

const SEVERITIES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']

const Rows: FC<{ frame: Frame; typed: Typed; trial: string }> = ({ frame, typed: { form }, trial }) => {
  const words = monitorTexts(frame)
  const input = (name: 'place' | 'component' | 'variable' | 'value') => ({
    title: words[name],
    cell: ({ row, at }: Numbered) => (
      <input
        name={name}
        value={row[name]}
        autocomplete="off"
        aria-label={`${words[name]}, ${words.row(at)}`}
        size={name === 'place' || name === 'value' ? 6 : undefined}
      />
    ),
  })
  const select = (
    name: 'type' | 'severity' | 'when',
    options: readonly (readonly [value: string, text: string])[],
  ) => ({
    title: words[name],
    cell: ({ row, at }: Numbered) => (
      <select name={name} aria-label={`${words[name]}, ${words.row(at)}`}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === row[name]}>
            {text}
          </option>
        ))}
      </select>
    ),
  })
  return (
    <fieldset>
      <legend>{words.rows}</legend>
      <p class="soft">{words.rowsHint}</p>
      <div class="scrolls" tabindex={0}>
        <Table
          plain
          rows={shownRows(form).map((row, index) => ({ row, at: index + 1 }))}
          columns={[
            input('place'),
            input('component'),
            input('variable'),
            select(
              'type',
              MONITOR_TYPES.map((type) => [type, words.types[type]] as const),
            ),
            input('value'),
            select(
              'severity',
              SEVERITIES.map((one) => [one, one] as const),
            ),
            select('when', [
              ['', words.always],
              ['transactions', words.inTransactions],
            ]),
          ]}
        />
      </div>
      <p>
        <button type="submit" formaction={trial} formnovalidate>
          {words.more}
        </button>
      </p>
    </fieldset>
  )
}
