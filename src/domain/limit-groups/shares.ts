/** Who should have how much in the end: fallbacks, then minimums, then the rest (GROUP-S1 to GROUP-S4). */
import { LEAST_AMPS } from '../charging/profile.ts'
import { type Charge, type GroupEvse, keyOf } from './evse.ts'
import { type Group, type Strategy, usableAmps } from './group.ts'
import { mayDraw, mostOfPlace } from './ledger.ts'
import { type PerPhase, tenthsDown } from './phases.ts'

/** GROUP-S3: a charge that was served for so long makes room for one that waits. */
export const TURN_MS = 15 * 60_000

/** Why an EVSE has what it has; the words stand in reason-words.ts. */
export type Reason =
  | { readonly code: 'all' | 'carTakesLess' | 'idle' | 'ending' | 'above' | 'unbounded' }
  | { readonly code: 'silent' | 'ignores' | 'foreign' | 'noFallback' }
  | { readonly code: 'shared' | 'comes' | 'waits' | 'noRoom'; readonly group: string }

export interface Share {
  readonly fallbackAmps: number
  readonly amps: number
  readonly reason: Reason
}

interface Claim {
  readonly evse: GroupEvse
  readonly lines: readonly number[]
  readonly minAmps: number
  readonly leastAmps: number
  fallbackAmps: number
  level: number
  reason: Reason
}

/** Nothing can be sent to it, or it would not help, or it drew too much just now: it counts with what it may draw. */
export function isFixed({ isOnline, holdsNoFallback, overdraw }: GroupEvse): boolean {
  return !isOnline || holdsNoFallback === true || overdraw !== undefined
}

/** @param lines with the capacity of each; what is left of it when all have a share @param voltage of a phase */
export function sharesOf(
  evses: readonly GroupEvse[],
  lines: Lines,
  strategy: Strategy,
  voltage: number,
  now: number,
): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>()
  const claims: Claim[] = []
  const counts = evsesPerGroup(evses, lines)
  for (const evse of evses) {
    const under = lines.under(evse.group, evse.phases)
    if (isFixed(evse)) {
      const amps = mayDraw(evse, now)
      lines.take(under, amps)
      shares.set(keyOf(evse), { fallbackAmps: fallbackOf(evse, lines, counts), amps, reason: reasonOfFixed(evse) })
    } else {
      const fallbackAmps = Math.min(evse.maxAmps, fallbackOf(evse, lines, counts))
      const minAmps = Math.min(evse.maxAmps, minimumOf(evse, lines, voltage))
      const { leastAmps = 0 } = evse
      claims.push({ evse, lines: under, minAmps, leastAmps, fallbackAmps, level: 0, reason: { code: 'idle' } })
    }
  }
  giveFallbacks(claims, lines)
  const charging = inOrder(claims, strategy, now)
  giveMinimums(charging, lines)
  const served = charging.filter(({ reason }) => reason.code !== 'waits')
  for (const equals of classesOf(served, strategy)) fill(equals, lines)
  for (const { evse, fallbackAmps, level, reason } of claims) {
    const amps = Math.max(fallbackAmps, tenthsDown(level))
    shares.set(keyOf(evse), { fallbackAmps, amps, reason: heldReason(evse, now) ?? reason })
  }
  return shares
}

