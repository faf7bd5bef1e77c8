import type { FC } from 'hono/jsx'
import type { LogRequest, LogState } from '../../domain/logs/records.ts'
import type { Typed } from '../../web/entries.tsx'
import { Page, shownTime } from '../../web/layout.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { Form } from '../kit/form.tsx'
import { OfStation } from '../kit/of-station.tsx'
import { Table, TextLink } from '../kit/table.tsx'
import { chargePointPath } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { logTexts } from './texts.ts'

const STYLES: Readonly<Record<LogState, string>> = {
  requested: 'amber',
  uploading: 'amber',
  uploaded: 'good',
  failed: 'bad',
  rejected: 'bad',
}

/** Logs of one charge point, the newest first, and a form that asks for another one. */
export const LogsPage: FC<{ visit: Visit; id: string; logs: readonly LogRequest[]; typed: Typed }> = ({
  visit,
  id,
  logs,
  typed,
}) => {
  const { frame } = visit
  const words = logTexts(frame)
  const path = `${chargePointPath(frame, id)}/logs`
  return (
    <Page frame={frame} title={`${words.logs} ${id}`} wide live>
      <OfStation frame={frame} what={words.logs} id={id} />
      <p class="soft">{words.lead}</p>
      <section class="card" data-live="logs" aria-label={words.logs}>
        <Table
          rows={logs}
          empty={words.none}
          columns={[
            { title: words.asked, kind: 'time', cell: ({ createdAt }) => shownTime(createdAt) },
            { title: words.type, cell: ({ type }) => words.types[type] },
            {
              title: words.span,
              cell: ({ fromAt, toAt }) =>
                [fromAt, toAt].map((at) => (at === undefined ? '' : shownTime(at))).join(' – '),
            },
            {
              title: words.state,
              cell: ({ state }) => <span class={`chip ${STYLES[state]}`}>{words.states[state]}</span>,
            },
            { title: words.reported, text: ({ status }) => status },
            { title: words.reason, text: ({ reason }) => reason },
            {
              title: words.file,
              kind: 'host',
              cell: ({ requestId, file }) =>
                file && (
                  <>
                    {mayAct(visit) ? (
                      <TextLink to={`${path}/${requestId}/file`} text={file.name} download />
                    ) : (
                      <bdi>{file.name}</bdi>
                    )}{' '}
                    {words.bytes(file.bytes)}
                  </>
                ),
            },
          ]}
        />
      </section>
      {mayAct(visit) && (
        <Form
          visit={visit}
          action={actionOf(visit.context)}
          to={path}
          title={words.ask}
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
    </Page>
  )
}
