/** Reports as they are ordered (REPORT-A1). */
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import type { ReportFormat, ReportSchedule, SessionReport } from '../../domain/reports/records.ts'
import { type CalendarPeriod, periodOf } from '../../domain/time-zone.ts'

export const MOST_REPORTS = 100

interface ReportOrderParts {
  readonly reads: Pick<Reads, 'getRecord' | 'countRecords'>
  readonly writes: Pick<Writes, 'putRecords' | 'changeRecordsIf' | 'removeRecords'>
  readonly now: () => number
  readonly settings: { readonly timeZone?: string | undefined }
}

export interface WantedReport extends Pick<SessionReport, 'groupBy' | 'schedule' | 'targets'> {
  readonly format?: ReportFormat | undefined
}

const CALENDAR: Readonly<Record<ReportSchedule, CalendarPeriod>> = { monthly: 'month', weekly: 'week' }

export function reportPeriod(schedule: ReportSchedule, at: number, timeZone = 'UTC') {
  return periodOf(CALENDAR[schedule], at, timeZone)
}

type Put = { readonly before: SessionReport | undefined; readonly after: SessionReport }

export async function putReport(
  parts: ReportOrderParts,
  accountId: string,
  name: string,
  wanted: WantedReport,
): Promise<Put | Refusal> {
  const made = await madeReport(parts, accountId, name, wanted)
  if ('after' in made) await parts.writes.putRecords('session_reports', [made.after])
  return made
}

/** @returns undefined: one of this name is there, which nobody replaces who did not see it */
export async function addReport(
  parts: ReportOrderParts,
  accountId: string,
  name: string,
  wanted: WantedReport,
): Promise<Put | Refusal | undefined> {
  const made = await madeReport(parts, accountId, name, wanted)
  if ('refused' in made) return made
  const none = { kind: 'session_reports', remove: { accountId, name } } as const
  const isAdded = await parts.writes.changeRecordsIf([{ kind: 'session_reports', put: made.after }], none)
  return isAdded ? made : undefined
}

async function madeReport(
  { reads, now, settings }: Omit<ReportOrderParts, 'writes'>,
  accountId: string,
  name: string,
  { groupBy, schedule, targets, format = 'csv' }: WantedReport,
): Promise<Put | Refusal> {
  const before = await reads.getRecord('session_reports', { accountId, name })
  if (
    !before &&
    (await reads.countRecords('session_reports', { where: { accountId }, limit: MOST_REPORTS })) >= MOST_REPORTS
  ) {
    return refuse(409, 'too_many_reports', `An account has at most ${MOST_REPORTS} reports; delete one.`)
  }
  const at = now()
  const kept = before?.schedule === schedule ? before.dueAt : undefined
  const after: SessionReport = {
    accountId,
    name,
    groupBy,
    schedule,
    format,
    targets,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    dueAt: kept ?? reportPeriod(schedule, at, settings.timeZone).below,
  }
  return { before, after }
}

export async function findReport(
  { reads }: Pick<ReportOrderParts, 'reads'>,
  accountId: string,
  name: string,
): Promise<SessionReport | Refusal> {
  return (await reads.getRecord('session_reports', { accountId, name })) ?? noSuch('report')
}

export async function deleteReport(
  parts: Pick<ReportOrderParts, 'reads' | 'writes'>,
  accountId: string,
  name: string,
): Promise<Refusal | undefined> {
  const report = await findReport(parts, accountId, name)
  if ('refused' in report) return report
  await parts.writes.removeRecords('session_reports', [{ accountId, name }])
  return undefined
}
