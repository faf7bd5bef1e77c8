/** A report as a mail with a file (REPORT-A3). */
import type { Language } from '../../domain/alerts/kind-words.ts'
import { oneLine } from '../../domain/alerts/one-line.ts'
import { csvField } from '../../domain/message-log/csv.ts'
import type { ReportMail } from '../../domain/reports/records.ts'
import type { ReportSum, ReportSums } from '../../domain/reports/sums.ts'
import { wallClock } from '../../domain/time-zone.ts'
import type { Mail } from '../alerts/mailer.ts'

const TEXTS = {
  en: {
    period: (first: string, last: string) => `Charges that began from ${first} to ${last}.`,
    sessions: 'Sessions',
    energy: 'Energy',
    cost: 'Cost',
    running: (count: number) => `${count} of them are not over yet; their figures are those of now.`,
    attached: 'The sums of each group are in the attached file.',
    locale: 'en-GB',
  },
  de: {
    period: (first: string, last: string) => `Ladevorgänge mit Beginn vom ${first} bis zum ${last}.`,
    sessions: 'Ladevorgänge',
    energy: 'Energie',
    cost: 'Kosten',
    running: (count: number) => `${count} davon laufen noch; ihre Zahlen sind die von jetzt.`,
    attached: 'Die Summen je Gruppe stehen in der angehängten Datei.',
    locale: 'de-DE',
  },
} as const

const LONGEST_SUBJECT = 150
const MICROS = 1_000_000

export function reportText(
  { name, groupBy, periodFrom, periodBelow }: ReportMail,
  sums: ReportSums,
  language: Language,
  timeZone: string,
): Pick<Mail, 'subject' | 'text' | 'attachment'> {
  const texts = TEXTS[language]
  const [first, last] = [dayOf(periodFrom, timeZone), dayOf(periodBelow - 1, timeZone)]
  const { total } = sums
  const figure = (value: number, digits: number): string =>
    value.toLocaleString(texts.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const cost = [...total.cost].map(([currency, micros]) => `${figure(micros / MICROS, 2)} ${currency}`)
  const lines = [
    texts.period(first, last),
    '',
    `${texts.sessions}: ${figure(total.sessions, 0)}`,
    `${texts.energy}: ${figure(total.wattHours / 1000, 3)} kWh`,
    ...(cost.length > 0 ? [`${texts.cost}: ${cost.join(' + ')}`] : []),
    ...(total.running > 0 ? [texts.running(total.running)] : []),
    '',
    texts.attached,
  ]
  const plainName = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
  return {
    subject: oneLine(`[Pilotwire] ${oneLine(name, 80)}, ${first} – ${last}`, LONGEST_SUBJECT),
    text: `${lines.join('\n')}\n`,
    attachment: {
      filename: `${plainName}-${first}.csv`,
      contentType: 'text/csv; charset=utf-8',
      content: reportCsv(groupBy, sums),
    },
  }
}

/** A row for each group and currency; sessions are in its first one only. */
function reportCsv(groupBy: string, sums: ReportSums): string {
  const header = [groupBy, 'sessions', 'notOver', 'energyKwh', 'durationSeconds', 'cost', 'currency']
  const rows = sums.groups().flatMap(rowsOf)
  return [header, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

function rowsOf({ group, sessions, running, wattHours, seconds, cost }: ReportSum): readonly (readonly unknown[])[] {
  const [[currency, micros] = [undefined, undefined], ...more] = [...cost].sort(([a], [b]) => (a < b ? -1 : 1))
  const amount = (of: number | undefined): number | undefined => (of === undefined ? undefined : of / MICROS)
  return [
    [group, sessions, running, wattHours / 1000, seconds, amount(micros), currency],
    ...more.map(([other, its]) => [group, 0, 0, 0, 0, amount(its), other]),
  ]
}

function dayOf(at: number, timeZone: string): string {
  return new Date(wallClock(at, timeZone)).toISOString().slice(0, 10)
}
