/** `/dashboard/reports`: who sees the console sees what is sent to whom; administrators order it (REPORT-A4). */

import { refuseFault } from '../../application/refuse.ts'
import { addReport, deleteReport, findReport, MOST_REPORTS, putReport } from '../../application/reports/orders.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { SessionReport } from '../../domain/reports/records.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage, MountConsolePages, OperatorParts } from '../console-parts.ts'
import { typedWith } from '../kit/typed.ts'
import { again, ordering, type Shown, showing, type Visit } from '../visit.tsx'
import { formOfReport, readReport } from './report-form.ts'
import { ACTION, DeletionPage, ReportPage, ReportsPage } from './reports-page.tsx'
import { reportTexts } from './texts.ts'

const LIST = '/reports'

export const addReportPages: MountConsolePages = (page, parts) => {
  page(LIST, { GET: showReports })
  page(`${LIST}/new`, { GET: showNewReport, POST: orderReport(parts) })
  page(`${LIST}/change`, { GET: showReport, POST: changeReport(parts) })
  page(`${LIST}/delete`, { GET: askDeletion, POST: removeReport })
}

const showReports: ConsolePage = showing('see', async (visit) => {
  const { site, accountId } = visit
  const reports = await site.reads.listRecords('session_reports', { where: { accountId }, limit: MOST_REPORTS })
  return <ReportsPage visit={visit} reports={reports} />
})

const showNewReport: ConsolePage = showing('administrator', async (visit) => reportPage(visit, NOTHING_TYPED))

function orderReport(parts: OperatorParts): ConsolePage {
  return ordering('administrator', ACTION, (visit, form) => written(visit, parts, form, undefined))
}

const showReport: ConsolePage = showing('administrator', async (visit) => {
  const report = await askedFor(visit)
  return 'refused' in report ? undefined : reportPage(visit, { form: formOfReport(report), faults: {} }, report)
})

function changeReport(parts: OperatorParts): ConsolePage {
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

/** The list once it is stored; the form with everything that was typed while something is wrong with it (ADMIN-D1). */
async function written(
  visit: Visit,
  { timeZone }: OperatorParts,
  form: URLSearchParams,
  report: SessionReport | undefined,
): Promise<string | Shown> {
  const { site, accountId, frame } = visit
  const words = reportTexts(frame)
  const read = readReport(form, words.line)
  if ('faults' in read) return again(reportPage(visit, { form, faults: read.faults }, report), { status: 400 })
  const refused = (refusal: Refusal) => again(reportPage(visit, typedWith(form, refusal), report), refusal)
  // Over the API a name that is there is replaced; here nobody saw the one that would be gone.
  const order = report ? putReport : addReport
  const done = await order({ ...site, settings: { timeZone } }, accountId, read.name, read.wanted)
  if (!done) return refused(refuseFault('/name', 'name_taken', words.taken))
  return 'refused' in done ? refused(done) : LIST
}

/** Its name is no step of the address: it may be such that browsers take it away. */
function askedFor({ site, context, accountId }: Visit): Promise<SessionReport | Refusal> {
  return findReport(site, accountId, context.req.query('name') ?? '')
}

function reportPage(visit: Visit, typed: Typed, report?: SessionReport) {
  return <ReportPage {...{ visit, typed, report }} />
}
