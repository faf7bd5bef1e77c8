/** Sets of monitors, with what they told of last (CONSOLE-N20). */
import { putMonitors, removeMonitors } from '../../application/monitors/orders.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { shownFigure } from '../../web/figures.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Message } from '../charge-points/long-message.tsx'
import { fleetSetPages } from '../configuration/fleet-sets.tsx'
import type { OperatorContext } from '../console-parts.ts'
import { Rows } from '../kit/rows.tsx'
import { monitorTexts } from '../kit/texts.ts'
import { queryText } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { formOf, MONITOR_FIELDS, readMonitors } from './form.ts'

const REPORTED = 'NotifyEvent'
const MAX_REPORTED = 20
const WORK_MS = 300

export const addMonitorPages = fleetSetPages({
  list: '/monitors',
  fresh: '/new-monitors',
  what: 'set of monitors',
  find: (reads, key) => reads.getRecord('monitor_sets', key),
  findPage: (reads, page) => reads.listRecords('monitor_sets', page),
  texts: monitorTexts,
  columns: (frame) => [
    { title: monitorTexts(frame).title, kind: 'number', cell: ({ monitors }) => shownFigure(frame, monitors.length) },
  ],
  below: newestReported,
  about: (frame, { monitors }) => {
    const words = monitorTexts(frame)
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
    const words = monitorTexts(frame)
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
  remove: removeMonitors,
})

async function newestReported({ site, context, frame, accountId }: Visit, { searchLog, salt }: OperatorContext) {
  const words = monitorTexts(frame)
  const log = searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
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
      <div data-live="told">
        {rows.map((message) => (
          <Message frame={frame} message={message} salt={salt} baseUrl={site.config.baseUrl} among />
        ))}
      </div>
      {rows.length === 0 && <p class="soft nothing">{words.nothingFired}</p>}
    </section>
  )
}
