/** `/dashboard/reports`: who sees the console sees what is sent to whom; administrators order it (REPORT-A4). */

import type { FC } from 'hono/jsx'
import { check } from '../../application/check-schema.ts'
import {
  addReport,
  deleteReport,
  findReport,
  MAX_REPORTS,
  PutReportSchema,
  putReport,
  type RequestedReport,
  reportParams,
} from '../../application/reports/orders.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFault } from '../../domain/refuse.ts'
import {
  REPORT_FORMATS,
  REPORT_SCHEDULES,
  type ReportMail,
  type SentReport,
  type SessionReport,
} from '../../domain/reports/records.ts'
import { type Faults, type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { Ago, At, shownDate } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Deletion, type Fields, Form, type FormFault, faultsAt, typedWith } from '../kit/form.tsx'
import { ButtonLink, Chip, cutOff, link, wordsIn } from '../kit/parts.tsx'
import { queryText } from '../paths.ts'
import { linesOf } from '../selector/selector-form.ts'
import { again, ordering, type Shown, showing, type Visit } from '../visit.tsx'

const ACTION = 'reports'
const LIST = '/reports'
const MAX_MAILS = 200

export const addReportPages: MountConsolePages = (page) => {
  page(LIST, { GET: showReports })
  page(`${LIST}/new`, {
    GET: showing('administrator', (visit) => reportPage(visit, NOTHING_TYPED)),
    POST: ordering('administrator', ACTION, (visit, form) => written(visit, form, undefined)),
    names: 'name',
  })
  page(`${LIST}/change`, { GET: showReport, POST: changeReport, names: 'name' })
  page(`${LIST}/delete`, { POST: removeReport, names: 'name' })
}

const showReports: ConsolePage = showing('see', async ({ site, frame, accountId, administrator }) => {
  const words = wordsIn('reports', frame)
  const reports = await site.reads.listRecords('session_reports', { where: { accountId }, limit: MAX_REPORTS })
  const mailsOf = ({ targets }: SessionReport): string => targets.map(({ mail }) => mail).join(', ')
  return (
    <Page frame={frame} title={words.title} wide>
      <Title text={words.title}>
        {administrator && <ButtonLink main to={`${frame.root}/reports/new`} text={words.newReport} />}
      </Title>
      <p class="soft">{words.lead}</p>
      <TableCard<SessionReport>
        label={words.title}
        oneLine
        rows={reports}
        empty={words.noReports}
        columns={[
          link(
            words.name,
            ({ name }) => ({ class: 'name-link', to: administrator && changePath(frame, name), text: name }),
            { whole: ({ name }) => name },
          ),
          {
            title: words.groupBy,
            width: 200,
            wideOnly: true,
            whole: ({ groupBy }) => labelOf(groupBy),
            text: ({ groupBy }) => groupText(frame, groupBy),
          },
          { title: words.schedule, width: 104, cell: ({ schedule }) => words[schedule] },
          { title: words.format, width: 72, wideOnly: true, cell: ({ format }) => words[format] },
          cutOff(words.targets, mailsOf, { wideOnly: true }),
          { title: words.next, kind: 'time', width: 160, cell: ({ dueAt }) => <At frame={frame} at={dueAt} /> },
        ]}
      />
    </Page>
  )
})

const showReport: ConsolePage = showing('administrator', async (visit) => {
  const report = await askedFor(visit)
  if ('refused' in report) return undefined
  return reportPage(visit, { form: formOfReport(report), faults: {} }, report)
})

const changeReport: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const report = await findReport(visit.site, visit.accountId, form.get('name') ?? '')
  if ('refused' in report) return report
  return written(visit, form, report)
})

const removeReport: ConsolePage = ordering(
  'administrator',
  ACTION,
  async ({ site, accountId }, form) => (await deleteReport(site, accountId, form.get('name') ?? '')) ?? LIST,
)

/** ADMIN-D1: the list once it is stored, or the form with its faults. */
async function written(
  visit: Visit,
  form: URLSearchParams,
  report: SessionReport | undefined,
): Promise<string | Shown> {
  const { site, accountId, frame } = visit
  const words = wordsIn('reports', frame)
  const read = readReport(form, words.line)
  if ('faults' in read) return again(await reportPage(visit, { form, faults: read.faults }, report), { status: 400 })
  const refused = async (refusal: Refusal) => again(await reportPage(visit, typedWith(form, refusal), report), refusal)
  // Over the API a name that is there is replaced; here the operator has not seen the report that would be replaced.
  const order = report ? putReport : addReport
  const done = await order(site, accountId, read.name, read.requested)
  if (!done) return refused(refuseFault('/name', 'name_taken', words.taken))
  return 'refused' in done ? refused(done) : LIST
}

/** Its name is no step of the address: it may be such that browsers take it away. */
function askedFor({ site, context, accountId }: Visit): Promise<SessionReport | Refusal> {
  return findReport(site, accountId, context.req.query('name') ?? '')
}

/** One report, or a new one: for administrators (REPORT-A4). */
async function reportPage(visit: Visit, typed: Typed, report?: SessionReport) {
  const { frame } = visit
  const words = wordsIn('reports', frame)
  const title = report ? words.changeReport : words.newReport
  const mails = report ? await mailsOf(visit, report) : []
  return (
    <Page frame={frame} title={title}>
      <Title text={title} said={report && <bdi>{report.name}</bdi>} up={[[`${frame.root}/reports`, words.title]]}>
        {report && (
          <Deletion
            visit={visit}
            action={ACTION}
            of={`${frame.root}/reports`}
            ask={words.deleteAsk}
            what={report.name}
            sent={{ name: report.name }}
          />
        )}
      </Title>
      <Form
        visit={visit}
        action={ACTION}
        to={`${frame.root}/reports/${report ? 'change' : 'new'}`}
        typed={typed}
        once
        fields={fieldsOf(frame, report !== undefined)}
        submit={report ? words.save : words.create}
        back={`${frame.root}/reports`}
      >
        {report && <input type="hidden" name="name" value={report.name} />}
      </Form>
      {report && <Mails frame={frame} mails={mails} timeZone={visit.site.timeZone} />}
    </Page>
  )
}

