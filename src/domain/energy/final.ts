/** The energy of a finished transaction: whose word counts, in which order (ENERGY-N4). Pure. */
import type { Flag } from '../ports/sessions.ts'
import { intervalEnergy, intervalsUntil } from './interval.ts'
import { stoppedAt, type Walk } from './meter-register.ts'
import { FREE_DELTA, isZero, plausibleDelta, STEP_BACK } from './plausibility.ts'
import { chargeLimit, impossibleLead, tailLimit, unseenLimit } from './possible.ts'
import { firstMessage, lastWord, type MeterState, powerEnergy, powerUntil, walkRegister } from './power.ts'
import { ALL_PHASES, amountOf, type Entry, isDoubtful, isTotal, orderOf, phasesOf } from './readings.ts'

export interface Stop {
  readonly registerMilliWh?: number | undefined
  readonly at?: number | undefined
  readonly order?: number | undefined
  /** Between start and stop, by whichever clock it was longer; absent: whatever the registers say is believed. */
  readonly elapsedMs?: number | undefined
}

export interface FinalEnergy {
  readonly energyMilliWh: number
  readonly estimated: boolean
  /** The samples counted from the start of the session: remember it for this charge point (ENERGY-N3). */
  readonly relative: boolean
  /** What the registers say, where that cannot have flowed (ENERGY-N7). */
  readonly suspectMilliWh?: number | undefined
  readonly flags: readonly Flag[]
}

interface Verdict {
  readonly energy: number
  readonly odd?: boolean | undefined
  readonly estimated?: boolean | undefined
  readonly suspect?: number | undefined
}

/** (1) meterStop - meterStart; (2) Transaction.End - Begin; (3) running sum; (4) from power. Never negative. */
export function finalEnergy(whole: MeterState, stop: Stop): FinalEnergy {
  const meter = ofTheCharge(whole, stop)
  const walk = walkRegister(meter)
  const verdict = limited(
    afterLead(meter, stop, walk) ??
      byStopRegister(meter, stop, walk) ??
      believedWords(meter, stop, walk) ??
      byStopAndBegin(meter, stop, walk) ??
      bySamples(meter, stop, walk),
    chargeLimit(meter, stop.elapsedMs),
  )
  const { startMilliWh } = meter
  const backwards =
    startMilliWh !== undefined && stop.registerMilliWh !== undefined && stop.registerMilliWh < startMilliWh
  const flags: Flag[] = walk.anomaly || verdict.odd || (backwards && !walk.relative) ? ['meterAnomaly'] : []
  if (verdict.estimated) flags.push('estimated')
  return {
    energyMilliWh: verdict.energy,
    estimated: verdict.estimated === true,
    relative: walk.relative,
    suspectMilliWh: verdict.suspect,
    flags,
  }
}

/** ENERGY-N6: without samples after the stop, and, where registers speak, without what named another transaction. */
function ofTheCharge(meter: MeterState, { at = Number.POSITIVE_INFINITY, order, registerMilliWh }: Stop): MeterState {
  const { startMilliWh, startAt = 0, register, maxPowerW } = meter
  const newest = register.at(-1)
  const last = order ?? (newest ? orderOf(newest) - 1 : 0)
  const isLate = (point: Entry): boolean => at >= startAt && point[0] > at && orderOf(point) > last
  const hasBoth = startMilliWh !== undefined && registerMilliWh !== undefined
  const left = register.filter((point) => !isLate(point) && !(hasBoth && isDoubtful(point)))
  const until = order === undefined && at >= startAt ? at : Number.POSITIVE_INFINITY
  const intervals = intervalsUntil(meter.intervals, until)
  const power = powerUntil(meter.power, until, maxPowerW)
  const isWhole = left.length === register.length && intervals === meter.intervals && power === meter.power
  return isWhole ? meter : { ...meter, register: left, intervals, power }
}

function limited(verdict: Verdict, limit: number): Verdict {
  const { energy, suspect = energy } = verdict
  return energy <= limit ? verdict : { energy: Math.floor(limit), odd: true, suspect }
}

