/** Reports that are sent by mail when a week or month is over (REPORT-A1), and those that are on their way. */
import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** How often one is sent. */
export const REPORT_SCHEDULES = ['monthly', 'weekly'] as const
export type ReportSchedule = (typeof REPORT_SCHEDULES)[number]

/** The file beside the sums; one as PDF has them as CSV too (REPORT-A3). */
export const REPORT_FORMATS = ['csv', 'pdf'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** `label:<key>` is the label of the charge point, as it is when the report is made. */
export type GroupBy = 'idToken' | 'site' | `label:${string}`

/** What is sent to whom, by name. */
export const sessionReports = record('session_reports', {
  key: ['accountId', 'name'],
  columns: {
    accountId: text(),
    name: text(),
    groupBy: text<GroupBy>(),
    schedule: text<ReportSchedule>(),
    format: text<ReportFormat>(),
    targets: json<readonly { readonly mail: string }[]>(),
    createdAt: integer(),
    updatedAt: integer(),
    /** When the week or month is over that it is about next. */
    dueAt: integer(),
  },
  indexes: [['dueAt']],
})

export type SessionReport = RecordOf<typeof sessionReports>

/** One report for one address, until the mail server has taken it. */
export const reportMails = record('report_mails', {
  key: ['id'],
  columns: {
    /** Made of report, period and address, so that none is made twice. */
    id: text(),
    accountId: text(),
    name: text(),
    mail: text(),
    groupBy: text<GroupBy>(),
    format: text<ReportFormat>(),
    periodFrom: integer(),
    periodBelow: integer(),
    dueAt: integer(),
    attempts: integer(),
    failure: optional(text()),
    createdAt: integer(),
  },
  indexes: [['dueAt'], ['createdAt'], ['accountId', 'name']],
  age: 'createdAt',
})

export type ReportMail = RecordOf<typeof reportMails>

/** The last mail of a report that each address was sent (REPORT-A5). */
export const sentReports = record('sent_reports', {
  key: ['accountId', 'name', 'mail'],
  columns: {
    accountId: text(),
    name: text(),
    mail: text(),
    periodFrom: integer(),
    periodBelow: integer(),
    sentAt: integer(),
  },
  indexes: [['sentAt']],
  age: 'sentAt',
})

export type SentReport = RecordOf<typeof sentReports>
