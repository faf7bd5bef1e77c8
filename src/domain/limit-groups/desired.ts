/** A group as the planner sees it, made of what was asked for; and what cannot be asked for (GROUP-B2, GROUP-B3). */

import { LEAST_AMPS } from '../charging/profile.ts'
import type { Fault } from '../message-log/fault.ts'
import type { ExternalLimit, Group, Load } from './group.ts'
import { ampsOf, type PerPhase, type Wired } from './phases.ts'
import type { DesiredGroup, GivenExternal, GivenLoad, LimitGroup } from './records.ts'
import { leastOf } from './shares.ts'

const LEASE_SECONDS = 600

export function groupOf({ name, desired }: Pick<LimitGroup, 'name' | 'desired'>, voltage: number): Group {
  const phases = desired.phases ?? 3
  const limitAmps = ampsOf(desired, phases, voltage)
  return {
    name,
    parent: desired.parent,
    phases,
    limitAmps,
    minAmps: desired.minAmps ?? LEAST_AMPS,
    minWatts: desired.minWatts,
    bufferAmps: desired.bufferAmps ?? 0,
    safeAmps: desired.safeAmps ?? limitAmps / 2,
    fallbackAmps: desired.fallbackAmps,
    leaseMs: (desired.leaseSeconds ?? LEASE_SECONDS) * 1000,
    strategy: desired.strategy ?? 'equal',
  }
}

/** A building that feeds back loads nothing. */
export function loadOf({ amps, watts, until, excludesCharging }: GivenLoad, phases: 1 | 3, voltage: number): Load {
  const each = ampsOf({ watts: watts ?? 0 }, phases, voltage)
  const of = (phase: number): number => Math.max(0, phase < phases ? (amps?.[phase] ?? (amps ? 0 : each)) : 0)
  return { amps: [of(0), of(1), of(2)], until, excludesCharging: excludesCharging ?? false }
}

export function externalOf(given: GivenExternal, at: number, phases: 1 | 3, voltage: number): ExternalLimit {
  const { until, source, heartbeatSeconds, failSafe } = given
  return {
    amps: ampsOf(given, phases, voltage),
    until,
    source,
    renewedAt: at,
    failSafeAmps: ampsOf(failSafe ?? given, phases, voltage),
    ...(heartbeatSeconds !== undefined && { heartbeatMs: heartbeatSeconds * 1000 }),
  }
}

/** GROUP-B2: fallbacks and floors of all EVSEs must fit the group's own limit. */
export function misfits(group: Group, evses: readonly Wired[], voltage: number): readonly Fault[] {
  const faults: Fault[] = []
  const { limitAmps, fallbackAmps, minWatts, safeAmps, bufferAmps } = group
  const most = (amps: (evse: Wired) => number): number => Math.max(...sumOf(group, evses, amps))
  if (fallbackAmps !== undefined && most(() => fallbackAmps) > limitAmps + 1e-6) {
    const said = `of ${evses.length} EVSEs is more than the limit of ${shown(limitAmps)} A: lower it, or leave it out`
    faults.push({ pointer: '/fallbackAmps', code: 'fallback_too_large', message: said })
  }
  const floor = ({ phaseCount }: Wired): number => leastOf({ minAmps: 0, minWatts }, phaseCount, voltage)
  if (minWatts !== undefined && most(floor) > limitAmps + 1e-6) {
    const said = `of ${evses.length} EVSEs is more than the limit of ${shown(limitAmps)} A`
    faults.push({ pointer: '/minWatts', code: 'floor_too_large', message: said })
  }
  if (safeAmps > limitAmps + 1e-6) {
    faults.push({ pointer: '/safeAmps', code: 'safe_too_large', message: 'must not be above the limit' })
  }
  if (bufferAmps > limitAmps + 1e-6) {
    faults.push({ pointer: '/bufferAmps', code: 'buffer_too_large', message: 'must not be above the limit' })
  }
  return faults
}

/** GROUP-B2: with less than `minAmps` no car charges, so more than there ever is would pause all of them. */
export function minimumFaults(own: Group, path: readonly Group[]): readonly Fault[] {
  const room = Math.max(LEAST_AMPS, Math.min(...path.map(({ limitAmps, bufferAmps }) => limitAmps - bufferAmps)))
  if (own.minAmps <= room + 1e-6) return []
  const message = `is more than the ${shown(room)} A that the limit and the buffer, also of the groups above, leave`
  return [{ pointer: '/minAmps', code: 'minimum_too_large', message }]
}

function sumOf({ phases }: Group, evses: readonly Wired[], amps: (evse: Wired) => number): PerPhase {
  const sums: [number, number, number] = [0, 0, 0]
  for (const evse of evses) {
    for (const phase of phases === 1 ? [0] : evse.phases) sums[phase as 0 | 1 | 2] += amps(evse)
  }
  return sums
}

/** GROUP-B3: the names from this group up; undefined where they end in a circle or in a group that is not there. */
export function ancestry(
  name: string,
  requested: ReadonlyMap<string, Pick<DesiredGroup, 'parent'>>,
): readonly string[] | 'circle' | 'unknown' {
  const names = [name]
  for (let parent = requested.get(name)?.parent; parent !== undefined; parent = requested.get(parent)?.parent) {
    if (names.includes(parent)) return 'circle'
    if (!requested.has(parent)) return 'unknown'
    names.push(parent)
  }
  return names
}

/** The uppermost group that feeds this one. In a circle, or below a missing parent: as far up as it goes. */
export function topOf(name: string, requested: ReadonlyMap<string, Pick<DesiredGroup, 'parent'>>): string {
  const names = [name]
  for (let parent = requested.get(name)?.parent; parent !== undefined; parent = requested.get(parent)?.parent) {
    if (!requested.has(parent)) break
    const met = names.indexOf(parent)
    // All groups of a circle must arrive at the same name.
    if (met >= 0) return names.slice(met).reduce((first, one) => (one < first ? one : first))
    names.push(parent)
  }
  return names.at(-1) ?? name
}

function shown(amps: number): string {
  return String(Math.round(amps * 10) / 10)
}
