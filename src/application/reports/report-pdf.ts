/** The sums of a report as a PDF file (REPORT-A6): the figures of the CSV file beside it, to be read and printed. */
import type { ReportSum, ReportSums } from '../../domain/reports/sums.ts'
import { fitting, PAGE, type PdfPage, type PdfText, pdfFile, plainText } from './pdf.ts'

interface PdfWords {
  readonly group: string
  readonly sessions: string
  readonly energy: string
  readonly duration: string
  readonly cost: string
  readonly total: string
  readonly none: string
  readonly lost: string
}

interface PdfReport {
  readonly title: string
  readonly lead: readonly string[]
  readonly language: string
  readonly words: PdfWords
  readonly figure: (value: number, digits: number) => string
  readonly money: (micros: number, currency: string) => string
}

const LEFT = 50
const RIGHT = PAGE.width - LEFT
const COLUMNS = { sessions: 290, energy: 375, duration: 440, cost: RIGHT } as const
const GROUP_WIDTH = 185
const SIZE = 9
const ROW = 18
const TOP = 60
const BOTTOM = PAGE.height - 70

export function reportPdf(report: PdfReport, sums: ReportSums): Buffer {
  const { words, title, lead } = report
  const groups = sums.groups()
  const rows = [
    ...groups.flatMap((sum) => rowsOf(report, sum, sum.group || words.none)),
    ...rowsOf(report, sums.total, words.total),
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

type Row = readonly [group: string, sessions: string, energy: string, duration: string, cost: string]

function rowsOf({ figure, money }: PdfReport, sum: ReportSum, name: string): readonly Row[] {
  const [first, ...more] = [...sum.cost].sort(([a], [b]) => (a < b ? -1 : 1))
  const cost = first ? money(first[1], first[0]) : ''
  const duration = `${Math.floor(sum.seconds / 3600)}:${String(Math.floor(sum.seconds / 60) % 60).padStart(2, '0')} h`
  return [
    [name, figure(sum.sessions, 0), `${figure(sum.wattHours / 1000, 3)} kWh`, duration, cost],
    ...more.map(([currency, micros]): Row => [name, '', '', '', money(micros, currency)]),
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

function textsOf([group, sessions, energy, duration, cost]: Row, y: number, soft: boolean): readonly PdfText[] {
  const right = (x: number, text: string): PdfText => ({ x, y, text, size: SIZE, right: true, soft })
  return [
    { x: LEFT, y, text: fitting(plainText(group).text, SIZE, GROUP_WIDTH), size: SIZE, soft },
    right(COLUMNS.sessions, sessions),
    right(COLUMNS.energy, energy),
    right(COLUMNS.duration, duration),
    right(COLUMNS.cost, cost),
  ]
}
