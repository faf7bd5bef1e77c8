/** Reports as they are ordered (REPORT-A1). */

import { z } from '@hono/zod-openapi'
import { csvField } from '../../domain/message-log/csv.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import {
  REPORT_FORMATS,
  REPORT_SCHEDULES,
  type ReportFormat,
  type ReportMail,
  type ReportSchedule,
  type SessionReport,
} from '../../domain/reports/records.ts'
import type { ReportSum, ReportSums } from '../../domain/reports/sums.ts'
import { currencyExponent } from '../../domain/sessions/figures/cost.ts'
import { type CalendarPeriod, periodOf, wallClock } from '../../domain/time-zone.ts'
import { NAME, oneLine } from '../../domain/typed-text.ts'
import type { Mail } from '../alerts/mailer.ts'
import { mailbox } from '../alerts/schemas.ts'
import { labelFault } from '../charge-points/register.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { listOf, time, typedText } from '../schemas/common.ts'
import { inLanguages, type Language, type TextsIn } from '../words/in-languages.ts'
import { fitting, PAGE, type PdfPage, type PdfText, pdfFile, plainText } from './pdf.ts'

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

const wordsOf = inLanguages('reportMails')
const LOCALE_TAGS = { en: 'en-GB', de: 'de-DE' } as const

const MAX_SUBJECT_LENGTH = 150
const MICROS = 1_000_000

