/** Who did what, newest first, with filters in the address (ADMIN-C3). For administrators. */

import type { FC } from 'hono/jsx'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { At } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { pageOfRows, ROWS_ASKED } from '../kit/page-of-rows.ts'
import { TableCard } from '../kit/table.tsx'
import { showing } from '../visit.tsx'
import { userTexts } from './texts.ts'

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
    from: window.from,
    to: window.to,
    ...(/^\d{1,15}$/.test(below ?? '') && { belowId: Number(below) }),
    limit: ROWS_ASKED,
  })
  const { rows, last } = pageOfRows(found)
  const unread = [from, to].some((text) => text !== '' && minuteOf(text) === undefined)
  return <AuditPage frame={frame} rows={rows} wanted={wanted} unread={unread} below={last?.id} />
})

function minuteOf(text: string): number | undefined {
  const at = MINUTES.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

interface AuditProps {
  readonly frame: Frame
  readonly rows: readonly AuditRow[]
  readonly wanted: Wanted
  /** A time was typed that is none. */
  readonly unread: boolean
  readonly below: number | undefined
}

const AuditPage: FC<AuditProps> = ({ frame, rows, wanted, unread, below }) => {
  const words = userTexts(frame)
  const named = frame.texts.activities as Readonly<Record<string, string>>
  const path = `${frame.root}/audit`
  return (
    <Page frame={frame} title={frame.texts.audit} wide>
      <h1>{frame.texts.audit}</h1>
      <FilterForm
        path={path}
        filters={[
          { name: 'actor', label: words.actor, value: wanted.actor },
          { name: 'from', label: words.from, value: wanted.from, type: 'datetime-local' },
          { name: 'to', label: words.to, value: wanted.to, type: 'datetime-local' },
        ]}
        button={words.show}
        fault={unread && words.badTime}
      />
      <TableCard
        label={frame.texts.audit}
        plain
        rows={rows}
        empty={words.noEntries}
        columns={[
          { title: words.time, kind: 'time', cell: ({ at }) => <At frame={frame} at={at} /> },
          {
            title: words.actor,
            kind: 'host',
            cell: ({ actor, role }) => (
              <>
                {actor} <span class="soft">{role}</span>
              </>
            ),
          },
          { title: words.action, cell: ({ kind }) => named[kind] ?? kind },
          { title: words.subject, kind: 'host', text: ({ subject }) => subject },
          {
            title: words.outcome,
            cell: ({ outcome = 'done' }) => (
              <span class={`chip ${outcome === 'done' || outcome === 'ordered' ? '' : 'bad'}`}>
                {words.outcomes[outcome]}
              </span>
            ),
          },
          { title: words.address, kind: 'time', text: ({ ip }) => ip },
        ]}
      />
      <Paging
        frame={frame}
        path={path}
        query={{ ...wanted }}
        next={below === undefined ? undefined : { below: String(below) }}
        newestFirst
      />
    </Page>
  )
}
