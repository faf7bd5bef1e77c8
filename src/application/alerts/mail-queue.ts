/** Sends alert mail: at least once, bundled by address, paced, retried (ALERT-M1 to ALERT-M3, ALERT-M7). */

import { leavesAt } from '../../domain/alerts/quiet-hours.ts'
import type { AlertMailing, AlertNotice } from '../../domain/alerts/records.ts'
import { dueRanges } from '../../domain/due.ts'
import { grouped } from '../../domain/grouped.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { UseCaseContext } from '../context.ts'
import { type MailReader, mailText } from './mail-text.ts'
import type { Mailer } from './mailer.ts'

/** Of one page; all that is due at once is one mail. */
const PAGE = 500
const MOST = 20_000
/** ALERT-M1: after each failure; the last one again and again. */
const DELAYS_SECONDS = [30, 60, 120, 300, 900, 1800, 3600]
export const MAX_DELAY_MS = 3600_000
/** Quiet hours, which may be a day and what the clocks of a zone change, and the pace of one address. */
const MAX_WAIT_MS = 28 * 3600_000
/** The server is at fault and not the address: mail to others would fail as well. */
export const SERVER_CODES = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EAUTH', 'ETLS', 'ECONNREFUSED'])

export interface PostContext extends MailReader, Pick<UseCaseContext, 'reads' | 'writes' | 'clock' | 'log'> {
  readonly mailer: Mailer
  readonly page: string
  readonly domain: string
}

export function delayMs(attempts: number): number {
  return (DELAYS_SECONDS[Math.min(attempts, DELAYS_SECONDS.length) - 1] ?? 0) * 1000
}

export async function sendDue(parts: PostContext): Promise<void> {
  const { reads, clock } = parts
  for (;;) {
    const due = await dueNotices(reads, clock.now())
    const all = byAddress(await withoutTooSoon(parts, due))
    for (const [at, notices] of all.entries()) {
      if ((await sendOne(parts, notices)) === 'server failed') {
        await postpone(parts, all.slice(at + 1).flat())
        return
      }
    }
    if (due.length < MOST) return
  }
}

async function dueNotices(reads: PostContext['reads'], now: number): Promise<readonly AlertNotice[]> {
  const due: AlertNotice[] = []
  for (const dueAt of dueRanges(now, MAX_WAIT_MS)) {
    for await (const page of recordPages(reads, 'alert_notices', { dueAt })) {
      due.push(...page)
      if (due.length >= MOST) return due
    }
  }
  return due
}

/** ALERT-M7: what is too soon after the last mail about its rule waits; the rest may leave now. */
async function withoutTooSoon(parts: PostContext, due: readonly AlertNotice[]): Promise<readonly AlertNotice[]> {
  const { reads, clock } = parts
  const now = clock.now()
  const held: AlertNotice[] = []
  const leaving = new Set<AlertNotice>()
  for (const notices of grouped(due, (notice) => JSON.stringify(Object.values(mailingKey(notice)))).values()) {
    const [first] = notices
    if (!first) continue
    const key = mailingKey(first)
    const last = await reads.getRecord('alert_mailings', key)
    const rule = last && (await reads.getRecord('alert_rules', { accountId: key.accountId, id: key.ruleId }))
    const dueAt = leavesAt(last?.sentAt, rule?.quietHours, now)
    for (const notice of notices) {
      if (dueAt > now) held.push({ ...notice, dueAt })
      else leaving.add(notice)
    }
  }
  await putNotices(parts, held)
  return due.filter((notice) => leaving.has(notice))
}

function mailingKey({ accountId, alert: { ruleId }, mail }: AlertNotice): Omit<AlertMailing, 'sentAt'> {
  return { accountId, ruleId, mail }
}

async function sendOne(
  parts: PostContext,
  notices: readonly AlertNotice[],
): Promise<'sent' | 'refused' | 'server failed'> {
  const { writes, clock, mailer, page, domain, log } = parts
  const [first] = notices
  if (!first) return 'sent'
  const mail = { ...mailText(notices, parts, page), to: first.mail, messageId: `<${first.id}@${domain}>` }
  try {
    await mailer.send(mail)
  } catch (error) {
    const { message, code = '' } = error as Error & { readonly code?: string | undefined }
    log.warn(
      { error: message, code, notices: notices.length },
      'a mail about alerts was not taken; it is sent again later',
    )
    await postpone(parts, notices)
    return SERVER_CODES.has(code) ? 'server failed' : 'refused'
  }
  const sentAt = clock.now()
  const rules = new Map(notices.map((notice) => [notice.alert.ruleId, { ...mailingKey(notice), sentAt }]))
  const sent = [...rules.values()].map((put): RecordChange => ({ kind: 'alert_mailings', put }))
  const removed = notices.slice(0, PAGE).map((remove): RecordChange => ({ kind: 'alert_notices', remove }))
  await writes.changeRecords([...sent, ...removed], [])
  for (let at = PAGE; at < notices.length; at += PAGE) {
    await writes.removeRecords('alert_notices', notices.slice(at, at + PAGE))
  }
  return 'sent'
}

async function postpone(parts: PostContext, notices: readonly AlertNotice[]): Promise<void> {
  const now = parts.clock.now()
  const later = notices.map((notice) => {
    const attempts = notice.attempts + 1
    return { ...notice, attempts, dueAt: now + delayMs(attempts) }
  })
  await putNotices(parts, later)
}

async function putNotices({ writes }: PostContext, notices: readonly AlertNotice[]): Promise<void> {
  for (let at = 0; at < notices.length; at += PAGE) {
    await writes.putRecords('alert_notices', notices.slice(at, at + PAGE))
  }
}

/** One account's mail shows nothing of another's. */
function byAddress(notices: readonly AlertNotice[]): readonly (readonly AlertNotice[])[] {
  return [...grouped(notices, ({ accountId, mail }) => JSON.stringify([accountId, mail])).values()]
}