async function mailsOf({ site }: Visit, { accountId, name, targets }: SessionReport) {
  const query = { where: { accountId, name }, limit: MAX_MAILS } as const
  const [waiting, sent] = await Promise.all([
    site.reads.listRecords('report_mails', query),
    site.reads.listRecords('sent_reports', query),
  ])
  const own = new Set(targets.map(({ mail }) => mail))
  return [...waiting, ...sent].filter(({ mail }) => own.has(mail))
}

type MailsProps = { frame: Frame; mails: readonly (SentReport | ReportMail)[]; timeZone: string }

/** What each address was sent last, and what is on its way (REPORT-A5). */
const Mails: FC<MailsProps> = ({ frame, mails, timeZone }) => {
  const words = wordsIn('reports', frame)
  return (
    <TableCard<SentReport | ReportMail>
      label={words.lastMails}
      heading={words.lastMails}
      oneLine
      rows={mails}
      empty={words.noMails}
      columns={[
        cutOff(words.target, ({ mail }) => mail),
        {
          title: words.period,
          wideOnly: true,
          cell: ({ periodFrom, periodBelow }) =>
            [periodFrom, periodBelow - 1].map((at) => shownDate({ ...frame, timeZone }, at)).join(' – '),
        },
        {
          title: words.sent,
          whole: (mail) => ('sentAt' in mail ? undefined : mail.failure),
          cell: (mail) =>
            'sentAt' in mail ? (
              <Ago frame={frame} at={mail.sentAt} />
            ) : mail.attempts === 0 ? (
              words.onItsWay
            ) : (
              <>
                <Chip tone="warn" text={words.refused(mail.attempts)} /> <bdi class="soft">{mail.failure}</bdi>
              </>
            ),
        },
      ]}
    />
  )
}

function fieldsOf(frame: Frame, isThere: boolean): Fields {
  const words = wordsIn('reports', frame)
  return [
    !isThere && { name: 'name', label: words.name, required: true },
    {
      name: 'groupBy',
      label: words.groupBy,
      options: { idToken: words.card, site: words.site, label: words.label },
    },
    { name: 'labelKey', label: words.labelKey, hint: words.labelHint },
    {
      name: 'schedule',
      label: words.schedule,
      hint: words.scheduleHint,
      options: Object.fromEntries(REPORT_SCHEDULES.map((schedule) => [schedule, words[schedule]])),
    },
    {
      name: 'format',
      label: words.format,
      hint: words.formatHint,
      options: Object.fromEntries(REPORT_FORMATS.map((format) => [format, words[format]])),
    },
    { name: 'mails', label: words.mails, lines: true, required: true },
  ]
}

function changePath({ root }: Frame, name: string): string {
  return `${root}/reports/change${queryText({ name })}`
}

function groupText(frame: Frame, groupBy: SessionReport['groupBy']): string {
  const words = wordsIn('reports', frame)
  if (groupBy === 'idToken') return words.card
  return groupBy === 'site' ? words.site : `${words.label}: ${labelOf(groupBy)}`
}

const BY_LABEL = 'label:'

function readReport(
  form: URLSearchParams,
  lineWord: (line: number) => string,
): { readonly name: string; readonly requested: RequestedReport } | { readonly faults: Faults } {
  const text = (name: string): string => form.get(name)?.trim() ?? ''
  const byLabel = text('groupBy') === 'label'
  const named = check(reportParams, { name: text('name') })
  const checked = check(PutReportSchema, {
    kind: 'sessions',
    groupBy: byLabel ? BY_LABEL + text('labelKey') : text('groupBy'),
    schedule: text('schedule'),
    format: text('format') || undefined,
    targets: linesOf(form.get('mails')).map((mail) => ({ mail })),
  })
  if (named.ok && checked.ok) return { name: named.value.name, requested: checked.value as RequestedReport }
  const onForm = ({ pointer, message }: FormFault): FormFault => {
    const [, first, at] = pointer.split('/')
    if (first === 'groupBy' && byLabel) return { pointer: '/labelKey', message }
    if (first !== 'targets') return { pointer, message }
    return { pointer: '/mails', message: at === undefined ? message : `${lineWord(Number(at) + 1)}: ${message}` }
  }
  const faults = [...(named.ok ? [] : named.faults), ...(checked.ok ? [] : checked.faults)]
  return { faults: faultsAt(faults.map(onForm)) }
}

function formOfReport({ name, groupBy, schedule, format, targets }: SessionReport): URLSearchParams {
  const labelKey = labelOf(groupBy)
  return new URLSearchParams({
    name,
    groupBy: labelKey === undefined ? groupBy : 'label',
    labelKey: labelKey ?? '',
    schedule,
    format,
    mails: targets.map(({ mail }) => mail).join('\n'),
  })
}

function labelOf(groupBy: SessionReport['groupBy']): string | undefined {
  return groupBy.startsWith(BY_LABEL) ? groupBy.slice(BY_LABEL.length) : undefined
}
