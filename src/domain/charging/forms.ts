/** CHARGING-S5: amperes or watts, 0 or the least that it takes; the first form that it was not seen to refuse. */
import { effectiveAmps } from './caps.ts'
import { inUnit } from './composite.ts'
import type { DesiredProfile } from './plan.ts'
import { LEAST_AMPS, type ProfileSchedule, type RateUnit, type Supply } from './profile.ts'
import type { ChargingAbilities } from './records.ts'

export interface Form {
  readonly name: string
  readonly unit: RateUnit
  readonly pauseAmps: 0 | typeof LEAST_AMPS
  readonly isDynamic?: true | undefined
}

const BOTH: readonly RateUnit[] = ['A', 'W']

export function formsOf(
  { purpose, steps, prefersWatts, lease }: Pick<DesiredProfile, 'purpose' | 'steps' | 'prefersWatts' | 'lease'>,
  { units = [], dynamic }: ChargingAbilities,
  refused: readonly string[],
): readonly Form[] {
  const known = units.length > 0 ? units : BOTH
  const pauses = steps.some(({ limit }) => effectiveAmps(limit) === 0)
  const all = (pauses ? ([0, LEAST_AMPS] as const) : ([0] as const)).flatMap((pauseAmps) =>
    (prefersWatts ? known.toReversed() : known).flatMap((unit): readonly Form[] => {
      const pause = pauses ? `/${pauseAmps}` : ''
      const form = { name: `${purpose}/${unit}${pause}`, unit, pauseAmps }
      const isDynamic = lease !== undefined && dynamic === true
      return isDynamic ? [{ ...form, name: `${purpose}/${unit}/dynamic${pause}`, isDynamic }, form] : [form]
    }),
  )
  return all.filter(({ name }) => !refused.includes(name))
}

/** The schedule to send, without what is over. @returns `continuesAt`: when to send what it has no room for now */
export function scheduleIn(
  form: Form,
  { steps, until, phases, watts, lease }: Pick<DesiredProfile, 'steps' | 'until' | 'phases' | 'watts' | 'lease'>,
  supply: Supply,
  maxPeriods: number | undefined,
  now: number,
): { readonly schedule: ProfileSchedule; readonly continuesAt?: number | undefined } {
  const current = Math.max(
    0,
    steps.findLastIndex(({ at }) => at <= now),
  )
  const left = steps.slice(current, current + Math.max(1, maxPeriods ?? MAX_PERIODS))
  const isCut = current + left.length < steps.length
  const first = left[0]?.at ?? now
  const startAt = first > now ? first : now - HEAD_START_MS
  const ends = isCut ? steps[current + left.length]?.at : until
  const wired = phases ?? supply.phases
  const phasesOf = (amps: number): number => (watts && amps < watts.fullAmps ? Math.min(watts.phases, wired) : wired)
  const periods = left.map(({ at, limit }) => {
    const amps = effectiveAmps(limit) || form.pauseAmps
    return {
      startSeconds: Math.max(0, Math.round((at - startAt) / 1000)),
      limit: inUnit(amps, 'A', form.unit, supply.voltage, phasesOf(amps)),
      phases,
    }
  })
  const [head, ...rest] = periods
  if (form.isDynamic && lease && head) {
    const { seconds: durationSeconds } = lease
    return { schedule: { unit: form.unit, startAt: now, periods: [{ ...head, startSeconds: 0 }], durationSeconds } }
  }
  const schedule = {
    unit: form.unit,
    startAt,
    periods: head ? [{ ...head, startSeconds: 0 }, ...rest] : [],
    ...(ends !== undefined && !isCut && { durationSeconds: Math.max(1, Math.round((ends - startAt) / 1000)) }),
  }
  return { schedule, continuesAt: isCut ? steps.find(({ at }) => at > now)?.at : undefined }
}

/** Of stations that do not say how many they take. */
const MAX_PERIODS = 24
/** A station whose clock is behind is not left without a limit. */
const HEAD_START_MS = 2 * 86_400_000