function evsesPerGroup(evses: readonly GroupEvse[], lines: Lines): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { group } of evses) {
    for (const { name } of lines.path(group)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** GROUP-A4: the nearest that is given, else an equal part of each limit on the way up, in whole amps. */
function fallbackOf({ group }: GroupEvse, lines: Lines, counts: ReadonlyMap<string, number>): number {
  const path = lines.path(group)
  const given = path.find(({ fallbackAmps }) => fallbackAmps !== undefined)
  if (given?.fallbackAmps !== undefined) return given.fallbackAmps
  return Math.min(...path.map(({ name, limitAmps }) => usableAmps(limitAmps / Math.max(1, counts.get(name) ?? 1))))
}

export function minimumOf(
  evse: Pick<GroupEvse, 'group' | 'phases' | 'phaseCount' | 'spread'>,
  lines: Lines,
  voltage: number,
): number {
  return Math.max(...lines.path(evse.group).map((one) => leastOfEvse(one, evse, voltage)), 0)
}

/** GROUP-P3: watts of one phase must be enough for a car that spreads them over more. */
export function leastOfEvse(
  { minAmps, minWatts }: Pick<Group, 'minAmps' | 'minWatts'>,
  { phases, phaseCount = phases.length, spread = 1 }: Pick<GroupEvse, 'phases' | 'phaseCount' | 'spread'>,
  voltage: number,
): number {
  return leastOf({ minAmps: minAmps * spread, minWatts }, spread > 1 ? 1 : phaseCount, voltage)
}

export function leastOf(
  { minAmps, minWatts = 0 }: Pick<Group, 'minAmps' | 'minWatts'>,
  phases: number,
  voltage: number,
): number {
  return Math.max(minAmps, Math.ceil((minWatts / (voltage * phases)) * 10 - 1e-6) / 10)
}

function reasonOfFixed({ isOnline, holdsNoFallback, overdraw }: GroupEvse): Reason {
  if (!isOnline) return { code: 'silent' }
  if (holdsNoFallback) return { code: 'noFallback' }
  return { code: overdraw?.isIgnoring ? 'ignores' : overdraw?.foreignAmps ? 'foreign' : 'above' }
}

/** It counts with something else than its share: with what it holds, or may hold. */
function heldReason({ ledger, maxAmps, charge }: GroupEvse, now: number): Reason | undefined {
  if (!ledger.fallback.accepted) return { code: 'unbounded' }
  const isLeft = !charge && mayDraw({ ledger, maxAmps }, now) > mostOfPlace(ledger.fallback, now) + 1e-6
  return isLeft ? { code: 'ending' } : undefined
}

/** GROUP-A4: where the capacity of now does not carry all fallbacks they are cut to equal parts of it. */
function giveFallbacks(claims: readonly Claim[], lines: Lines): void {
  const desired = new Float64Array(lines.free.length)
  const counts = new Float64Array(lines.free.length)
  for (const { lines: under, fallbackAmps, leastAmps } of claims) {
    for (const line of under) {
      desired[line] = (desired[line] ?? 0) + Math.max(fallbackAmps, leastAmps)
      counts[line] = (counts[line] ?? 0) + 1
    }
  }
  const parts = lines.free.map((free, line) =>
    (desired[line] ?? 0) > free + 1e-6 ? usableAmps(free / (counts[line] || 1)) : Number.POSITIVE_INFINITY,
  )
  for (const claim of claims) {
    for (const line of claim.lines) claim.fallbackAmps = Math.min(claim.fallbackAmps, parts[line] ?? 0)
    claim.level = Math.max(claim.fallbackAmps, claim.leastAmps)
    lines.take(claim.lines, claim.level)
  }
}

/** Those that charge, in the order in which minimums are given (GROUP-S2, GROUP-S3). */
function inOrder(claims: readonly Claim[], strategy: Strategy, now: number): readonly Claim[] {
  const charging = claims.flatMap((claim) => (claim.evse.charge ? [{ claim, charge: claim.evse.charge }] : []))
  return charging
    .sort(
      (one, other) =>
        Number(one.charge.isFull ?? false) - Number(other.charge.isFull ?? false) ||
        (strategy === 'priority' ? other.charge.priority - one.charge.priority : 0) ||
        (strategy === 'firstCome' ? 0 : turnOf(one.charge, now) - turnOf(other.charge, now)) ||
        since(one.charge, strategy, now) - since(other.charge, strategy, now) ||
        (keyOf(one.claim.evse) < keyOf(other.claim.evse) ? -1 : 1),
    )
    .map(({ claim }) => claim)
}

/** GROUP-S3: in its turn, waiting, or served for longer than a turn. */
function turnOf({ servedSince }: Charge, now: number): number {
  if (servedSince === undefined) return 1
  return now - servedSince < TURN_MS ? 0 : 2
}

function since({ startedAt, servedSince, pausedSince }: Charge, strategy: Strategy, now: number): number {
  if (strategy === 'firstCome') return startedAt
  if (servedSince === undefined) return pausedSince ?? startedAt
  // Who was served the longest goes first.
  return now - servedSince < TURN_MS ? servedSince : -servedSince
}

function giveMinimums(charging: readonly Claim[], lines: Lines): void {
  for (const claim of charging) {
    const need = Math.max(0, claim.minAmps - claim.level)
    if (need > lines.room(claim.lines) + 1e-6) {
      claim.reason = { code: 'waits', group: tightest(claim, lines) }
      if (claim.level >= LEAST_AMPS) claim.reason = { code: 'shared', group: tightest(claim, lines) }
      continue
    }
    lines.take(claim.lines, need)
    claim.level += need
    claim.reason = { code: 'all' }
  }
}

function* classesOf(charging: readonly Claim[], strategy: Strategy): Generator<readonly Claim[]> {
  if (strategy === 'equal') yield charging
  else if (strategy === 'firstCome') for (const claim of charging) yield [claim]
  else {
    const classes = new Map<number, Claim[]>()
    for (const claim of charging) {
      const priority = claim.evse.charge?.priority ?? 0
      classes.set(priority, [...(classes.get(priority) ?? []), claim])
    }
    for (const [, equals] of [...classes].sort(([one], [other]) => other - one)) yield equals
  }
}

/** GROUP-S1: all levels rise alike, like water, until a line is full or a car has what it requests. */
function fill(claims: readonly Claim[], lines: Lines): void {
  let rising: Claim[] = []
  for (const claim of claims) {
    if (goalOf(claim) > claim.level + 1e-6) rising.push(claim)
    else settle(claim)
  }
  rising.sort((one, other) => one.level - other.level)
  const loads = new Float64Array(lines.free.length)
  while (rising.length > 0) {
    const level = rising[0]?.level ?? 0
    const lowest = rising.filter((claim) => claim.level <= level + 1e-9)
    const next = rising[lowest.length]?.level ?? Number.POSITIVE_INFINITY
    loads.fill(0)
    for (const { lines: under } of lowest) for (const line of under) loads[line] = (loads[line] ?? 0) + 1
    let step = next - level
    for (const claim of lowest) step = Math.min(step, goalOf(claim) - level)
    loads.forEach((count, line) => {
      if (count > 0) step = Math.min(step, Math.max(0, lines.free[line] ?? 0) / count)
    })
    for (const claim of lowest) {
      claim.level += step
      lines.take(claim.lines, step)
    }
    const raised = new Set(lowest)
    rising = rising.filter((claim) => !raised.has(claim) || isStillRising(claim, lines))
  }
}

function isStillRising(claim: Claim, lines: Lines): boolean {
  if (claim.level >= goalOf(claim) - 1e-6) {
    settle(claim)
    return false
  }
  if (lines.room(claim.lines) > 1e-6) return true
  claim.reason = { code: 'shared', group: tightest(claim, lines) }
  return false
}

function goalOf({ evse, minAmps }: Claim): number {
  return Math.min(evse.maxAmps, Math.max(evse.charge?.wantAmps ?? 0, minAmps))
}

function settle(claim: Claim): void {
  const { evse, minAmps } = claim
  const wants = evse.charge?.wantAmps ?? 0
  claim.reason = { code: Math.max(wants, minAmps) < evse.maxAmps - 0.05 ? 'carTakesLess' : 'all' }
}

function tightest({ lines: under }: Claim, lines: Lines): string {
  return lines.nameAt(
    under.reduce((one, line) => ((lines.free[line] ?? 0) < (lines.free[one] ?? 0) ? line : one), under[0] ?? 0),
  )
}

/** From the leaf to the root. Stored groups have no circles; one that arises anyway is cut here. */
export function pathOf(groups: ReadonlyMap<string, Group>, leaf: string): readonly Group[] {
  const path: Group[] = []
  for (let group = groups.get(leaf); group && !path.includes(group); group = groups.get(group.parent ?? '')) {
    path.push(group)
  }
  return path
}

export class Lines {
  readonly free: Float64Array
  readonly #at = new Map<string, number>()
  readonly #paths = new Map<string, readonly Group[]>()

  constructor(
    readonly groups: ReadonlyMap<string, Group>,
    capacities: ReadonlyMap<string, PerPhase>,
  ) {
    this.free = new Float64Array(groups.size * 3)
    for (const name of groups.keys()) {
      const at = this.#at.size * 3
      this.#at.set(name, at)
      capacities.get(name)?.forEach((amps, phase) => {
        this.free[at + phase] = amps
      })
    }
  }

  path(leaf: string): readonly Group[] {
    const known = this.#paths.get(leaf)
    if (known) return known
    const path = pathOf(this.groups, leaf)
    this.#paths.set(leaf, path)
    return path
  }

  under(leaf: string, phases: readonly number[]): readonly number[] {
    return this.path(leaf).flatMap(({ name, phases: of }) => {
      const at = this.#at.get(name) ?? 0
      return of === 1 ? [at] : phases.map((phase) => at + phase)
    })
  }

  nameAt(line: number): string {
    return [...this.#at.keys()][Math.floor(line / 3)] ?? ''
  }

  freeOf(name: string, phase: number): number {
    return this.free[(this.#at.get(name) ?? 0) + phase] ?? 0
  }

  room(lines: readonly number[]): number {
    let room = Number.POSITIVE_INFINITY
    for (const line of lines) room = Math.min(room, this.free[line] ?? 0)
    return room
  }

  take(lines: readonly number[], amps: number): void {
    for (const line of lines) this.free[line] = (this.free[line] ?? 0) - amps
  }
}
