/** What a group drew on one phase over time, EVSE upon EVSE, thinned to what a picture can show. Pure. */
import { minuteOf, type ThinnedHistory } from '../../application/limit-groups/history.ts'
import { MINUTE_MS } from '../../domain/limit-groups/group.ts'
import type { LimitMinute } from '../../domain/limit-groups/records.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How much is shown at once, in steps that divide it. */
export const SPANS = {
  hour: { spanMs: HOUR_MS, stepMs: MINUTE_MS },
  six: { spanMs: 6 * HOUR_MS, stepMs: 5 * MINUTE_MS },
  day: { spanMs: DAY_MS, stepMs: 15 * MINUTE_MS },
  week: { spanMs: 7 * DAY_MS, stepMs: 2 * HOUR_MS },
} as const
export type SpanName = keyof typeof SPANS

/** Colors beyond these cannot be distinguished: the rest is one band. */
const MAX_BANDS = 12

export type Band =
  | { readonly chargePointId: string; readonly evseId: number; readonly group?: undefined }
  | { readonly group: string; readonly chargePointId?: undefined; readonly evseId?: undefined }

export interface Step {
  readonly at: number
  readonly limitAmps: number
  readonly loadAmps: number
  readonly parts: readonly number[]
  readonly othersAmps: number
  readonly totalAmps: number
}

export interface StackedCourse {
  readonly bands: readonly Band[]
  /** Undefined: nothing is known of it. */
  readonly steps: readonly (Step | undefined)[]
  readonly from: number
  readonly stepMs: number
}

export function windowOf(span: SpanName, to: number): { readonly from: number; readonly to: number } {
  const { spanMs, stepMs } = SPANS[span]
  const end = Math.ceil(to / stepMs) * stepMs
  return { from: end - spanMs, to: end }
}

/** @param phase 0 for L1 */
export function stackedCourse({ minutes, below }: ThinnedHistory, phase: number, span: SpanName, to: number) {
  const { spanMs, stepMs } = SPANS[span]
  const { from } = windowOf(span, to)
  const fullest: (LimitMinute | undefined)[] = Array.from({ length: spanMs / stepMs })
  for (const minute of minutes) fullest[Math.floor((minute.at - from) / stepMs)] = minute
  const children = new Map(
    [...below].map(([name, rows]) => [name, new Map(rows.map((row) => [row.at, row.drawAmps[phase] ?? 0]))]),
  )
  const named = fullest.map((minute) => minute && partsOf(minute, phase, children))
  const bands = bandsOf(named)
  const steps = fullest.map((minute, index): Step | undefined => {
    if (!minute) return undefined
    const parts = bands.map(([key]) => named[index]?.get(key)?.amps ?? 0)
    const drawn = minute.drawAmps[phase] ?? 0
    const othersAmps = Math.max(0, drawn - parts.reduce((sum, amps) => sum + amps, 0))
    const loadAmps = minute.loadAmps?.[phase] ?? 0
    const limitAmps = minute.limitAmps[phase] ?? 0
    return { at: from + index * stepMs, limitAmps, loadAmps, parts, othersAmps, totalAmps: loadAmps + drawn }
  })
  return { bands: bands.map(([, band]) => band), steps, from, stepMs } satisfies StackedCourse
}

interface Part {
  readonly band: Band
  readonly amps: number
}

function partsOf(
  { at, draws = [] }: LimitMinute,
  phase: number,
  children: ReadonlyMap<string, ReadonlyMap<number, number>>,
): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  for (const [chargePointId, evseId, amps, phases] of draws) {
    if (!phases.includes(String(phase + 1))) continue
    parts.set(`${chargePointId}\0${evseId}`, { band: { chargePointId, evseId }, amps })
  }
  for (const [group, rows] of children) {
    const amps = rows.get(at) ?? rows.get(minuteOf(at)) ?? 0
    if (amps > 0) parts.set(`\0${group}`, { band: { group }, amps })
  }
  return parts
}

/** Those that drew most, ordered by name, so that no band changes its place from step to step. */
function bandsOf(named: readonly (ReadonlyMap<string, Part> | undefined)[]): readonly (readonly [string, Band])[] {
  const sums = new Map<string, { band: Band; amps: number }>()
  for (const parts of named) {
    for (const [key, { band, amps }] of parts ?? []) {
      const known = sums.get(key)
      if (known) known.amps += amps
      else sums.set(key, { band, amps })
    }
  }
  return [...sums]
    .sort(([, one], [, other]) => other.amps - one.amps)
    .slice(0, MAX_BANDS)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { band }]) => [key, band])
}
