/**
 * Energy by quarter of an hour of station time: what sessions gained since they were last placed (CONSOLE-A3). Counted
 * from the tables' state, so that placing the same document twice adds nothing.
 */
import type { Session } from '../../domain/ports/sessions.ts'

const QUARTER_MS = 900_000
const MS_PER_HOUR = 3_600_000
/** Longer stretches between two readings are clock errors: the energy counts at the time of the report. */
const MAX_STRETCH_MS = 48 * MS_PER_HOUR

export interface EnergyPoint {
  readonly at: number
  readonly milliWh: number
}

export interface Counted {
  readonly energyAt: number | null
  readonly powerMilliW: number | null
}

/** What one flush adds, by account and quarter of an hour. */
export class EnergySlots {
  readonly #ofAccount = new Map<string, Map<number, number>>()

  /** Evenly over the time between two readings; at once where they have the same time. */
  spread(accountId: string, from: number, to: number, milliWh: number): void {
    const length = to - from
    if (length <= 0 || length > MAX_STRETCH_MS) {
      this.#add(accountId, Math.floor(to / QUARTER_MS), milliWh)
      return
    }
    let given = 0
    for (let slot = Math.floor(from / QUARTER_MS); slot * QUARTER_MS < to; slot++) {
      const until = Math.min((slot + 1) * QUARTER_MS, to)
      const share = Math.round((milliWh * (until - from)) / length) - given
      given += share
      this.#add(accountId, slot, share)
    }
  }

  *entries(): Iterable<readonly [accountId: string, slot: number, milliWh: number]> {
    for (const [accountId, slots] of this.#ofAccount)
      for (const [slot, milliWh] of slots) yield [accountId, slot, milliWh]
  }

  #add(accountId: string, slot: number, milliWh: number): void {
    if (milliWh === 0) return
    const slots = this.#ofAccount.get(accountId) ?? new Map<number, number>()
    this.#ofAccount.set(accountId, slots)
    slots.set(slot, (slots.get(slot) ?? 0) + milliWh)
  }
}

export type CountedSession = Pick<Session, 'id' | 'accountId' | 'energyMilliWh' | 'startedAt' | 'createdAt'>

export interface KnownEnergy extends Counted {
  readonly milliWh: number
}

/** Counts a session's points into `slots`. @returns what its row keeps of them */
export function countEnergy(
  { accountId, energyMilliWh, startedAt, createdAt }: CountedSession,
  known: KnownEnergy | undefined,
  points: readonly EnergyPoint[],
  power: number | undefined,
  slots: EnergySlots,
): Counted {
  let milliWh = known?.milliWh ?? 0
  let at = known?.energyAt ?? (milliWh === 0 ? (startedAt ?? createdAt) : undefined)
  let mean = known?.powerMilliW ?? null
  for (const point of points) {
    if (known?.energyAt != null && point.at <= known.energyAt) continue
    if (at !== undefined && point.at > at)
      mean = Math.max(0, ((point.milliWh - milliWh) * MS_PER_HOUR) / (point.at - at))
    if (point.milliWh !== milliWh) slots.spread(accountId, at ?? point.at, point.at, point.milliWh - milliWh)
    milliWh = point.milliWh
    at = Math.max(at ?? point.at, point.at)
  }
  // A correction, or energy of a time already counted.
  if (energyMilliWh !== milliWh) slots.spread(accountId, at ?? createdAt, at ?? createdAt, energyMilliWh - milliWh)
  const kept = points.length === 0 && known?.energyAt === null && known.milliWh > 0 ? null : (at ?? null)
  return { energyAt: kept, powerMilliW: power ?? (mean === null ? null : Math.round(mean)) }
}
