/** Who did what, newest first, with filters in the address (ADMIN-C3). For administrators. */

import { LOCALES } from '../../application/words/in-languages.ts'
import type { BulkRowState } from '../../domain/bulk-orders/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Near } from '../../web/times.tsx'
import { doneWords } from '../../web/words/audit-words.ts'
import type { ConsolePage } from '../console-parts.ts'
import { labelsOf, pageSize, text, time } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { chip, cutOff, wordsIn } from '../kit/parts.tsx'

const label = labelsOf('users')

const AUDIT_FILTERS = {
  actor: text(label('actor')),
  from: time(label('from')),
  to: time(label('to'), { after: 'from' }),
  size: pageSize,
}

export const showAudit: ConsolePage = listing('administrator', AUDIT_FILTERS, async (visit, query) => {
  const { site, context, frame, accountId } = visit
  const { below = '' } = context.req.query()
  const isLater = /^\d{1,15}$/.test(below)
  const asked = { accountId, ...query.requested, ...(isLater && { belowId: Number(below) }), limit: rowsAsked(frame) }
  const { rows, last } = pageOfRows(query.wrong.length > 0 ? [] : await site.reads.searchAudit(asked), frame)
  const subjects = await subjectsOf(site.reads, accountId, frame, rows)
  const words = wordsIn('users', frame)
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
          chip(
            words.outcome,
            ({ outcome = 'done' }) => [
              outcome === 'done' || outcome === 'ordered' ? '' : 'bad held',
              words.outcomes[outcome],
            ],
            { width: 136 },
          ),
          cutOff(words.address, ({ ip }) => ip, { kind: 'time', width: 136, wideOnly: true }),
        ]}
      />
      <Paging
        frame={frame}
        path={path}
        query={query.asked}
        later={isLater}
        next={last && { below: String(last.id) }}
        newestFirst
      />
    </Page>
  )
})

type Finder = Pick<Reads, 'findUser' | 'findSubscription' | 'findClient' | 'getRecord'>

const NAMED: readonly {
  readonly kinds: RegExp
  find(reads: Finder, accountId: string, id: string): Promise<string | undefined>
}[] = [
  {
    kinds: /^(users(\/|$)|\w+User$)/,
    find: async (reads, accountId, id) => {
      const user = await reads.findUser(id)
      return user?.accountId === accountId ? user.email : undefined
    },
  },
  {
    kinds: /^(alerts\/rules|\w+AlertRule$)/,
    find: async (reads, accountId, id) => (await reads.getRecord('alert_rules', { accountId, id }))?.name,
  },
  {
    kinds: /^(webhooks\/|\w+Webhook(Secret)?$|replayDeliveries$)/,
    find: async (reads, accountId, id) => {
      const webhook = await reads.findSubscription(id)
      return webhook?.accountId === accountId ? webhook.url : undefined
    },
  },
  {
    kinds: /^(firmware-campaigns|\w+FirmwareCampaign$|new-firmware-campaign)/,
    find: async (reads, accountId, id) =>
      (await reads.getRecord('firmware_campaigns', { accountId, id }))?.target.version,
  },
]

export async function subjectsOf(
  reads: Finder,
  accountId: string,
  frame: Pick<Frame, 'language'>,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<number, string>> {
  const asked = new Map<string, Promise<string | undefined>>()
  const nameOf = ({ kind, subject, clientId }: AuditRow): Promise<string | undefined> | undefined => {
    const named = NAMED.find(({ kinds }) => kinds.test(kind))
    const id = named ? subject : subject === undefined ? clientId : undefined
    if (id === undefined) return undefined
    const find = async () => (named ? named.find(reads, accountId, id) : (await reads.findClient(id))?.name)
    const known = asked.get(id) ?? find()
    asked.set(id, known)
    return known
  }
  const found = rows.map(async (row): Promise<readonly [number, string | undefined]> => {
    const { id, kind, subject } = row
    return [
      id,
      (await nameOf(row)) ?? (subject !== undefined && ORDERING.test(kind) ? orderIn(frame, subject) : subject),
    ]
  })
  return new Map((await Promise.all(found)).flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])))
}

const ORDERING =
  /^(sendCommand|createBulkOrder|new-bulk-order|st(art|op)Session|charge-points\/(orders|command|start|stop))$/

const ORDER_WORDS: Readonly<Record<string, string>> = LOCALES.de.auditOrders

/** @example orderIn(german, 'Reset (hard) of LOG-0020: Accepted') === 'Reset (hart) von LOG-0020: Accepted' */
export function orderIn(frame: Pick<Frame, 'language'>, subject: string): string {
  const { order, detail = '', of = '', end = '' } = ORDER.exec(subject)?.groups ?? {}
  if (frame.language !== 'de' || order === undefined) return subject
  const words = wordsIn('bulkOrders', frame)
  const details = detail
    .replaceAll(/connector (?=\d)/g, 'Anschluss ')
    .replace(/hard|soft/, (one) => ORDER_WORDS[one] ?? one)
  const about = of.replace(
    /^(\d+) charge points?$/,
    (_, count) => `${count} ${count === '1' ? 'Ladestation' : 'Ladestationen'}`,
  )
  const counts = end.replaceAll(/(?<=\d )[a-z]+/g, (state) => words.states[state as BulkRowState] ?? state)
  return `${ORDER_WORDS[order] ?? order}${details} von ${about.replace(/^session /, 'Ladevorgang ')}${counts}`
}

const ORDER = /^(?<order>[A-Za-z]+)(?<detail> \([^)]*\))? of (?<of>.+?)(?<end>: .*)?$/
