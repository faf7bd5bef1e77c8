/** `/2/reports` (REPORT-A1). */
import {
  deleteReport,
  findReport,
  PutReportSchema,
  putReport,
  ReportListSchema,
  ReportSchema,
  type RequestedReport,
  reportParams,
} from '../../application/reports/orders.ts'
import { pageQuery, shown } from '../../application/schemas/common.ts'
import type { SessionReport } from '../../domain/reports/records.ts'
import type { Api } from '../api-parts.ts'
import { recordPage, resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

const COMMON = { tag: 'Sessions', path: '/2/reports' } as const

export function addReports(api: Api): void {
  resource(api, COMMON).get('', 'listReports', 'List reports, by name', {
    query: pageQuery,
    ok: [ReportListSchema, 'A page of reports'],
    handle: (request) =>
      recordPage(api, request, { name: 'reports', kind: 'session_reports', show: (rows) => rows.map(represented) }),
  })
  const report = resource(api, { ...COMMON, path: `${COMMON.path}/{name}`, params: reportParams })
  report.put('', 'putReport', 'Create or replace a report', {
    description:
      'Sent by mail when the week or month is over: the sums of the charges that began in it, by group, as a CSV file, and as a PDF file where that is the format. With another schedule it begins with the period that runs now.',
    body: PutReportSchema,
    problems: [409],
    replaced: [ReportSchema],
    async handle({ principal, params: { name }, body }) {
      const { before, after } = orRefused(await putReport(api, principal.accountId, name, body as RequestedReport))
      return { before, shown: represented(after) }
    },
  })
  report.get('', 'getReport', 'Get a report', {
    ok: [ReportSchema, 'The report'],
    handle: async ({ principal, params: { name } }) =>
      represented(orRefused(await findReport(api, principal.accountId, name))),
  })
  report.delete('', 'deleteReport', 'Delete a report', {
    description: 'One that is on its way already is sent.',
    done: 'Deleted',
    handle: ({ principal, params: { name } }) => deleteReport(api, principal.accountId, name),
  })
}

function represented(report: SessionReport): object {
  return shown(ReportSchema, report, { kind: 'sessions', nextAt: report.dueAt })
}
