/**
 * One mail of all that is to be told to one address (ALERT-M3), in plain text. Nothing in it can end a line (ALERT-M4).
 */

import { KINDS } from './alert-kinds.ts'
import type { Language } from './kind-words.ts'
import { oneLine } from './one-line.ts'
import type { AlertNotice } from './records.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
}

const TEXTS = {
  en: {
    begins: 'Began',
    ends: 'Over',
    several: (begun: number, ended: number) => `${begun} began, ${ended} over`,
    over: (told: string) => `Over: ${told}`,
    since: (since: string) => `since ${since}`,
    until: (since: string, until: string) => `from ${since} to ${until}`,
    rule: 'rule',
    more: 'All that is on:',
    test: (rule: string) => `Test of the rule ${rule}`,
    tested: 'This is a test: mail about this rule arrives here.',
  },
  de: {
    begins: 'Begonnen',
    ends: 'Vorbei',
    several: (begun: number, ended: number) => `${begun} begonnen, ${ended} vorbei`,
    over: (told: string) => `Vorbei: ${told}`,
    since: (since: string) => `seit ${since}`,
    until: (since: string, until: string) => `von ${since} bis ${until}`,
    rule: 'Regel',
    more: 'Alles, was ansteht:',
    test: (rule: string) => `Test der Regel ${rule}`,
    tested: 'Dies ist ein Test: Mail zu dieser Regel kommt hier an.',
  },
} as const

const LONGEST_SUBJECT = 150

/** @param notices at least one; the oldest first */
export function mailText(notices: readonly AlertNotice[], language: Language, page: string): MailText {
  const texts = TEXTS[language]
  const begun = notices.filter(({ what }) => what === 'begins')
  const ended = notices.filter(({ what }) => what === 'ends')
  const parts = [
    ...(begun.length > 0 ? [section(texts.begins, begun, language)] : []),
    ...(ended.length > 0 ? [section(texts.ends, ended, language)] : []),
    `${texts.more}\n${page}`,
  ]
  const [first] = notices
  const about =
    notices.length === 1 && first
      ? first.what === 'begins'
        ? told(first, language)
        : texts.over(told(first, language))
      : texts.several(begun.length, ended.length)
  return { subject: oneLine(`[Pilotwire] ${about}`, LONGEST_SUBJECT), text: `${parts.join('\n\n')}\n` }
}

/** ALERT-A4 */
export function testMail(ruleName: string, language: Language, page: string): MailText {
  const texts = TEXTS[language]
  const subject = oneLine(`[Pilotwire] ${texts.test(oneLine(ruleName, 100))}`, LONGEST_SUBJECT)
  return { subject, text: `${texts.tested}\n\n${texts.more}\n${page}\n` }
}

function section(title: string, notices: readonly AlertNotice[], language: Language): string {
  return [`${title}:`, ...notices.map((notice) => line(notice, language))].join('\n')
}

function line(notice: AlertNotice, language: Language): string {
  const texts = TEXTS[language]
  const { since, clearedAt, ruleName } = notice.alert
  const when = clearedAt === undefined ? texts.since(shown(since)) : texts.until(shown(since), shown(clearedAt))
  return `- ${told(notice, language)}, ${when} (${texts.rule}: ${oneLine(ruleName, 100)})`
}

function told({ alert: { kind, facts } }: AlertNotice, language: Language): string {
  return KINDS[kind].words[language].told(facts)
}

function shown(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
