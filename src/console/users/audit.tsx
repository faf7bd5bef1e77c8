/** Who did what, newest first, with filters in the address (ADMIN-C3). For administrators. */

import type { FC } from 'hono/jsx'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Near } from '../../web/times.tsx'
import { doneWords } from '../../web/words/audit-words.ts'
import type { ConsolePage } from '../console-parts.ts'
import { FilterForm } from '../kit/filter-form.tsx'
import { type ListQuery, pageSize, text, time } from '../kit/filters.ts'
import { Paging } from '../kit/list.tsx'
import { listing } from '../kit/listing.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { userTexts } from '../kit/texts.ts'
import { subjectsOf } from './audit-subjects.ts'

const AUDIT_FILTERS = {
  actor: text((frame) => userTexts(frame).actor),
  from: time((frame) => userTexts(frame).from),
  to: time((frame) => userTexts(frame).to, { after: 'from' }),
  size: pageSize,
}

export const showAudit: ConsolePage = listing('administrator', AUDIT_FILTERS, async (visit, query) => {
  const { site, context, frame, accountId } = visit
  const { below = '' } = context.req.query()
  const isLater = /^\d{1,15}$/.test(below)
  const asked = { accountId, ...query.requested, ...(isLater && { belowId: Number(below) }), limit: rowsAsked(frame) }
  const { rows, last } = pageOfRows(query.wrong.length > 0 ? [] : await site.reads.searchAudit(asked), frame)
  const subjects = await subjectsOf(site.reads, accountId, frame, rows)
  return <AuditPage frame={frame} rows={rows} subjects={subjects} query={query} later={isLater} below={last?.id} />
})

const AuditPage: FC<{
  readonly frame: Frame
  readonly rows: readonly AuditRow[]
  readonly subjects: ReadonlyMap<number, string>
  readonly query: ListQuery<typeof AUDIT_FILTERS>
  readonly later: boolean
  readonly below: number | undefined
}> = ({ frame, rows, subjects, query, later, below }) => {
  const words = userTexts(frame)
  const roles: Readonly<Record<string, string>> = { ...frame.texts.roles, credential: words.credential }
  const roleName = (role: string | undefined): string | undefined => role && (roles[role] ?? role)
  const path = `${frame.root}/audit`
  return (
    <Page frame={frame} title={frame.texts.audit} wide>
      <h1>{frame.texts.audit}</h1>
      <FilterForm frame={frame} path={path} filters={AUDIT_FILTERS} query={query} />
      <TableCard<AuditRow>
        label={frame.texts.audit}
        oneLine="cards"
        rows={rows}
        empty={words.noEntries}
        columns={[
          { title: words.time, kind: 'time', width: 136, cell: ({ at }) => <Near frame={frame} at={at} /> },
          {
            title: words.actor,
            whole: ({ actor }) => actor,
            cell: ({ actor, role }) => (
              <>
                <bdi>{actor}</bdi> <span class="soft">{roleName(role)}</span>
              </>
            ),
          },
          { title: words.action, whole: ({ kind }) => kind, cell: ({ kind }) => doneWords(frame, kind) },
          {
            title: words.subject,
            text: ({ id }) => subjects.get(id),
            whole: ({ id, subject }) => [...new Set([subjects.get(id), subject])].filter(Boolean).join(' · '),
          },
          {
            title: words.outcome,
            width: 136,
            cell: ({ outcome = 'done' }) => (
              <span class={`chip ${outcome === 'done' || outcome === 'ordered' ? '' : 'bad held'}`}>
                {words.outcomes[outcome]}
              </span>
            ),
          },
          {
            title: words.address,
            kind: 'time',
            width: 136,
            wideOnly: true,
            text: ({ ip }) => ip,
            whole: ({ ip }) => ip,
          },
        ]}
      />
      <Paging
        frame={frame}
        path={path}
        query={query.asked}
        later={later}
        next={below === undefined ? undefined : { below: String(below) }}
        newestFirst
      />
    </Page>
  )
}
