import type { FC } from 'hono/jsx'
import type { LogRequest, LogState } from '../../domain/logs/records.ts'
import { Choice, Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { chargePointPath } from '../paths.ts'
import { logTexts } from './texts.ts'

const STYLES: Readonly<Record<LogState, string>> = {
  requested: 'amber',
  uploading: 'amber',
  uploaded: 'good',
  failed: 'bad',
  rejected: 'bad',
}

/** Logs of one charge point, the newest first, and a form that asks for another one. */
export const LogsPage: FC<{
  frame: Frame
  id: string
  logs: readonly LogRequest[]
  typed: Typed
  /** Absent for who may only look. */
  form?: { readonly csrf: string; readonly once: string }
}> = ({ frame, id, logs, typed, form }) => {
  const words = logTexts(frame)
  return (
    <Page frame={frame} title={`${words.logs} ${id}`} wide live>
      <h1>
        {words.logs} ·{' '}
        <a class="host" href={chargePointPath(frame, id)}>
          <bdi>{id}</bdi>
        </a>
      </h1>
      <p class="soft">{words.lead}</p>
      <section class="card" data-live="logs" aria-label={words.logs}>
        {logs.length === 0 ? (
          <p class="soft">{words.none}</p>
        ) : (
          <Logs frame={frame} id={id} logs={logs} acts={form !== undefined} />
        )}
      </section>
      {form && <Ask frame={frame} id={id} typed={typed} form={form} />}
    </Page>
  )
}

const Ask: FC<{
  frame: Frame
  id: string
  typed: Typed
  form: { readonly csrf: string; readonly once: string }
}> = ({ frame, id, typed, form }) => {
  const words = logTexts(frame)
  const fault = typed.faults.form
  return (
    <form class="card" method="post" action={`${chargePointPath(frame, id)}/logs`}>
      <h2>{words.ask}</h2>
      {fault !== undefined && <Warning>{fault}</Warning>}
      <Sealed {...form} />
      <Choice label={words.type} name="type" typed={typed} options={words.types} />
      <Entry label={words.from} name="from" type="datetime-local" typed={typed} />
      <Entry label={words.to} name="to" type="datetime-local" typed={typed} />
      <Submit>{words.button}</Submit>
    </form>
  )
}

const Logs: FC<{ frame: Frame; id: string; logs: readonly LogRequest[]; acts: boolean }> = ({
  frame,
  id,
  logs,
  acts,
}) => {
  const words = logTexts(frame)
  return (
    <table class="cards">
      <Headings of={[words.asked, words.type, words.span, words.state, words.reported, words.reason, words.file]} />
      <tbody>
        {logs.map(({ requestId, type, fromAt, toAt, state, status, reason, file, createdAt }) => (
          <tr>
            <td class="time">{shownTime(createdAt)}</td>
            <td data-label={words.type}>{words.types[type]}</td>
            <td data-label={words.span}>
              {[fromAt, toAt].map((at) => (at === undefined ? '' : shownTime(at))).join(' – ')}
            </td>
            <td data-label={words.state}>
              <span class={`chip ${STYLES[state]}`}>{words.states[state]}</span>
            </td>
            <TextCell label={words.reported} text={status} />
            <TextCell label={words.reason} text={reason} />
            <td class="host" data-label={words.file}>
              {file && acts && (
                <a href={`${chargePointPath(frame, id)}/logs/${requestId}/file`} download>
                  <bdi>{file.name}</bdi>
                </a>
              )}
              {file && !acts && <bdi>{file.name}</bdi>} {file && words.bytes(file.bytes)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
