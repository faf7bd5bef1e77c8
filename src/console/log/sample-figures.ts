import { MAX_IN_UNIT, scaled, shownFigure } from '../../web/figures.tsx'
import type { Language } from '../../web/words/in-languages.ts'
import { summaryTexts } from '../kit/parts.tsx'
import { inside, list, type Payload, word } from './shown-payload.ts'

export type SummaryTexts = ReturnType<typeof summaryWords>

/** In this order; the last value of each, in total rather than of a phase. */
const MEASURANDS: readonly (readonly [name: string, unit: string])[] = [
  ['Energy.Active.Import.Register', 'Wh'],
  ['Power.Active.Import', 'W'],
  ['Current.Import', 'A'],
  ['SoC', '%'],
]

const UNITS: Readonly<Record<string, string>> = { Percent: '%' }

export function samplesIn(meterValues: readonly Payload[], words: SummaryTexts): readonly string[] {
  const samples = meterValues.flatMap((value) => list(value, 'sampledValue'))
  return MEASURANDS.flatMap(([name, usual]) => {
    const said = samples.filter((sample) => (word(sample, 'measurand') ?? 'Energy.Active.Import.Register') === name)
    const shown = said.findLast((sample) => word(sample, 'phase') === undefined) ?? said.at(-1)
    const value = shown && word(shown, 'value')
    if (!shown || value === undefined) return []
    const unitOfMeasure = inside(shown, 'unitOfMeasure')
    const unit = word(shown, 'unit') ?? word(unitOfMeasure, 'unit') ?? usual
    const power = word(unitOfMeasure, 'multiplier')
    const shownUnit = UNITS[unit] ?? unit
    const isPlain = power === undefined || power === '0'
    return [isPlain ? words.figure(value, shownUnit) : `${value} ×10^${power} ${shownUnit}`]
  })
}

export const summaryWords = (language: Language) => ({ ...summaryTexts({ language }), figure: figureIn(language) })

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
