/** One plain-text mail of all notices for one address (ALERT-M3). Nothing in it can end a line (ALERT-M4). */

import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import type { AlertNotice, Language } from '../../domain/alerts/records.ts'
import { isShownTwice, offsetText, wallClock } from '../../domain/time-zone.ts'
import { oneLine } from '../../domain/typed-text.ts'

/** Who reads a mail is not known: the server's own language and zone. */
export interface MailReader {
  readonly language: Language
  readonly timeZone: string
}

export interface MailText {
  readonly subject: string
  readonly text: string
}

const TEXTS = {
  en: {
    begins: 'Began',
    escalates: 'Not acknowledged',
    ends: 'Over',
    counted: { begins: 'began', escalates: 'not acknowledged', ends: 'over' },
    since: (since: string) => `since ${since}`,
    until: (since: string, until: string) => `from ${since} to ${until}`,
    rule: 'rule',
    about: (kind: string, site: string) => `${kind}${site && ` at ${site}`}`,
    otherGroups: (count: number, groups: number) => `${count} more, in ${groups} groups`,
    more: 'All that is on:',
    test: (rule: string) => `Test of the rule ${rule}`,
    tested: 'This is a test: mail about this rule arrives here.',
  },
  de: {
    begins: 'Begonnen',
    escalates: 'Nicht übernommen',
    ends: 'Vorbei',
    counted: { begins: 'begonnen', escalates: 'nicht übernommen', ends: 'vorbei' },
    since: (since: string) => `seit ${since}`,
    until: (since: string, until: string) => `von ${since} bis ${until}`,
    rule: 'Regel',
    about: (kind: string, site: string) => `${kind}${site && `, Standort ${site}`}`,
    otherGroups: (count: number, groups: number) => `${count} weitere in ${groups} Gruppen`,
    more: 'Alles, was ansteht:',
    test: (rule: string) => `Test der Regel ${rule}`,
    tested: 'Dies ist ein Test: Mail zu dieser Regel kommt hier an.',
  },
} as const

const MAX_SUBJECT_LENGTH = 150

const LISTED = 50
const GROUPS_LISTED = 100

/** @param notices at least one; the oldest first */
export function mailText(notices: readonly AlertNotice[], reader: MailReader, page: string): MailText {
  const texts = TEXTS[reader.language]
  const reported = WHATS.map((what) => [what, notices.filter((notice) => notice.what === what)] as const)
  const parts = reported.flatMap(([what, of]) => (of.length > 0 ? [section(texts[what], of, reader)] : []))
  const [first] = notices
  const about =
    notices.length === 1 && first
      ? `${first.what === 'begins' ? '' : `${texts[first.what]}: `}${reportedIn(first, reader)}`
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
  const texts = TEXTS[language]
  const subject = oneLine(`[Pilotwire] ${texts.test(oneLine(ruleName, 100))}`, MAX_SUBJECT_LENGTH)
  return { subject, text: `${texts.tested}\n\n${texts.more}\n${page}\n` }
}

function commonSubject(notices: readonly AlertNotice[], { language }: MailReader): string {
  const [group, another] = [...bySiteAndKind(notices).values()]
  if (!group || another) return ''
  return `${TEXTS[language].about(KINDS[group[0].alert.kind].words[language].title, siteOf(group[0]))}: `
}

function section(title: string, notices: readonly AlertNotice[], reader: MailReader): string {
  const groups = [...bySiteAndKind(notices).values()]
  groups.sort((a, b) => b.length - a.length || compare(keyOf(a[0]), keyOf(b[0])))
  const others = groups.slice(GROUPS_LISTED)
  const rest = others.reduce((sum, group) => sum + group.length, 0)
  const isListed = notices.length <= LISTED
  return [
    `${title}:`,
    ...groups.slice(0, GROUPS_LISTED).flatMap((group) => groupLines(group, reader, isListed)),
    ...(rest > 0 ? [`- ${TEXTS[reader.language].otherGroups(rest, others.length)}`] : []),
  ].join('\n')
}

type Group = [AlertNotice, ...AlertNotice[]]

function bySiteAndKind(notices: readonly AlertNotice[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const notice of notices) {
    const group = groups.get(keyOf(notice))
    if (group) group.push(notice)
    else groups.set(keyOf(notice), [notice])
  }
  return groups
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
  const { kind } = first.alert
  const since = Math.min(...group.map(({ alert }) => alert.since))
  const texts = TEXTS[reader.language]
  const sum = `${group.length} × ${texts.about(KINDS[kind].words[reader.language].title, siteOf(first))}`
  if (isListed) group.sort((one, other) => compare(one.alert.about, other.alert.about))
  const members = isListed ? group.map((notice) => `  ${line(notice, reader)}`) : []
  return [`- ${sum}, ${texts.since(shown(since, reader))}`, ...members]
}

function siteOf({ alert: { facts } }: AlertNotice): string {
  return facts.site === undefined ? '' : oneLine(facts.site, 100)
}

function line(notice: AlertNotice, reader: MailReader): string {
  const texts = TEXTS[reader.language]
  const { since, clearedAt, ruleName } = notice.alert
  const when =
    clearedAt === undefined
      ? texts.since(shown(since, reader))
      : texts.until(shown(since, reader), shown(clearedAt, reader))
  return `- ${reportedIn(notice, reader)}, ${when} (${texts.rule}: ${oneLine(ruleName, 100)})`
}

function reportedIn({ alert: { kind, facts } }: AlertNotice, reader: MailReader): string {
  return KINDS[kind].words[reader.language].reported(facts)
}

function shown(at: number, { timeZone }: MailReader): string {
  const text = `${new Date(wallClock(at, timeZone)).toISOString().slice(0, 16).replace('T', ' ')} ${timeZone}`
  return isShownTwice(at, timeZone) ? `${text} (${offsetText(at, timeZone)})` : text
}
