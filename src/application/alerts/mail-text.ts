/** One plain-text mail of all notices for one address (ALERT-M3). Nothing in it can end a line (ALERT-M4). */

import type { AlertNotice } from '../../domain/alerts/records.ts'
import { grouped } from '../../domain/grouped.ts'
import { isShownTwice, offsetText, wallClock } from '../../domain/time-zone.ts'
import { oneLine } from '../../domain/typed-text.ts'
import { inLanguages, type Language } from '../words/in-languages.ts'
import { alertText, kindTitle } from './alert-words.ts'

/** Who reads a mail is not known: the server's own language and zone. */
export interface MailReader {
  readonly language: Language
  readonly timeZone: string
}

export interface MailText {
  readonly subject: string
  readonly text: string
}

const textsOf = inLanguages('alertMails')

const MAX_SUBJECT_LENGTH = 150

const LISTED = 50
const GROUPS_LISTED = 100

/** @param notices at least one; the oldest first */
export function mailText(notices: readonly AlertNotice[], reader: MailReader, page: string): MailText {
  const texts = textsOf(reader)
  const reported = WHATS.map((what) => [what, notices.filter((notice) => notice.what === what)] as const)
  const parts = reported.flatMap(([what, of]) => (of.length > 0 ? [section(texts[what], of, reader)] : []))
  const [first] = notices
  const about =
    notices.length === 1 && first
      ? `${first.what === 'begins' ? '' : `${texts[first.what]}: `}${alertText(first.alert, reader)}`
      : `${commonSubject(notices, reader)}${counts(reported, texts.counted)}`
  const text = `${[...parts, `${texts.more}\n${page}`].join('\n\n')}\n`
  return { subject: oneLine(`[Pilotwire] ${about}`, MAX_SUBJECT_LENGTH), text }
}

type What = AlertNotice['what']
const WHATS = ['begins', 'escalates', 'ends'] as const satisfies readonly What[]

function counts(reported: readonly (readonly [What, readonly AlertNotice[]])[], words: Readonly<Record<What, string>>) {
  const shown = reported.filter(([what, { length }]) => what !== 'escalates' || length > 0)
  return shown.map(([what, { length }]) => `${length} ${words[what]}`).join(', ')
}

/** ALERT-A4 */
export function testMail(ruleName: string, language: Language, page: string): MailText {
  const texts = textsOf({ language })
  const subject = oneLine(`[Pilotwire] ${texts.test(oneLine(ruleName, 100))}`, MAX_SUBJECT_LENGTH)
  return { subject, text: `${texts.tested}\n\n${texts.more}\n${page}\n` }
}

function commonSubject(notices: readonly AlertNotice[], reader: MailReader): string {
  const [group, another] = bySiteAndKind(notices)
  return !group || another ? '' : `${kindAndSite(group[0], reader)}: `
}

function kindAndSite({ alert: { kind, facts } }: AlertNotice, reader: MailReader): string {
  const [title, site] = [kindTitle(kind, reader), oneLine(facts.site ?? '', 100)]
  return site === '' ? title : textsOf(reader).at(title, site)
}

function section(title: string, notices: readonly AlertNotice[], reader: MailReader): string {
  const groups = bySiteAndKind(notices).sort((a, b) => b.length - a.length || compare(keyOf(a[0]), keyOf(b[0])))
  const others = groups.slice(GROUPS_LISTED)
  const rest = others.reduce((sum, group) => sum + group.length, 0)
  const isListed = notices.length <= LISTED
  return [
    `${title}:`,
    ...groups.slice(0, GROUPS_LISTED).flatMap((group) => groupLines(group, reader, isListed)),
    ...(rest > 0 ? [`- ${textsOf(reader).otherGroups(rest, others.length)}`] : []),
  ].join('\n')
}

type Group = [AlertNotice, ...AlertNotice[]]

function bySiteAndKind(notices: readonly AlertNotice[]): Group[] {
  return [...grouped(notices, keyOf).values()] as Group[]
}

function keyOf({ alert: { kind, facts } }: AlertNotice): string {
  return JSON.stringify([facts.site ?? '', kind])
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function groupLines(group: Group, reader: MailReader, isListed: boolean): readonly string[] {
  const [first] = group
  if (group.length === 1) return [line(first, reader)]
  const since = Math.min(...group.map(({ alert }) => alert.since))
  const texts = textsOf(reader)
  const sum = `${group.length} × ${kindAndSite(first, reader)}`
  if (isListed) group.sort((one, other) => compare(one.alert.about, other.alert.about))
  const members = isListed ? group.map((notice) => `  ${line(notice, reader)}`) : []
  return [`- ${sum}, ${texts.since(shown(since, reader))}`, ...members]
}

function line(notice: AlertNotice, reader: MailReader): string {
  const texts = textsOf(reader)
  const { since, clearedAt, ruleName } = notice.alert
  const when =
    clearedAt === undefined
      ? texts.since(shown(since, reader))
      : texts.until(shown(since, reader), shown(clearedAt, reader))
  return `- ${alertText(notice.alert, reader)}, ${when} (${texts.rule}: ${oneLine(ruleName, 100)})`
}

function shown(at: number, { timeZone }: MailReader): string {
  const text = `${new Date(wallClock(at, timeZone)).toISOString().slice(0, 16).replace('T', ' ')} ${timeZone}`
  return isShownTwice(at, timeZone) ? `${text} (${offsetText(at, timeZone)})` : text
}
