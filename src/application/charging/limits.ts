import { ampsAt, type Cap, type Caps, effectiveAmps } from '../../domain/charging/caps.ts'
import { isOpenDemand } from '../../domain/charging/demands.ts'
import type { ChargingView } from '../../domain/charging/plan.ts'
import type { ChargingDemand } from '../../domain/charging/records.ts'
import { mostPhases } from '../../domain/charging/rows.ts'
import { isoTime } from '../../domain/iso-time.ts'

/** Amperes of each phase, or watts of all of them: one of the two. */
export interface Rate {
  readonly amps?: number | undefined
  readonly watts?: number | undefined
}

/** Times in ms since the epoch. */
export interface AskedLimit extends Rate {
  readonly evseId?: number | undefined
  readonly phases?: number | undefined
  readonly schedule?: readonly (Rate & { readonly startAt: number })[] | undefined
  readonly until?: number | undefined
  readonly fallback?: Rate | undefined
}

export const MAX_LIMITS = 50
const OWNER = 'limit:'

export function ownerOf(name: string): string {
  return OWNER + name
}

export function isLimit({ owner }: Pick<ChargingDemand, 'owner'>): boolean {
  return owner.startsWith(OWNER)
}

export function limitFault(
  { amps, watts, schedule = [], until, fallback }: AskedLimit,
  now: number,
): { readonly pointer: string; readonly message: string } | undefined {
  if ((amps === undefined) === (watts === undefined) && (schedule.length === 0 || amps !== undefined)) {
    return { pointer: amps === undefined ? '' : '/watts', message: 'must name either amps or watts' }
  }
  const wrong = schedule.findIndex((step) => (step.amps === undefined) === (step.watts === undefined))
  if (wrong >= 0) return { pointer: `/schedule/${wrong}`, message: 'must name either amps or watts' }
  const isInWatts = countsWatts({ amps, watts, schedule })
  const mixed = schedule.findIndex((step) => (step.watts !== undefined) !== isInWatts)
  if (mixed >= 0) return { pointer: `/schedule/${mixed}`, message: 'must have the unit of the others' }
  const early = schedule.findIndex((step, at) => at > 0 && step.startAt <= (schedule[at - 1]?.startAt ?? 0))
  if (early >= 0) return { pointer: `/schedule/${early}/startAt`, message: 'must be later than the one before' }
  if (until !== undefined && until <= now) return { pointer: '/until', message: 'is over already' }
  if (fallback === undefined) return undefined
  if (until === undefined) return { pointer: '/fallback', message: 'needs until: it holds from then on' }
  const hasOne = (fallback.amps === undefined) !== (fallback.watts === undefined)
  const hasUnit = (fallback.watts !== undefined) === isInWatts
  return hasOne && hasUnit ? undefined : { pointer: '/fallback', message: 'must have the unit of the limit' }
}

function countsWatts({ amps, watts, schedule }: Pick<AskedLimit, 'amps' | 'watts' | 'schedule'>): boolean {
  return watts !== undefined || (amps === undefined && schedule?.[0]?.watts !== undefined)
}

/** It stands from ever, so that the same order again changes nothing. */
export function capsOf({ amps, watts, phases, schedule = [], until, fallback }: AskedLimit): Caps {
  const isInWatts = countsWatts({ amps, watts, schedule })
  const first = amps ?? watts
  const last = fallback?.amps ?? fallback?.watts
  const before = schedule.filter(({ startAt }) => last === undefined || until === undefined || startAt < until)
  const standing: Cap = {
    unit: isInWatts ? 'W' : 'A',
    phases,
    steps: [
      ...(first === undefined ? [] : [{ at: 0, limit: first }]),
      ...before.map((step) => ({ at: step.startAt, limit: step.amps ?? step.watts ?? 0 })),
      ...(last === undefined || until === undefined ? [] : [{ at: until, limit: last }]),
    ],
    ...(until !== undefined && last === undefined && { until }),
  }
  return { standing }
}

type Known = Pick<ChargingView, 'station' | 'profiles' | 'connectors' | 'voltage' | 'now'>

export function representLimit(demand: ChargingDemand, { station, profiles, connectors, voltage, now }: Known) {
  const { owner, evseId, caps, state, reason, revision, appliedRevision, acceptedAt, createdAt, updatedAt } = demand
  const { until, schedule, ...asked } = (demand.asked ?? {}) as AskedLimit
  // What the station refused bounds nothing.
  const cap = isOpenDemand(demand) ? caps.standing : undefined
  const amps = cap && ampsAt(cap, now, { voltage, phases: mostPhases(connectors, evseId) })
  const sent = profiles.find((row) => row.source === 'desired' && row.evseId === evseId && row.purpose !== 'TxProfile')
  // A station that does not take 0 gives the least.
  const least = sent?.state === 'accepted' && sent.form?.endsWith('/6') === true ? 6 : 0
  const proof = station?.proofs[evseId]
  const isProved = state === 'accepted' && proof !== undefined
  return {
    name: owner.slice(OWNER.length),
    ...asked,
    schedule: schedule?.map(({ startAt, ...rate }) => ({ startAt: isoTime(startAt), ...rate })),
    until: isoTime(until),
    ...(amps !== undefined && { effectiveAmps: Math.floor((effectiveAmps(amps) || least) * 10) / 10 }),
    state,
    reason,
    revision,
    appliedRevision,
    acceptedAt: isoTime(acceptedAt),
    proof: { verdict: isProved ? proof.verdict : 'pending', ...(isProved && { at: isoTime(proof.at) }) },
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}
