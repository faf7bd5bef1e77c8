import type { ChargePointState, Transaction } from '../ports/sessions.ts'
import { inUnit, limitAt } from './composite.ts'
import { isAbove, type OngoingCharge, type PlacedProfile, type ReportedSchedule, type Supply } from './profile.ts'
import type { Draw, Verdict } from './records.ts'

export interface Charging {
  readonly evseId: number
  readonly transactionId: string
  readonly startedAt: number
}

/** 1.6 has no EVSEs: the connector is one. */
export function evseOf({
  evseId,
  connectorId,
}: Partial<Pick<Transaction, 'evseId' | 'connectorId'>>): number | undefined {
  return evseId ?? connectorId
}

export function chargesOf({ transactions }: Pick<ChargePointState, 'transactions'>): readonly Charging[] {
  const charges: Charging[] = []
  for (const transaction of transactions.values()) {
    // Another one runs there: what is replayed from a queue charges nothing now (SESSION-A6).
    const isRunning = transaction.open && !transaction.flags.includes('historical')
    const evseId = isRunning ? evseOf(transaction) : undefined
    if (evseId === undefined) continue
    charges.push({ evseId, transactionId: transaction.transactionId, startedAt: transaction.startedAt.occurredAt })
  }
  return charges
}

/** Rounding of units and of one decimal. */
const SCHEDULE_TOLERANCE_AMPS = 0.5
/** A station with so many readings above its limit in a row ignores it. */
export const READINGS_TO_IGNORE = 2
/** CHARGING-S6: stations count their schedules in minutes. */
const NEARBY_MS = 60_000

export interface Expectation extends Supply {
  readonly profiles: readonly PlacedProfile[]
  readonly evseId: number
  readonly charge?: OngoingCharge | undefined
  readonly now: number
}

export function allowedAmps(
  { profiles, evseId, charge, voltage, phases, now }: Expectation,
  at = now,
): number | undefined {
  return limitAt({ profiles, evseId, charge, from: at, unit: 'A', voltage, phases }).limit
}

/** `proved`: its schedule is ours. */
export function compareSchedules(reported: ReportedSchedule, expected: Expectation): Verdict {
  const startAt = reported.startAt ?? expected.now
  let verdict: Verdict = 'proved'
  for (const [at, { startSeconds, limit = Number.POSITIVE_INFINITY, phases }] of reported.periods.entries()) {
    const amps = inUnit(limit, reported.unit, 'A', expected.voltage, phases ?? expected.phases)
    const begins = startAt + startSeconds * 1000
    const around = at === 0 ? [begins] : [begins - NEARBY_MS, begins, begins + NEARBY_MS]
    const ours = around.map((when) => allowedAmps(expected, when) ?? Number.POSITIVE_INFINITY)
    if (amps > Math.max(...ours) + SCHEDULE_TOLERANCE_AMPS) return 'ignored'
    const isLess = amps < Math.min(...ours) - SCHEDULE_TOLERANCE_AMPS
    if (isLess && Number.isFinite(Math.min(...ours))) verdict = 'limitedElsewhere'
  }
  return verdict
}

/** Undefined: it measured nothing that could tell. */
export function compareCurrent({ amps, offeredAmps }: Draw, allowed: number): Verdict | undefined {
  const offered = offeredAmps === undefined || isAbove(offeredAmps, allowed) ? offeredAmps : undefined
  if (amps !== undefined && isAbove(amps, allowed)) return 'ignored'
  if (offered !== undefined) return 'ignored'
  if (offeredAmps !== undefined && offeredAmps < allowed - 1 && allowed >= 6) return 'limitedElsewhere'
  return amps === undefined && offeredAmps === undefined ? undefined : 'proved'
}
