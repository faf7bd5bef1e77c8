import { inside, list, type Payload, word } from './shown-payload.ts'
import type { SummaryTexts } from './summary-texts.ts'

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
