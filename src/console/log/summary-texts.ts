import { MAX_IN_UNIT, scaled, shownFigure } from '../../web/figures.tsx'
import type { Language } from '../../web/words/in-languages.ts'
import { pageTexts } from '../kit/texts.ts'

const PLAIN = /^-?\d{1,15}(?:\.(\d{1,6}))?$/
const POWER_OR_ENERGY = /^(k?)(Wh?)$/

const figureIn =
  (language: Language) =>
  (value: string, unit: string): string => {
    const plain = PLAIN.exec(value)
    if (!plain) return `${value} ${unit}`
    const amount = Number(value)
    const [, kilo, base] = POWER_OR_ENERGY.exec(unit) ?? []
    if (Math.abs(amount) >= MAX_IN_UNIT && base !== undefined) {
      const { figure, unit: larger } = scaled({ language }, kilo ? amount : amount / 1000, base as 'W' | 'Wh')
      return `${figure} ${larger}`
    }
    return `${shownFigure({ language }, amount, plain[1]?.length)} ${unit}`
  }

export const summaryTexts = pageTexts({
  connector: ['connector', 'Anschluss'],
  station: ['charge point', 'Ladestation'],
  card: ['card', 'Karte'],
  virtualCard: ['single-use tag of a remote start', 'einmalige Kennung eines Fernstarts'],
  transaction: ['transaction', 'Transaktion'],
  meter: ['meter', 'Zähler'],
  figure: [figureIn('en'), figureIn('de')],
  tooLong: [(length: number) => `${length} characters`, (length: number) => `${length} Zeichen`],
  items: [
    (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
    (count: number) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  ],
})

export type SummaryTexts = ReturnType<typeof summaryTexts>