/** A report as a mail with a file (REPORT-A3). */
export function reportText(
  { name, groupBy, format, periodFrom, periodBelow }: ReportMail,
  sums: ReportSums,
  language: Language,
  timeZone: string,
): Pick<Mail, 'subject' | 'text' | 'attachments'> {
  const texts = wordsOf({ language })
  const [first, last] = [dayOf(periodFrom, timeZone), dayOf(periodBelow - 1, timeZone)]
  const { total } = sums
  const figure = (value: number, digits: number): string =>
    value.toLocaleString(LOCALE_TAGS[language], { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const money = (micros: number, currency: string): string =>
    `${figure(micros / MICROS, currencyExponent(currency))} ${currency}`
  const cost = [...total.cost].map(([currency, micros]) => money(micros, currency))
  const period = texts.period(first, last)
  const running = total.running > 0 ? [texts.running(total.running)] : []
  const lines = [
    period,
    '',
    `${texts.sessions}: ${figure(total.sessions, 0)}`,
    `${texts.energy}: ${figure(total.wattHours / 1000, 3)} kWh`,
    ...(cost.length > 0 ? [`${texts.cost}: ${cost.join(' + ')}`] : []),
    ...running,
    '',
    texts.attached,
  ]
  const file = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}-${first}`
  const csv = {
    filename: `${file}.csv`,
    contentType: 'text/csv; charset=utf-8',
    content: reportCsv(groupBy, sums),
  }
  const group = groupBy === 'idToken' || groupBy === 'site' ? texts.group[groupBy] : groupBy.slice('label:'.length)
  const title = oneLine(name, MAX_SUBJECT_LENGTH)
  const pdf = (): Buffer =>
    reportPdf({ title, lead: [period, ...running], language, words: { ...texts, group }, figure, money }, sums)
  return {
    subject: oneLine(`[Pilotwire] ${oneLine(name, 80)}, ${first} – ${last}`, MAX_SUBJECT_LENGTH),
    text: `${lines.join('\n')}\n`,
    attachments: [
      ...(format === 'pdf' ? [{ filename: `${file}.pdf`, contentType: 'application/pdf', content: pdf() }] : []),
      csv,
    ],
  }
}

function reportCsv(groupBy: string, sums: ReportSums): string {
  const header = [groupBy, 'sessions', 'notOver', 'energyKwh', 'durationSeconds', 'cost', 'currency']
  const rows = sums.groups().flatMap(rowsOf)
  return [header, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

function rowsOf(sum: ReportSum): readonly (readonly unknown[])[] {
  const { group, sessions, running, wattHours, seconds } = sum
  const [cost = [], ...more] = byCurrency(sum).map(([currency, micros]) => [micros / MICROS, currency])
  return [
    [group, sessions, running, wattHours / 1000, seconds, cost[0], cost[1]],
    ...more.map((other) => [group, 0, 0, 0, 0, ...other]),
  ]
}

function byCurrency({ cost }: ReportSum): readonly (readonly [currency: string, micros: number])[] {
  return [...cost].sort(([a], [b]) => (a < b ? -1 : 1))
}

function dayOf(at: number, timeZone: string): string {
  return new Date(wallClock(at, timeZone)).toISOString().slice(0, 10)
}

interface PdfReport {
  readonly title: string
  readonly lead: readonly string[]
  readonly language: string
  readonly words: Omit<TextsIn<'reportMails'>, 'group'> & { readonly group: string }
  readonly figure: (value: number, digits: number) => string
  readonly money: (micros: number, currency: string) => string
}

const LEFT = 50
const RIGHT = PAGE.width - LEFT
/** Where the columns behind the group end. */
const ENDS = [290, 375, 440, RIGHT] as const
const GROUP_WIDTH = 185
const SIZE = 9
const ROW = 18
const TOP = 60
const BOTTOM = PAGE.height - 70

/** REPORT-A6: the figures of the CSV file beside it, to be read and printed. */
function reportPdf(report: PdfReport, sums: ReportSums): Buffer {
  const { words, title, lead } = report
  const groups = sums.groups()
  const rows = [
    ...groups.flatMap((sum) => pdfRows(report, sum, sum.group || words.none)),
    ...pdfRows(report, sums.total, words.total),
  ]
  const isLossy = groups.some(({ group }) => !plainText(group).isWhole)
  const heading: PdfText[] = [
    { x: LEFT, y: TOP, text: fitting(plainText(title).text, 16, RIGHT - LEFT), size: 16 },
    ...[...lead, ...(isLossy ? [words.lost] : [])].map((text, at) => ({
      x: LEFT,
      y: TOP + 22 + 13 * at,
      text,
      size: SIZE,
      soft: true,
    })),
  ]
  const firstY = TOP + 22 + 13 * (heading.length - 1) + 20
  const pages = paged(rows, firstY).map(({ rows: some, y: top }, at, all): PdfPage => {
    const names: Row = [words.group, words.sessions, words.energy, words.duration, words.cost]
    const table = [names, ...some].map((row, line) => ({ row, y: top + line * ROW, soft: line === 0 }))
    const page = { x: RIGHT, y: PAGE.height - 40, text: `${at + 1} / ${all.length}`, size: 8, right: true, soft: true }
    return {
      texts: [...(at === 0 ? heading : []), ...table.flatMap(({ row, y, soft }) => textsOf(row, y, soft)), page],
      lines: table.map(({ y }) => ({ from: LEFT, to: RIGHT, y: y + 6 })),
    }
  })
  return pdfFile(title, report.language, pages)
}

type Row = readonly [group: string, ...figures: string[]]

function pdfRows({ figure, money }: PdfReport, sum: ReportSum, name: string): readonly Row[] {
  const [cost = '', ...more] = byCurrency(sum).map(([currency, micros]) => money(micros, currency))
  const duration = `${Math.floor(sum.seconds / 3600)}:${String(Math.floor(sum.seconds / 60) % 60).padStart(2, '0')} h`
  return [
    [name, figure(sum.sessions, 0), `${figure(sum.wattHours / 1000, 3)} kWh`, duration, cost],
    ...more.map((other): Row => [name, '', '', '', other]),
  ]
}

function paged(rows: readonly Row[], firstY: number): readonly { readonly rows: readonly Row[]; readonly y: number }[] {
  const pages: { rows: Row[]; y: number }[] = [{ rows: [], y: firstY }]
  for (const row of rows) {
    const page = pages.at(-1)
    if (page && page.y + (page.rows.length + 1) * ROW <= BOTTOM) page.rows.push(row)
    else pages.push({ rows: [row], y: TOP })
  }
  return pages
}

function textsOf([group, ...figures]: Row, y: number, soft: boolean): readonly PdfText[] {
  return [
    { x: LEFT, y, text: fitting(plainText(group).text, SIZE, GROUP_WIDTH), size: SIZE, soft },
    ...figures.map((text, at) => ({ x: ENDS[at] ?? RIGHT, y, text, size: SIZE, right: true, soft })),
  ]
}
