/** Logs of one charge point: asked for, looked at, fetched (CONSOLE-N8). */

import { fileAnswer } from '../../api/file-answer.ts'
import { windowFaults } from '../../api/requests/validation.ts'
import {
  AskForLogSchema,
  findLog,
  type LogOrder,
  newestLogs,
  requestLog,
  storedFile,
} from '../../application/logs/orders.ts'
import type { LogRequest, LogState } from '../../domain/logs/records.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import type { Files } from '../../files/store.ts'
import { type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { At, shownTime } from '../../web/times.tsx'
import { actingOnStation, actionOf, ownChargePoint, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { checkedForm, Form, filledIn, typedWith } from '../kit/form.tsx'
import { chip, cutOff, wordsIn } from '../kit/parts.tsx'
import { inZone } from '../local-time.ts'
import { chargePointPath } from '../paths.ts'
import { again, answering, mayAct, type Visit } from '../visit.tsx'

export function logPages(files: Files): MountConsolePages {
  return (page) => {
    page('/charge-points/:chargePoint/logs', { GET: showLogs, POST: askForLog })
    page('/charge-points/:chargePoint/logs/:logId/file', { GET: fetchFile(files) })
  }
}

const showLogs: ConsolePage = showingStation('see', async (visit, view) => logsPage(visit, view))

const askForLog: ConsolePage = actingOnStation(async (visit, view, form) => {
  const order = readOrder(form, visit.frame)
  const done =
    'refused' in order
      ? order
      : await requestLog(visit.site, { accountId: view.accountId, chargePointId: view.id }, order)
  if (!('refused' in done)) return `${pathOf(view.id)}/logs`
  return again(await logsPage(visit, view, typedWith(form, done)), done)
})

function readOrder(form: URLSearchParams, { timeZone }: Frame): LogOrder | Refusal {
  const { type, from, to } = filledIn(form, ['type', 'from', 'to'])
  const asked = { type, from: from && inZone(from, timeZone), to: to && inZone(to, timeZone) }
  const body = checkedForm(AskForLogSchema, asked, windowFaults(asked, '/to'))
  return 'refused' in body ? body : { type: body.type, fromAt: body.from, toAt: body.to }
}

/** A log may tell more than who may only look is to know. */
function fetchFile(files: Files): ConsolePage {
  return answering('operate', async (visit) => {
    const view = await ownChargePoint(visit)
    const { site, context } = visit
    const log = view && (await findLog(site, view.id, context.req.param('logId') ?? ''))
    const stored = log && storedFile(log)
    if (!stored || !(await files.has(stored.name))) return undefined
    return fileAnswer(context, { files, after: site.after }, stored)
  })
}

const STYLES: Readonly<Record<LogState, string>> = {
  requested: 'amber',
  uploading: 'amber',
  uploaded: 'good',
  failed: 'bad',
  rejected: 'bad',
}

function saidOf({ status, reason, state }: LogRequest): string | undefined {
  return reason ?? (state === 'uploaded' ? undefined : status)
}

async function logsPage(visit: Visit, view: ChargePointView, typed: Typed = NOTHING_TYPED) {
  const { frame } = visit
  const [chargePoint, logs] = await Promise.all([shownNow(visit, view), newestLogs(visit.site, view.id)])
  const words = wordsIn('logRequests', frame)
  const { id } = view
  const path = `${chargePointPath(frame, id)}/logs`
  return (
    <Page frame={frame} title={`${words.logs} ${id}`} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="logs">
        {mayAct(visit) && (
          <Form
            visit={visit}
            action={actionOf(visit.context)}
            to={path}
            title={words.ask}
            folded={typed.form.size > 0 ? 'open' : 'closed'}
            typed={typed}
            once={`logs ${id}`}
            fields={[
              { name: 'type', label: words.type, options: words.types },
              { name: 'from', label: words.from, type: 'datetime-local' },
              { name: 'to', label: words.to, type: 'datetime-local' },
            ]}
            submit={words.button}
          />
        )}
      </StationHead>
      <p class="soft">{words.lead}</p>
      <TableCard<LogRequest>
        live="logs"
        label={words.logs}
        oneLine
        rows={logs}
        empty={words.none}
        columns={[
          {
            title: words.asked,
            kind: 'time',
            width: 160,
            cell: ({ createdAt }) => <At frame={frame} at={createdAt} />,
          },
          { title: words.type, width: 136, wideOnly: true, cell: ({ type }) => words.types[type] },
          {
            title: words.span,
            wideOnly: true,
            cell: ({ fromAt, toAt }) =>
              [fromAt, toAt].map((at) => (at === undefined ? '' : shownTime(frame, at))).join(' – '),
          },
          chip(words.state, ({ state }) => [STYLES[state], words.states[state]], { width: 120 }),
          cutOff(words.reason, saidOf, { wideOnly: true }),
          {
            title: words.file,
            kind: 'host',
            whole: ({ file }) => file?.name,
            cell: ({ requestId, file }) =>
              file && (
                <>
                  <TextLink to={mayAct(visit) && `${path}/${requestId}/file`} text={file.name} download />{' '}
                  {words.bytes(file.bytes)}
                </>
              ),
          },
        ]}
      />
    </Page>
  )
}
