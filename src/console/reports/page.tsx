/** `/dashboard/reports`: who sees the console sees what is sent to whom; administrators order it (REPORT-A4). */

import { addReport, deleteReport, findReport, MAX_REPORTS, putReport } from '../../application/reports/orders.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { refuseFault } from '../../domain/refuse.ts'
import type { SessionReport } from '../../domain/reports/records.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { reportTexts } from '../kit/texts.ts'
import { typedWith } from '../kit/typed.ts'
import { again, ordering, type Shown, showing, type Visit } from '../visit.tsx'
import { formOfReport, readReport } from './report-form.ts'
import { ACTION, DeletionPage, ReportPage, ReportsPage } from './reports-page.tsx'

const LIST = '/reports'
const MAX_MAILS = 200

export const addReportPages: MountConsolePages = (page, parts) => {
  page(LIST, { GET: showReports })
  page(`${LIST}/new`, {
    GET: showing('administrator', (visit) => reportPage(visit, parts, NOTHING_TYPED)),
    POST: ordering('administrator', ACTION, (visit, form) => written(visit, parts, form, undefined)),
    names: 'name',
  })
  page(`${LIST}/change`, { GET: showReport(parts), POST: changeReport(parts), names: 'name' })
  page(`${LIST}/delete`, { GET: askDeletion, POST: removeReport, names: 'name' })
}

const showReports: ConsolePage = showing('see', async (visit) => {
  const { site, accountId } = visit
  const reports = await site.reads.listRecords('session_reports', { where: { accountId }, limit: MAX_REPORTS })
  return <ReportsPage visit={visit} reports={reports} />
})

function showReport(parts: OperatorContext): ConsolePage {
  return showing('administrator', async (visit) => {
    const report = await askedFor(visit)
    if ('refused' in report) return undefined
    return reportPage(visit, parts, { form: formOfReport(report), faults: {} }, report)
  })
}

function changeReport(parts: OperatorContext): ConsolePage {
  return ordering('administrator', ACTION, async (visit, form) => {
    const report = await findReport(visit.site, visit.accountId, form.get('name') ?? '')
    if ('refused' in report) return report
    return written(visit, parts, form, report)
  })
}

const askDeletion: ConsolePage = showing('administrator', async (visit) => {
  const report = await askedFor(visit)
  return 'refused' in report ? undefined : <DeletionPage visit={visit} name={report.name} />
})

const removeReport: ConsolePage = ordering(
  'administrator',
  ACTION,
  async ({ site, accountId }, form) => (await deleteReport(site, accountId, form.get('name') ?? '')) ?? LIST,
)

/** ADMIN-D1: the list once it is stored, or the form with its faults. */
async function written(
  visit: Visit,
  parts: OperatorContext,
  form: URLSearchParams,
  report: SessionReport | undefined,
): Promise<string | Shown> {
  const { site, accountId, frame } = visit
  const words = reportTexts(frame)
  const read = readReport(form, words.line)
  if ('faults' in read)
    return again(await reportPage(visit, parts, { form, faults: read.faults }, report), { status: 400 })
  const refused = async (refusal: Refusal) =>
    again(await reportPage(visit, parts, typedWith(form, refusal), report), refusal)
  // Over the API a name that is there is replaced; here nobody saw the one that would be gone.
  const order = report ? putReport : addReport
  const done = await order({ ...site, settings: parts }, accountId, read.name, read.requested)
  if (!done) return refused(refuseFault('/name', 'name_taken', words.taken))
  return 'refused' in done ? refused(done) : LIST
}

/** Its name is no step of the address: it may be such that browsers take it away. */
function askedFor({ site, context, accountId }: Visit): Promise<SessionReport | Refusal> {
  return findReport(site, accountId, context.req.query('name') ?? '')
}

async function reportPage(visit: Visit, { timeZone }: OperatorContext, typed: Typed, report?: SessionReport) {
  const mails = report ? await mailsOf(visit, report) : []
  return <ReportPage {...{ visit, typed, report, mails, timeZone }} />
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
