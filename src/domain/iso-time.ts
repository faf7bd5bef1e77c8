/** The one spelling of a time: RFC 3339, in UTC, with milliseconds and `Z`. */
import { fixedText } from './fixed-text.ts'

const DAY_MS = 86_400_000

/** Neighbors mostly have the same day, so its text is kept: formatting one costs as much as the rest of a row. */
let known = { day: Number.NaN, text: fixedText('') }

/** @param ms milliseconds since the epoch; undefined stays undefined */
export function isoTime(ms: number): string
export function isoTime(ms: number | undefined): string | undefined
export function isoTime(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined
  const whole = Math.trunc(ms)
  const day = Math.floor(whole / DAY_MS)
  if (day !== known.day) known = { day, text: fixedText(new Date(day * DAY_MS).toISOString()) }
  const { text } = known
  const rest = whole - day * DAY_MS
  text.decimal(-13, Math.floor(rest / 3_600_000), 2)
  text.decimal(-10, Math.floor(rest / 60_000) % 60, 2)
  text.decimal(-7, Math.floor(rest / 1000) % 60, 2)
  text.decimal(-4, rest % 1000, 3)
  return text.toString()
}
