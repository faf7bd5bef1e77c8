/** Current and voltage as the station last sampled them, read out of the same messages as the course (CONSOLE-C8). */
import type { Sample } from '../../domain/ports/sessions.ts'
import { inputOf, type LoggedMessage } from './curve.ts'

export interface ElectricReading {
  readonly kind: 'current' | 'voltage'
  /** Absent: of all phases together, or the station names none. */
  readonly phase?: string
  readonly value: number
  readonly unit: string
}

const KINDS: Readonly<Record<string, ElectricReading['kind']>> = { 'current.import': 'current', voltage: 'voltage' }
const UNITS = { current: 'A', voltage: 'V' } as const
const NUMBER = /^[+-]?\d{1,9}(\.\d{1,9})?$/
const PHASE = /^(L[123]|N)(-(L[123]|N))?$/

export function electricReadings(messages: readonly LoggedMessage[]): readonly ElectricReading[] {
  const newest = new Map<ElectricReading['kind'], { at: number; readings: Map<string, ElectricReading> }>()
  for (const { sample, reading } of messages.flatMap(readingsOf)) {
    const at = sample.at.occurredAt
    const known = newest.get(reading.kind)
    if (known && at < known.at) continue
    const readings = known?.at === at ? known.readings : new Map<string, ElectricReading>()
    newest.set(reading.kind, { at, readings: readings.set(reading.phase ?? '', reading) })
  }
  return (['current', 'voltage'] as const).flatMap((kind) => {
    const readings = [...(newest.get(kind)?.readings.values() ?? [])]
    return readings.sort((a, b) => ((a.phase ?? '') < (b.phase ?? '') ? -1 : 1))
  })
}

function readingsOf(message: LoggedMessage): readonly { sample: Sample; reading: ElectricReading }[] {
  const input = inputOf(message)
  if (!input || !('samples' in input)) return []
  return input.samples.flatMap((sample) => {
    const reading = readingOf(sample)
    return reading ? [{ sample, reading }] : []
  })
}

function readingOf({ measurand, value, phase, multiplier }: Sample): ElectricReading | undefined {
  const kind = Object.hasOwn(KINDS, measurand.toLowerCase()) ? KINDS[measurand.toLowerCase()] : undefined
  const text = value.trim()
  if (!kind || !NUMBER.test(text) || Math.abs(multiplier) > 9) return undefined
  const amount = Number((Number(text) * 10 ** multiplier).toPrecision(6))
  const named = phase !== undefined && PHASE.test(phase)
  return { kind, value: amount, unit: UNITS[kind], ...(named && { phase }) }
}
