/** Sets of monitors, with the newest events that they reported (CONSOLE-N20). */

import { check } from '../../application/check-schema.ts'
import { type AskedMonitor, PutMonitorsSchema, putMonitors } from '../../application/monitors/orders.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { MONITOR_TYPES, type Monitor, type MonitorSet } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import { shownFigure } from '../../web/figures.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Message } from '../charge-points/message-log.tsx'
import { fleetSetPages } from '../configuration/fleet-sets.tsx'
import { instanced, instancedText, placeOf, placeText, wrongPlace } from '../configuration/form.ts'
import { labelsOf } from '../kit/filters.ts'
import { asOptions } from '../kit/form.tsx'
import { figure, wordsIn } from '../kit/parts.tsx'
import { filledRows, type RowField, Rows } from '../kit/rows.tsx'
import { queryText } from '../paths.ts'
import { fieldsOfSelector, labelFaults, typedSelector } from '../selector/selector-form.ts'
import type { Visit } from '../visit.tsx'

const REPORTED = 'NotifyEvent'
const MAX_REPORTED = 20
const WORK_MS = 300

const IN_TRANSACTIONS = 'transactions'
const SEVERITIES = [...'0123456789']

const label = labelsOf('monitors')

const MONITOR_FIELDS = [
  { name: 'place', label: label('place'), size: 6 },
  { name: 'component', label: label('component') },
  { name: 'variable', label: label('variable') },
  {
    name: 'type',
    label: label('type'),
    options: (frame) => MONITOR_TYPES.map((type) => [type, wordsIn('monitors', frame).types[type]]),
    usual: 'UpperThreshold',
  },
  { name: 'value', label: label('value'), size: 6 },
  { name: 'severity', label: label('severity'), options: () => asOptions(SEVERITIES), usual: '5' },
  {
    name: 'when',
    label: label('when'),
    options: (frame) => [
      ['', wordsIn('monitors', frame).always],
      [IN_TRANSACTIONS, wordsIn('monitors', frame).inTransactions],
    ],
  },
] as const satisfies readonly RowField[]

export const addMonitorPages = fleetSetPages<MonitorSet>({
  plural: 'monitors',
  fresh: '/new-monitors',
  what: 'set of monitors',
  kind: 'monitor_sets',
  columns: (frame) => [figure(wordsIn('monitors', frame).title, ({ monitors }) => shownFigure(frame, monitors.length))],
  below: newestReported,
  about: (frame, { monitors }) => {
    const words = wordsIn('monitors', frame)
    return (
      <TableCard
        label={words.rows}
        rows={monitors}
        columns={[
          { title: words.variable, text: (one) => nameText({ ...one, attribute: 'Actual' }) },
          { title: words.type, cell: ({ type }) => words.types[type] },
          { title: words.value, kind: 'number', cell: ({ value }) => value },
          { title: words.severity, kind: 'number', cell: ({ severity }) => severity },
          { title: words.when, cell: ({ transaction }) => (transaction ? words.inTransactions : words.always) },
        ]}
      />
    )
  },
  fields: (frame, typed, trial) => {
    const words = wordsIn('monitors', frame)
    const rows = (
      <Rows frame={frame} typed={typed} title={words.rows} hint={words.rowsHint} fields={MONITOR_FIELDS} more={trial} />
    )
    return [{ fields: [], more: rows }]
  },
  formOf,
  cameOf: ({ source }, name) => source?.monitors?.includes(name) === true,
  put: async (place, form, { accountId, name, before }) => {
    const asked = readMonitors(form)
    if ('refused' in asked) return asked
    return putMonitors(place, { accountId, name, selector: asked.selector, grantId: before?.grantId }, asked.monitors)
  },
})

async function newestReported(visit: Visit) {
  const { site, context, frame, accountId } = visit
  const words = wordsIn('monitors', frame)
  const log = site.searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
  const { rows } = await log.searchNetwork({
    accountId,
    fromId: 0,
    toId: (await site.reads.greatestCommandId()) + 1,
    filter: { methods: [REPORTED] },
    limit: MAX_REPORTED,
    workMs: WORK_MS,
  })
  return (
    <section class="card tail" aria-label={words.fired}>
      <header>
        <h2>{words.fired}</h2>
        <a class="small end" href={`${frame.root}/log${queryText({ method: REPORTED })}`}>
          {words.allFired}
        </a>
      </header>
      <div data-live="reported">
        {rows.map((message) => (
          <Message visit={visit} message={message} among />
        ))}
      </div>
      {rows.length === 0 && <p class="soft nothing">{words.nothingFired}</p>}
    </section>
  )
}

function readMonitors(
  form: URLSearchParams,
): { readonly selector: Selector; readonly monitors: readonly AskedMonitor[] } | Refusal {
  const faults: Fault[] = labelFaults(form).map((fault) => ({ ...fault, code: 'invalid_value' }))
  const monitors = filledRows(form, MONITOR_FIELDS).map(
    ({ place, component, variable, type, value, severity, when }, at) => {
      const placed = placeOf(place)
      if (!placed) faults.push(wrongPlace(`/monitors/${at}/place`))
      return {
        component: { ...instanced(component), ...placed },
        variable: instanced(variable),
        type,
        value: value.trim() === '' ? undefined : Number(value.trim().replace(',', '.')),
        severity: Number(severity),
        ...(when === IN_TRANSACTIONS && { transaction: true }),
      }
    },
  )
  const checked = check(PutMonitorsSchema, { selector: typedSelector(form), monitors })
  if (!checked.ok) faults.push(...checked.faults)
  return !checked.ok || faults.length > 0 ? refuseFaults(faults) : checked.value
}

function formOf({ selector, monitors }: MonitorSet): URLSearchParams {
  return new URLSearchParams([...fieldsOfSelector(selector), ...monitors.flatMap(fieldsOf)])
}

function fieldsOf({ component, variable, type, value, severity, transaction }: Monitor): [string, string][] {
  return [
    ['place', placeText(component)],
    ['component', instancedText(component)],
    ['variable', instancedText(variable)],
    ['type', type],
    ['value', String(value)],
    ['severity', String(severity)],
    ['when', transaction ? IN_TRANSACTIONS : ''],
  ]
}