/** ENERGY-N7: a register that was not read at the start, and counts the charge alone since. */
function afterLead(meter: MeterState, stop: Stop, walk: Readonly<Walk>): Verdict | undefined {
  if (!walk.lead || stop.elapsedMs === undefined) return undefined
  const ended = endedBy(meter, stop, walk)
  const lead = impossibleLead(meter, ended)
  return lead > 0 ? { energy: Math.max(0, ended.sum - lead), odd: true, suspect: ended.sum } : undefined
}

/** (1) The station's register is the calibrated truth, unless all samples agree that it cannot be. */
function byStopRegister(meter: MeterState, stop: Stop, walk: Readonly<Walk>): Verdict | undefined {
  const { startMilliWh } = meter
  const { registerMilliWh } = stop
  if (startMilliWh === undefined || registerMilliWh === undefined || registerMilliWh < startMilliWh) return undefined
  const energy = registerMilliWh - startMilliWh
  const words = byTransactionWords(meter, walk)
  // A stop that repeats the start was never read.
  const unread = energy === 0 ? (words ?? (walk.count === 0 ? bySamples(meter, {}, walk) : undefined)) : undefined
  if (unread && unread.energy > STEP_BACK) return { ...unread, odd: true }
  if (walk.count === 0) {
    if (energy > unseenLimit(meter, stop.elapsedMs, isZero(startMilliWh))) {
      return { ...bySamples(meter, {}, walk), odd: true, suspect: energy }
    }
    return { energy, odd: energy > sinceLimit(meter.startAt, stop, meter.maxPowerW) }
  }
  const ended = endedBy(meter, stop, walk)
  // A stop alone, between what the samples saw, may as well have been read long before.
  const wasSeen = walk.restartedAt !== undefined || ended.isProven
  if (wasSeen && isRestarted(ended, walk.sum, energy, registerMilliWh)) return { energy: ended.sum, odd: true }
  // A relative register may stop relatively too: the closer of both readings of the number is meant.
  const relativeStop = Math.abs(registerMilliWh - walk.level)
  if (walk.relative && relativeStop < Math.abs(energy - walk.sum)) {
    return { energy: walk.sum + Math.max(registerMilliWh - walk.level, 0) }
  }
  const tooHigh = isTooHigh(energy, registerMilliWh, stop, walk, meter)
  // Two samples must say so: the last one alone may be the faulty one.
  const refuted = tooHigh || isTooLow(energy, walk.prior)
  const agreed = !walk.anomaly && walk.count >= 2
  if (refuted && agreed) return { energy: walk.sum, odd: true, suspect: tooHigh ? energy : undefined }
  if (!tooHigh) return { energy, odd: isTooLow(energy, walk.sum) }
  const isDoubted = walk.startRefuted || stop.elapsedMs !== undefined
  const sampled = isDoubted ? bySamples(meter, stop, walk) : undefined
  // A Transaction.Begin may repeat the 0 of the start.
  const said = words && (!sampled || words.energy - sampled.energy <= FREE_DELTA) ? words : sampled
  return said ? { ...said, odd: true, suspect: energy } : { energy, odd: true }
}

/**
 * The walk with the stop's register as its last sample (ENERGY-N4); without it where the stop repeats the start, or
 * fell to what may be the charge's energy, as some stations stop. Below zero it counts as little as a sample would.
 */
function endedBy(meter: MeterState, stop: Stop, walk: Readonly<Walk>): Readonly<Walk> {
  const { registerMilliWh, at = walk.at } = stop
  if (registerMilliWh === undefined || registerMilliWh < 0 || walk.count === 0) return walk
  // A phase is not compared with the total (ENERGY-N2).
  const isBegun = walk.first === undefined && (meter.startMilliWh !== undefined || meter.begin.some(isTotal))
  const isApart = walk.phases !== ALL_PHASES && !isBegun
  if (isApart || registerMilliWh === meter.startMilliWh) return walk
  const ended = stoppedAt(walk, at, registerMilliWh, meter)
  const restarted = ended.restartedAt !== undefined && (ended.isProven || registerMilliWh < walk.sum / 2)
  return registerMilliWh < walk.level && !restarted ? walk : ended
}

/**
 * ENERGY-N4: the register restarted in mid-charge, so energy before that counts, too; unless it came back: it stands at
 * least where it stood before, and the difference is nearer to what the samples saw.
 */
function isRestarted(walk: Readonly<Walk>, seen: number, difference: number, register: number): boolean {
  const { restartedAt, restartedFrom = 0, sum } = walk
  if (restartedAt === undefined) return false
  return register < restartedFrom || Math.abs(sum - seen) <= Math.abs(difference - seen)
}

