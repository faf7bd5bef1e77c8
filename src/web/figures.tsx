/** Figures in the reader's language, in a unit that fits: `8,146.3 kW`, `491.8 MWh`. */
import type { FC } from 'hono/jsx'
import type { Frame } from './frame/frame.ts'
import { LOCALES } from './times.tsx'

type InLanguage = Pick<Frame, 'language'>

const keptFormats = new Map<string, Intl.NumberFormat>()

export function shownFigure({ language }: InLanguage, value: number, digits = 0): string {
  const key = `${language} ${digits}`
  const known = keptFormats.get(key)
  const format =
    known ?? new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (!known) keptFormats.set(key, format)
  return format.format(value)
}

/** From here on the next larger unit reads better (CONSOLE-F3). */
export const MAX_IN_UNIT = 10_000
const PREFIXES = ['k', 'M', 'G', 'T'] as const

export function scaled(reader: InLanguage, thousands: number, unit: 'W' | 'Wh'): { figure: string; unit: string } {
  let value = thousands
  let at = 0
  while (Math.abs(value) >= MAX_IN_UNIT && at < PREFIXES.length - 1) {
    value /= 1000
    at++
  }
  return { figure: shownFigure(reader, value, 1), unit: `${PREFIXES[at]}${unit}` }
}

/** @example shownPower({ language: 'de' }, 8146.3) === '8.146,3 kW' */
export function shownPower(reader: InLanguage, kilowatts: number): string {
  const { figure, unit } = scaled(reader, kilowatts, 'W')
  return `${figure} ${unit}`
}

/** @example shownAmount({ language: 'en' }, 491_800) === '491.8 MWh' */
export function shownAmount(reader: InLanguage, kilowattHours: number): string {
  const { figure, unit } = scaled(reader, kilowattHours, 'Wh')
  return `${figure} ${unit}`
}

export const Figure: FC<{ figure: string; unit?: string | undefined }> = ({ figure, unit }) => (
  <strong>
    {figure}
    {unit !== undefined && (
      <>
        {' '}
        <small>{unit}</small>
      </>
    )}
  </strong>
)
