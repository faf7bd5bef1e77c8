/** Who did what, newest first, with filters in the address (ADMIN-C3). For administrators. */

import type { FC } from 'hono/jsx'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { administrationTexts } from '../administration-texts.ts'
import type { ConsolePage } from '../console-parts.ts'
import { pageOfRows, ROWS_ASKED } from '../page-of-rows.ts'
import { operatorTexts } from '../texts.ts'
import { showing } from '../visit.tsx'

const MINUTES = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

interface Wanted {
  readonly actor: string
  readonly from: string
  readonly to: string
}

export const showAudit: ConsolePage = showing('administrator', async ({ site, context, frame, accountId }) => {
  const { actor = '', from = '', to = '', below } = context.req.query()
  const wanted: Wanted = { actor: actor.trim(), from, to }
  const window = { from: minuteOf(from), to: minuteOf(to) }
  const found = await site.reads.searchAudit({
    accountId,
    ...(wanted.actor !== '' && { actor: wanted.actor }),
    ...(window.from !== undefined && { from: window.from }),
    ...(window.to !== undefined && { to: window.to }),
    ...(/^\d{1,15}$/.test(below ?? '') && { belowId: Number(below) }),
    limit: ROWS_ASKED,
  })
  const { rows, last } = pageOfRows(found)
  const unread = [from, to].some((text) => text !== '' && minuteOf(text) === undefined)
  return <AuditPage frame={frame} rows={rows} wanted={wanted} unread={unread} {...(last && { below: last.id })} />
})

function minuteOf(text: string): number | undefined {
  const at = MINUTES.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const AuditPage: FC<{
  frame: Frame
  rows: readonly AuditRow[]
  wanted: Wanted
  /** A time was typed that is none. */
  unread: boolean
  below?: number
}> = ({ frame, rows, wanted, unread, below }) => {
  const words = administrationTexts(frame)
  const { from, to, show, older } = operatorTexts(frame)
  const path = `${frame.root}/audit`
  return (
    <Page frame={frame} title={frame.texts.audit} wide>
      <h1>{frame.texts.audit}</h1>
      <form class="card narrowing" method="get" action={path}>
        {unread && <Warning>{words.badTime}</Warning>}
        <label class="field">
          <span>{words.actor}</span>
          <input type="text" name="actor" value={wanted.actor} />
        </label>
        <label class="field">
          <span>{from}</span>
          <input type="datetime-local" name="from" value={wanted.from} />
        </label>
        <label class="field">
          <span>{to}</span>
          <input type="datetime-local" name="to" value={wanted.to} />
        </label>
        <button type="submit">{show}</button>
      </form>
      {rows.length === 0 ? <p class="card soft">{words.noEntries}</p> : <Entries frame={frame} rows={rows} />}
      {below !== undefined && (
        <p>
          <a href={`${path}?${new URLSearchParams({ ...wanted, below: String(below) })}`} rel="next">
            {older}
          </a>
        </p>
      )}
    </Page>
  )
}

const Entries: FC<{ frame: Frame; rows: readonly AuditRow[] }> = ({ frame, rows }) => {
  const words = administrationTexts(frame)
  const named = frame.texts.activities as Readonly<Record<string, string>>
  return (
    <section class="card scrolls" aria-label={frame.texts.audit} tabindex={0}>
      <table>
        <Headings
          of={[operatorTexts(frame).time, words.actor, words.action, words.subject, words.outcome, frame.texts.from]}
        />
        <tbody>
          {rows.map(({ at, actor, role, kind, subject, outcome = 'done', ip }) => (
            <tr>
              <td class="time">{shownTime(at)}</td>
              <td class="host">
                {actor} <span class="soft">{role}</span>
              </td>
              <td>{named[kind] ?? kind}</td>
              <TextCell class="host" text={subject} />
              <td>
                <span class={`chip ${outcome === 'done' || outcome === 'ordered' ? '' : 'bad'}`}>
                  {words.outcomes[outcome]}
                </span>
              </td>
              <td class="host">{ip}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
