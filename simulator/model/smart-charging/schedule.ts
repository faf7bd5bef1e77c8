import type { ChargingProfile, Period } from './profile.ts'

export interface Moment {
  readonly at: number
  readonly connectorId: number
  readonly transaction?: { readonly transactionId?: string; readonly startedAt: number } | undefined
}

export interface Rate extends Pick<Period, 'limit' | 'phases' | 'phaseToUse'> {
  readonly unit: 'A' | 'W'
}

const DAY_MS = 86_400_000
const CYCLES_MS: Readonly<Record<string, number>> = { Daily: DAY_MS, Weekly: 7 * DAY_MS }

/** Undefined outside of its validity, before its start, and after its duration. */
export function rateAt(profile: ChargingProfile, moment: Moment): Rate | undefined {
  const { at } = moment
  if (at < (profile.validFrom ?? at) || at >= (profile.validTo ?? Number.POSITIVE_INFINITY)) return undefined
  const startAt = cycleStart(profile, moment)
  if (startAt === undefined || at < startAt) return undefined
  const elapsedMs = at - startAt
  if (elapsedMs >= (profile.durationSeconds ?? Number.POSITIVE_INFINITY) * 1000) return undefined
  const period = profile.periods.filter(({ startSeconds }) => startSeconds * 1000 <= elapsedMs).at(-1)
  return period && { ...period, unit: profile.unit }
}

export function nextChange(profile: ChargingProfile, moment: Moment): number | undefined {
  const { validFrom, validTo, durationSeconds, periods } = profile
  const instants = [validFrom, validTo]
  const startAt = cycleStart(profile, moment)
  if (startAt !== undefined) {
    const steps = periods.map(({ startSeconds }) => startAt + startSeconds * 1000)
    const endAt = durationSeconds === undefined ? undefined : startAt + durationSeconds * 1000
    const again = profile.kind === 'Recurring' ? startAt + cycleMs(profile) : undefined
    instants.push(startAt, ...steps, endAt, again)
  }
  const later = instants.filter((instant) => instant !== undefined && instant > moment.at) as number[]
  return later.length > 0 ? Math.min(...later) : undefined
}

/** Where the seconds of its periods count from; of a recurring one the newest day or week that has begun. */
function cycleStart(profile: ChargingProfile, { at, transaction }: Moment): number | undefined {
  if (profile.kind === 'Relative') return transaction?.startedAt ?? stationStart(profile)
  const first = profile.startAt ?? transaction?.startedAt ?? stationStart(profile)
  if (first === undefined || profile.kind !== 'Recurring' || at < first) return first
  return at - ((at - first) % cycleMs(profile))
}

/** Profiles that are good without any charge need a beginning of their own. */
function stationStart({ purpose, installedAt }: ChargingProfile): number | undefined {
  return purpose.startsWith('Tx') ? undefined : installedAt
}

function cycleMs({ recurrency = 'Daily' }: ChargingProfile): number {
  return CYCLES_MS[recurrency] ?? DAY_MS
}
