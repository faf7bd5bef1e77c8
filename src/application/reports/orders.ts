/** Reports as they are ordered (REPORT-A1). */

import { z } from '@hono/zod-openapi'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import {
  REPORT_FORMATS,
  REPORT_SCHEDULES,
  type ReportFormat,
  type ReportSchedule,
  type SessionReport,
} from '../../domain/reports/records.ts'
import { type CalendarPeriod, periodOf } from '../../domain/time-zone.ts'
import { NAME } from '../../domain/typed-text.ts'
import { mailbox } from '../alerts/schemas.ts'
import { labelFault } from '../charge-points/labels.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { listOf, time, typedText } from '../schemas/common.ts'

export const MAX_REPORTS = 100

type ReportOrderContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now'> & WithSettings<'timeZone'>

export interface RequestedReport extends Pick<SessionReport, 'groupBy' | 'schedule' | 'targets'> {
  readonly format?: ReportFormat | undefined
}

const CALENDAR: Readonly<Record<ReportSchedule, CalendarPeriod>> = { monthly: 'month', weekly: 'week' }

export function reportPeriod(schedule: ReportSchedule, at: number, timeZone = 'UTC') {
  return periodOf(CALENDAR[schedule], at, timeZone)
}

type Put = { readonly before: SessionReport | undefined; readonly after: SessionReport }

export async function putReport(
  parts: ReportOrderContext,
  accountId: string,
  name: string,
  requested: RequestedReport,
): Promise<Put | Refusal> {
  const made = await madeReport(parts, accountId, name, requested)
  if ('after' in made) await parts.writes.putRecords('session_reports', [made.after])
  return made
}

/** @returns undefined: one of this name exists, and only a caller who has seen it may replace it */
export async function addReport(
  parts: ReportOrderContext,
  accountId: string,
  name: string,
  requested: RequestedReport,
): Promise<Put | Refusal | undefined> {
  const made = await madeReport(parts, accountId, name, requested)
  if ('refused' in made) return made
  const none = { kind: 'session_reports', remove: { accountId, name } } as const
  const isAdded = await parts.writes.changeRecordsIf([{ kind: 'session_reports', put: made.after }], none)
  return isAdded ? made : undefined
}

async function madeReport(
  { reads, now, settings }: Omit<ReportOrderContext, 'writes'>,
  accountId: string,
  name: string,
  { groupBy, schedule, targets, format = 'csv' }: RequestedReport,
): Promise<Put | Refusal> {
  const before = await reads.getRecord('session_reports', { accountId, name })
  if (
    !before &&
    (await reads.countRecords('session_reports', { where: { accountId }, limit: MAX_REPORTS })) >= MAX_REPORTS
  ) {
    return refuse(409, 'too_many_reports', `An account has at most ${MAX_REPORTS} reports; delete one.`)
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
  { reads }: Pick<ReportOrderContext, 'reads'>,
  accountId: string,
  name: string,
): Promise<SessionReport | Refusal> {
  return (await reads.getRecord('session_reports', { accountId, name })) ?? noSuch('report')
}

export async function deleteReport(
  parts: Pick<ReportOrderContext, 'reads' | 'writes'>,
  accountId: string,
  name: string,
): Promise<Refusal | undefined> {
  const report = await findReport(parts, accountId, name)
  if ('refused' in report) return report
  await parts.writes.removeRecords('session_reports', [{ accountId, name }])
  return undefined
}

const MAX_TARGETS = 20

const members = {
  kind: z.literal('sessions'),
  groupBy: z
    .string()
    .max(200)
    .refine(isGroupBy, 'must be idToken, site or label: and the key of a label')
    .openapi({ description: 'idToken: by card. site, label:…: by that label of the charge point.', example: 'site' }),
  schedule: z.enum(REPORT_SCHEDULES).openapi({
    description: 'Sent when the month, or the week from Monday to Sunday, is over in the time zone of the account.',
  }),
  targets: z
    .array(z.strictObject({ mail: mailbox }).openapi('ReportTarget'))
    .min(1)
    .max(MAX_TARGETS),
}

export const PutReportSchema = z
  .strictObject({
    ...members,
    format: z
      .enum(REPORT_FORMATS)
      .optional()
      .openapi({ description: 'csv unless given. pdf: a PDF file with the sums, beside the CSV file.' }),
  })
  .openapi('PutSessionReport')

export const ReportSchema = z
  .strictObject({
    name: z.string(),
    ...members,
    format: z.enum(REPORT_FORMATS),
    nextAt: time().openapi({ description: 'When the next one is made.' }),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('SessionReport')

export const ReportListSchema = listOf('SessionReportList', ReportSchema)

export const reportParams = z.object({ name: typedText(NAME) })

function isGroupBy(text: string): boolean {
  if (text === 'idToken' || text === 'site') return true
  return text.startsWith('label:') && labelFault(text.slice('label:'.length), '') === undefined
}
