/** A PDF of text and thin lines in Helvetica (docs/decisions/0018-own-pdf-writer.md). In points; y from the top. */
import { deflateSync } from 'node:zlib'

export const PAGE = { width: 595, height: 842 } as const

export interface PdfText {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size: number
  readonly right?: boolean | undefined
  readonly soft?: boolean | undefined
}

export interface PdfPage {
  readonly texts: readonly PdfText[]
  readonly lines: readonly { readonly from: number; readonly to: number; readonly y: number }[]
}

/** What Helvetica has beyond Latin-1, from 0x80 on; a space: nothing is there. */
const FROM_0X80 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** Characters by their width in thousandths of the size (Adobe's metrics of Helvetica); all others have 556. */
const WIDTHS = new Map(
  Object.entries({
    191: "'",
    222: 'ijl‚‘’',
    260: '|¦',
    278: ' \u00a0!,./:;I[\\]ftì·',
    333: '()-`r¡¨\u00ad¯²³´¸¹„“”ˆ˜‹›',
    350: '•',
    355: '"',
    365: 'ª°º*',
    469: '^',
    500: 'ckJsvxyz',
    584: '+<=>~¬±×÷{}',
    611: 'FTZß¿ø',
    667: 'ABEKPSVXY&Þ',
    722: 'CDHNRUÐw',
    737: '©®',
    778: 'GOQØ',
    834: '¼½¾Mm',
    889: '%æ',
    944: 'Wœ',
    1000: 'ÆŒ…—‰™@',
  }).flatMap(([width, of]) => [...of].map((character) => [character, Number(width)])),
)

/** Letters that the font lacks lose their accents or become `?`. @returns `isWhole`: nothing was lost */
export function plainText(text: string): { readonly text: string; readonly isWhole: boolean } {
  const whole = text.normalize('NFC')
  const plain = Array.from(whole, (character) => {
    if (codeOf(character) !== undefined) return character
    const base = baseOf(character)
    return codeOf(base) === undefined ? '?' : base
  }).join('')
  return { text: plain, isWhole: plain === whole }
}

export function widthOf(text: string, size: number): number {
  let width = 0
  for (const character of text) width += WIDTHS.get(character) ?? WIDTHS.get(baseOf(character)) ?? 556
  return (width * size) / 1000
}

export function fitting(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && widthOf(`${characters.join('')}…`, size) > width) characters.pop()
  return `${characters.join('')}…`
}

export function pdfFile(title: string, language: string, pages: readonly PdfPage[]): Buffer {
  const first = 5
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')
  const size = `[0 0 ${PAGE.width} ${PAGE.height}]`
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R /Lang (${language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox ${size} /Resources << /Font << /F 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Producer (Pilotwire) /Title <FEFF${Buffer.from(title, 'utf16le').swap16().toString('hex')}> >>`,
  ]
  for (const [at, page] of pages.entries()) {
    const content = deflateSync(contentOf(page))
    objects.push(`<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * at + 1} 0 R >>`)
    objects.push(
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  return assembled(objects)
}

function assembled(objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')]
  const places: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [at, object] of objects.entries()) {
    const body = Buffer.from(object as string)
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    places.push(length)
    parts.push(part)
    length += part.length
  }
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${entries}${trailer}`)])
}

function contentOf({ texts, lines }: PdfPage): string {
  const rules = lines.map(({ from, to, y }) => `${from} ${PAGE.height - y} m ${to} ${PAGE.height - y} l S`)
  const words = texts.map(({ x, y, text, size, right, soft }) => {
    const { text: plain } = plainText(text)
    const left = (right ? x - widthOf(plain, size) : x).toFixed(2)
    const codes = Array.from(plain, (character) => (codeOf(character) ?? 0x3f).toString(16).padStart(2, '0')).join('')
    return `BT ${soft ? '0.4' : '0'} g /F ${size} Tf ${left} ${PAGE.height - y} Td <${codes}> Tj ET`
  })
  return ['0.5 w 0.8 G', ...rules, ...words].join('\n')
}

function codeOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code
  const at = FROM_0X80.indexOf(character)
  return at < 0 || character === ' ' ? undefined : 0x80 + at
}

function baseOf(character: string): string {
  return character.normalize('NFD')[0] ?? '?'
}