/** Grossly less than two samples saw: a register that stood still or was never read. Losses of a cable are less. */
function isTooLow(energy: number, sampled: number): boolean {
  return sampled - energy > STEP_BACK && energy < sampled / 2
}

/** More than can have flowed since the last sample, 1000 times the register (a unit), or from a refuted start. */
function isTooHigh(energy: number, register: number, stop: Stop, walk: Readonly<Walk>, meter: MeterState): boolean {
  const excess = energy - walk.sum
  const tail = tailLimit(meter, walk, stop)
  if (tail !== undefined && excess > tail) return true
  if (excess <= FREE_DELTA) return false
  const factor = register / walk.level
  return walk.startRefuted || (factor > 900 && factor < 1100) || excess > sinceLimit(walk.at, stop, meter.maxPowerW)
}

/** Without a time a day may have passed. */
function sinceLimit(since: number | undefined, stop: Stop, maxPowerW: number | undefined): number {
  const ms = since === undefined || stop.at === undefined ? DAY_MS : stop.at - since
  return plausibleDelta(ms, maxPowerW)
}

const DAY_MS = 86_400_000

/** ENERGY-N7: (2), unless the end lies beyond all that can have flowed since the samples before it. */
function believedWords(meter: MeterState, stop: Stop, walk: Readonly<Walk>): Verdict | undefined {
  const words = byTransactionWords(meter, walk)
  if (!words || !walk.held) return words
  const isUnread = walk.count === meter.end.length && isZero(amountOf(firstMessage(meter.begin) ?? [0, 0, 0]))
  if (words.energy - walk.sum <= unseenLimit(meter, stop.elapsedMs, isUnread)) return words
  return { ...bySamples({ ...meter, begin: [], end: [] }, {}, walk), odd: true, suspect: words.energy }
}

/** (2) Both words of one place, from transactionData or Ended.meterValue. */
function byTransactionWords(meter: MeterState, walk: Readonly<Walk>): Verdict | undefined {
  const end = lastWord(meter.end)
  // Where there is no other start register, it is the first word that the samples refute.
  if (!end || (walk.startRefuted && meter.startMilliWh === undefined)) return undefined
  const begin = firstMessage(meter.begin.filter((entry) => entry[1] === end[1] && phasesOf(entry) === phasesOf(end)))
  if (!begin) return undefined
  const energy = amountOf(end) - amountOf(begin)
  if (energy < 0) return undefined
  // The walk has taken Transaction.End as its last sample: without it, it tells which of the two is meant.
  if (isRestarted(walk, walk.prior, energy, amountOf(end))) return { energy: walk.sum, odd: true }
  return { energy }
}

/** A transaction whose start was lost, but not its Transaction.Begin (SESSION-A13). */
function byStopAndBegin(meter: MeterState, stop: Stop, walk: Readonly<Walk>): Verdict | undefined {
  const begin = firstMessage(meter.begin)
  if (meter.startMilliWh !== undefined || !begin || stop.registerMilliWh === undefined) return undefined
  if (phasesOf(begin) !== ALL_PHASES) return undefined
  const energy = stop.registerMilliWh - amountOf(begin)
  // The two may be different registers (one relative): samples, where there are any, must not contradict.
  const limit = plausibleDelta(0, meter.maxPowerW)
  return energy >= 0 && (walk.count === 0 || Math.abs(energy - walk.sum) <= limit) ? { energy } : undefined
}

/** (3) and (4). A stop register that goes on where the samples ended, or began again since, is their last one. */
function bySamples(meter: MeterState, stop: Stop, walk: Readonly<Walk>): Verdict {
  const { sum: register, anomaly: odd } = endedBy(meter, stop, walk)
  if (walk.count > 0 && walk.first === undefined) return { energy: register, odd }
  // No baseline: what poorer sources counted before the register's first sample is the better answer.
  const intervals = intervalEnergy(meter.intervals)
  if (intervals > 0 || walk.count > 1) return { energy: Math.max(register, intervals), odd }
  const estimate = powerEnergy(meter.power, meter.maxPowerW)
  return estimate > register ? { energy: estimate, estimated: true } : { energy: register, odd }
}
