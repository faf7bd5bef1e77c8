/** Makes reports when their week or month is over, and sends them (REPORT-A2, REPORT-A3). */

import { createHash } from 'node:crypto'
import { dueRanges } from '../../domain/due.ts'
import { type Periodic, periodically } from '../../domain/periodic.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { GroupBy, ReportMail, SessionReport } from '../../domain/reports/records.ts'
import { ReportSums } from '../../domain/reports/sums.ts'
import { chargePointPages, sessionPages } from '../../domain/selector.ts'
import type { Period } from '../../domain/time-zone.ts'
import { oneLine } from '../../domain/typed-text.ts'
import { delayMs, MAX_DELAY_MS, SERVER_CODES } from '../alerts/mail-queue.ts'
import type { Mailer } from '../alerts/mailer.ts'
import type { UseCaseContext } from '../context.ts'
import type { Language } from '../words/in-languages.ts'
import { reportPeriod, reportText } from './orders.ts'

const SWEEP_MS = 30_000
const FIRST_MS = 2000
const PAGE = 500
/** A week in which clocks go forward by two hours at most. */
const MIN_PERIOD_MS = 7 * 86_400_000 - 2 * 3600_000
const MAX_FAILURE_LENGTH = 300

export interface ReportContext extends Pick<UseCaseContext, 'reads' | 'writes' | 'clock' | 'log' | 'isKeeper'> {
  readonly timeZone: string
  /** Absent: no mail server is configured, so reports wait for one. */
  readonly post?: { readonly mailer: Mailer; readonly language: Language; readonly domain: string } | undefined
}

export function startReports(parts: ReportContext): Periodic {
  const { clock, log, isKeeper } = parts
  return periodically({
    clock,
    isKeeper,
    async work() {
      await makeDue(parts)
      await sendDue(parts)
    },
    everyMs: SWEEP_MS,
    firstMs: FIRST_MS,
    failed: (error) => log.error({ error: error.message }, 'reports could not be made or sent'),
  })
}

/** After a long stop one report has all that ended meanwhile. */
export async function makeDue(parts: ReportContext): Promise<void> {
  const { reads, writes, clock, timeZone } = parts
  await bringNearer(parts)
  for (;;) {
    const due = await reads.listRecords('session_reports', {
      where: { dueAt: { below: clock.now() + 1 } },
      limit: PAGE,
    })
    let made = 0
    for (const report of due) {
      const { from } = reportPeriod(report.schedule, report.dueAt - 1, timeZone)
      const current = reportPeriod(report.schedule, clock.now(), timeZone)
      const period = { from, below: current.from }
      const mails = report.targets.map(
        ({ mail }): RecordChange => ({
          kind: 'report_mails',
          put: mailOf(report, mail, period, clock.now()),
        }),
      )
      const next: RecordChange = { kind: 'session_reports', put: { ...report, dueAt: current.below } }
      // Another node that came first, or a change of the report: the next look has it.
      if (await writes.changeRecordsIf([...mails, next], { kind: 'session_reports', put: report })) made++
    }
    if (made === 0) return
  }
}

/** What would be due after the period that holds now was moved on by a clock that was ahead. */
async function bringNearer({ reads, writes, clock, timeZone }: ReportContext): Promise<void> {
  const now = clock.now()
  for await (const page of recordPages(reads, 'session_reports', { dueAt: { from: now + MIN_PERIOD_MS } })) {
    for (const report of page) {
      const dueAt = reportPeriod(report.schedule, now, timeZone).below
      if (dueAt >= report.dueAt) continue
      const nearer: RecordChange = { kind: 'session_reports', put: { ...report, dueAt } }
      await writes.changeRecordsIf([nearer], { kind: 'session_reports', put: report })
    }
  }
}

function mailOf(report: SessionReport, mail: string, { from, below }: Period, now: number): ReportMail {
  const { accountId, name, groupBy, format } = report
  const id = createHash('sha256')
    .update(JSON.stringify([accountId, name, from, below, mail]))
    .digest('hex')
    .slice(0, 32)
  return {
    id,
    accountId,
    name,
    mail,
    groupBy,
    format,
    periodFrom: from,
    periodBelow: below,
    dueAt: now,
    attempts: 0,
    createdAt: now,
  }
}

export async function sendDue(parts: ReportContext): Promise<void> {
  const { reads, writes, clock, log, post } = parts
  if (!post) return
  const ranges = dueRanges(clock.now(), MAX_DELAY_MS)
  const due = await Promise.all(
    ranges.map((dueAt) => reads.listRecords('report_mails', { where: { dueAt }, limit: PAGE })),
  )
  for (const mail of due.flat()) {
    const sums = await sumsOf(parts, mail)
    const text = reportText(mail, sums, post.language, parts.timeZone)
    try {
      await post.mailer.send({ ...text, to: mail.mail, messageId: `<report-${mail.id}@${post.domain}>` })
    } catch (error) {
      const { message, code = '' } = error as Error & { readonly code?: string | undefined }
      log.warn({ error: message, code, report: mail.name }, 'a report was not taken; it is sent again later')
      const attempts = mail.attempts + 1
      const failure = oneLine(message, MAX_FAILURE_LENGTH)
      await writes.putRecords('report_mails', [{ ...mail, attempts, failure, dueAt: clock.now() + delayMs(attempts) }])
      if (SERVER_CODES.has(code)) return
      continue
    }
    const { accountId, name, mail: to, periodFrom, periodBelow } = mail
    const sent = { accountId, name, mail: to, periodFrom, periodBelow, sentAt: clock.now() }
    await writes.changeRecords(
      [
        { kind: 'report_mails', remove: { id: mail.id } },
        { kind: 'sent_reports', put: sent },
      ],
      [],
    )
  }
}

export async function sumsOf(
  { reads, clock }: Pick<ReportContext, 'reads' | 'clock'>,
  { accountId, groupBy, periodFrom, periodBelow }: Omit<ReportMail, 'id' | 'name' | 'mail'>,
): Promise<ReportSums> {
  const groupOf = await grouping(reads, accountId, groupBy)
  const sums = new ReportSums()
  const query = { accountId, startedFrom: periodFrom, startedTo: periodBelow, byStart: true } as const
  for await (const sessions of sessionPages(reads, query)) {
    for (const session of sessions) sums.add(session, groupOf(session), clock.now())
  }
  return sums
}

async function grouping(
  reads: ReportContext['reads'],
  accountId: string,
  groupBy: GroupBy,
): Promise<(session: Session) => string> {
  if (groupBy === 'idToken') return ({ idToken = '' }) => idToken
  const key = groupBy === 'site' ? 'site' : groupBy.slice('label:'.length)
  const values = new Map<string, string>()
  for await (const page of chargePointPages(reads, accountId)) {
    for (const { id, labels } of page) values.set(id, labels?.[key] ?? '')
  }
  return ({ chargePointId }) => values.get(chargePointId) ?? ''
}
