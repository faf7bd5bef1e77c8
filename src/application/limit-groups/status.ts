/** What a limit group does now, by its newest look (GROUP-H2). */

import { isAbove, LEAST_AMPS } from '../../domain/charging/profile.ts'
import {
  type LimitGroupNews,
  limitGroupExceeded,
  limitGroupStale,
  limitGroupUnproved,
} from '../../domain/events/limit-group-events.ts'
import { type GroupEvse, keyOf } from '../../domain/limit-groups/evse.ts'
import { type ExternalState, MINUTE_MS } from '../../domain/limit-groups/group.ts'
import { latest } from '../../domain/limit-groups/ledger.ts'
import { NO_AMPS, onPhases, type PerPhase, sum } from '../../domain/limit-groups/phases.ts'
import { type Plan, type PlannedGroup, plan } from '../../domain/limit-groups/plan.ts'
import type { LimitMinute, MinuteDraw } from '../../domain/limit-groups/records.ts'
import { pathOf, type Reason } from '../../domain/limit-groups/shares.ts'
import type { EventData, NewEvent } from '../../domain/ports/storage-webhooks.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { UseCaseContext } from '../context.ts'
import { shown } from '../schemas/common.ts'
import { type Snapshot, type SnapshotContext, snapshotOnce } from './look.ts'
import { reasonText } from './reason-words.ts'
import { LimitGroupEvseSchema, LimitGroupExternalSchema, LimitMinuteSchema } from './schemas.ts'

type GroupState = 'ok' | 'safe' | 'exceeded' | 'unproved'
type EvseState = 'charging' | 'idle' | 'paused' | 'silent' | 'ignoring'

export interface EvseStatus {
  readonly chargePointId: string
  readonly evseId: number
  readonly group: string
  readonly phases: readonly number[]
  readonly state: EvseState
  readonly mayDrawAmps: number
  readonly fallbackAmps?: number | undefined
  readonly offeredAmps?: number | undefined
  readonly drawAmps?: number | undefined
  readonly reason: Reason
  readonly leaseUntil?: number | undefined
  /** Its charge point refuses to hold any fallback. */
  readonly holdsNoFallback?: true | undefined
}

export interface GroupStatus {
  readonly name: string
  readonly phases: 1 | 3
  readonly state: GroupState
  readonly planned: PlannedGroup
  readonly drawAmps: PerPhase
  readonly evses: readonly EvseStatus[]
}

export async function statusOf(
  place: SnapshotContext,
  accountId: string,
  name: string,
): Promise<GroupStatus | undefined> {
  const look = await snapshotOnce(place, accountId, name)
  return look && groupStatus(look, plan(look.connection, place.now(), 0), name)
}

export function groupStatus({ connection, evses }: Snapshot, made: Plan, name: string): GroupStatus | undefined {
  const planned = made.groups.find((group) => group.name === name)
  const groups = new Map(connection.groups.map((group) => [group.name, group]))
  const phases = groups.get(name)?.phases
  if (!planned || !phases) return undefined
  const below = connection.evses.filter((evse) => pathOf(groups, evse.group).some((group) => group.name === name))
  const drawAmps = below.reduce<PerPhase>((drawn, evse) => {
    const amps = connection.drawn.get(keyOf(evse)) ?? 0
    return sum(drawn, onPhases(amps, phases === 1 ? [0] : evse.phases))
  }, NO_AMPS)
  return {
    name,
    phases,
    planned,
    drawAmps,
    state: stateOf(planned, drawAmps, below),
    evses: below.map((evse): EvseStatus => {
      const key = keyOf(evse)
      const { mayDrawAmps = 0, reason = { code: 'idle' }, fallbackAmps = 0 } = made.evses.get(key) ?? {}
      const { chargePointId, evseId, group, ledger, holdsNoFallback } = evse
      const held = ledger.fallback.accepted?.amps
      const lease = latest(ledger.lease)
      const drawn = connection.drawn.get(key)
      const offered = evses.get(key)?.seen?.draw?.offeredAmps
      const state = evseState(evse, mayDrawAmps)
      const isNew = held === 0 && fallbackAmps > 0 && reason.code === 'idle'
      const isToCome = state === 'paused' && HAS_A_SHARE.has(reason.code)
      return {
        chargePointId,
        evseId,
        group,
        phases: phases === 1 ? [0] : evse.phases,
        state,
        mayDrawAmps,
        reason: isNew ? { code: 'noRoom', group } : isToCome ? { code: 'comes', group } : reason,
        fallbackAmps: held,
        ...(holdsNoFallback && { holdsNoFallback }),
        ...(offered !== undefined && evse.charge && { offeredAmps: offered }),
        drawAmps: drawn,
        ...(lease?.until !== undefined && lease.amps > lease.afterAmps && { leaseUntil: lease.until }),
      }
    }),
  }
}

/** Of the plan; what it may draw follows once others have made room. */
const HAS_A_SHARE: ReadonlySet<Reason['code']> = new Set(['all', 'carTakesLess', 'shared'])

export function isMeasuredAbove(drawAmps: PerPhase, limitAmps: PerPhase): boolean {
  return drawAmps.some((amps, phase) => isAbove(amps, limitAmps[phase] ?? 0))
}

function stateOf({ capacity, isExceeded }: PlannedGroup, drawAmps: PerPhase, evses: readonly GroupEvse[]): GroupState {
  if (isExceeded || isMeasuredAbove(drawAmps, capacity.limitAmps)) return 'exceeded'
  if (capacity.isStale || capacity.external?.state === 'failSafe') return 'safe'
  return evses.some(isUnproved) ? 'unproved' : 'ok'
}

export function isUnproved({ ledger, overdraw }: GroupEvse): boolean {
  return !ledger.fallback.accepted || overdraw?.isIgnoring === true
}

function evseState({ isOnline, overdraw, charge }: GroupEvse, mayDrawAmps: number): EvseState {
  if (!isOnline) return 'silent'
  if (overdraw?.isIgnoring) return 'ignoring'
  if (!charge) return 'idle'
  return mayDrawAmps < LEAST_AMPS ? 'paused' : 'charging'
}

// The course of limit groups, minute by minute, and an event when something begins (GROUP-H1, GROUP-H3).

/** A cut gets this long to take effect before an event reports it. */
const SETTLES_MS = 15_000
/** Orders of one minute that get a row each: endless orders do not fill the database. */
const MAX_PER_MINUTE = 10

export interface CourseContext extends Pick<UseCaseContext, 'reads' | 'writes' | 'now'> {
  readonly recorded: (event: EventData, at: Pick<NewEvent, 'accountId' | 'chargePointId'>, now: number) => NewEvent
  readonly wake: () => void
}

const NEWS = { exceeded: limitGroupExceeded, unproved: limitGroupUnproved, stale: limitGroupStale }

interface Course {
  note(accountId: string, look: Snapshot, made: Plan): Promise<void>
}

interface Written {
  readonly at: number
  readonly order: string
  readonly isSettling: boolean
  readonly count: number
}

export function createCourse({ reads, writes, recorded, wake, now }: CourseContext): Course {
  const written = new Map<string, Written>()
  const exceededSince = new Map<string, number>()

  const isExceeded = (key: string, { planned, drawAmps }: GroupStatus): boolean => {
    if (planned.capacity.isOverloaded || isMeasuredAbove(drawAmps, planned.capacity.limitAmps)) return true
    if (!planned.isExceeded) exceededSince.delete(key)
    // A clock that was put back would delay it by as much.
    else exceededSince.set(key, Math.min(exceededSince.get(key) ?? now(), now()))
    return now() - (exceededSince.get(key) ?? now()) >= SETTLES_MS
  }

  const isSettling = (key: string, { planned }: GroupStatus): boolean =>
    planned.isExceeded && now() - (exceededSince.get(key) ?? now()) < SETTLES_MS

  const troublesOf = (key: string, look: Snapshot, status: GroupStatus): readonly (keyof typeof NEWS)[] => {
    const { capacity } = status.planned
    const own = look.connection.evses.filter(({ group }) => group === status.name)
    return [
      ...(isExceeded(key, status) ? (['exceeded'] as const) : []),
      ...(own.some((evse) => isUnproved(evse) && isKnownForIt(evse)) ? (['unproved'] as const) : []),
      ...(capacity.isStale || capacity.external?.state === 'failSafe' ? (['stale'] as const) : []),
    ]
  }

  const tell = async (accountId: string, look: Snapshot, statuses: readonly GroupStatus[]): Promise<void> => {
    const plan = await reads.getRecord('limit_plans', { accountId, root: look.root })
    if (!plan) return
    const reported = Object.fromEntries(
      statuses.map((status) => [status.name, troublesOf(`${accountId} ${status.name}`, look, status)]),
    )
    if (JSON.stringify(reported) === JSON.stringify(plan.told)) return
    const events = statuses.flatMap((status) => {
      const before = plan.told[status.name] ?? []
      const begun = (reported[status.name] ?? []).filter((trouble) => !before.includes(trouble))
      return begun.map((trouble) =>
        recorded(NEWS[trouble].of(newsOf(look, status, now())), { accountId, chargePointId: '' }, now()),
      )
    })
    // At least once: what was reported is stored behind it.
    if (events.length > 0 && (await writes.changeRecords([], events))) wake()
    await writes.changeRecordsIf([{ kind: 'limit_plans', put: { ...plan, told: reported } }], {
      kind: 'limit_plans',
      put: plan,
    })
  }

  return {
    async note(accountId, look, made) {
      const statuses = look.connection.groups.flatMap(({ name }) => groupStatus(look, made, name) ?? [])
      await tell(accountId, look, statuses)
      const rows = statuses.flatMap((status): readonly RecordChange[] => {
        const key = `${accountId} ${status.name}`
        const next = nextRow(written.get(key), orderOf(status), isSettling(key, status), now())
        if (!next) return []
        written.set(key, next)
        return [{ kind: 'limit_minutes', put: rowOf(accountId, status, next.at) }]
      })
      if (rows.length > 0) await writes.changeRecords(rows, [])
    },
  }
}

/** Undefined: what is written says it. What was written while cuts were on their way is written again, as it became. */
function nextRow(before: Written | undefined, order: string, isSettling: boolean, now: number): Written | undefined {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const second = Math.floor(now / 1000) * 1000
  const next = { order, isSettling }
  // Of a minute that began before anybody looked, or before the clock was put back, the begin is not known.
  if (!before || before.at < minute - MINUTE_MS || before.at >= minute + MINUTE_MS)
    return { ...next, at: second, count: 1 }
  if (before.at < minute) return { ...next, at: minute, count: 1 }
  if (before.order !== order && before.count < MAX_PER_MINUTE) return { ...next, at: second, count: before.count + 1 }
  return before.order !== order || (before.isSettling && !isSettling) ? { ...before, ...next } : undefined
}

function orderOf({ planned: { capacity } }: GroupStatus): string {
  const { amps, state, source } = capacity.external ?? {}
  return JSON.stringify([amps, state, source])
}

/** A station that has only just joined is about to hold a fallback. */
function isKnownForIt({ holdsNoFallback, overdraw }: Snapshot['connection']['evses'][number]): boolean {
  return holdsNoFallback === true || overdraw?.isIgnoring === true
}

function newsOf(
  { connection }: Snapshot,
  { name, phases, planned, drawAmps }: GroupStatus,
  at: number,
): LimitGroupNews {
  const evses = connection.evses
    .filter((evse) => evse.group === name && isKnownForIt(evse))
    .map(({ chargePointId, evseId }) => ({ chargePointId, evseId }))
  return {
    name,
    at,
    limitAmps: planned.capacity.limitAmps.slice(0, phases),
    allowedAmps: planned.mayDraw.slice(0, phases),
    drawAmps: drawAmps.slice(0, phases),
    ...(evses.length > 0 && { evses }),
  }
}

function rowOf(accountId: string, status: GroupStatus, at: number): LimitMinute {
  const { name, phases, planned, drawAmps } = status
  const { limitAmps, loadAmps, external } = planned.capacity
  const of = (amps: readonly number[]): readonly number[] => amps.slice(0, phases).map(shownAmps)
  return {
    accountId,
    name,
    at,
    limitAmps: of(limitAmps),
    allowedAmps: of(planned.mayDraw),
    drawAmps: of(drawAmps),
    ...(loadAmps && { loadAmps: of(loadAmps) }),
    external,
    draws: drawsOf(status),
  }
}

function drawsOf({ name, phases: groupPhases, evses }: GroupStatus): readonly MinuteDraw[] {
  return evses.flatMap(({ chargePointId, evseId, group, phases, drawAmps = 0 }): readonly MinuteDraw[] => {
    const amps = shownAmps(drawAmps)
    const on = groupPhases === 1 ? [0] : phases
    return group === name && amps > 0 ? [[chargePointId, evseId, amps, on.map((phase) => phase + 1).join('')]] : []
  })
}

export function shownAmps(amps: number): number {
  return Math.round(amps * 10) / 10
}

export function statusShown({ name, phases, state, planned, drawAmps, evses }: GroupStatus): object {
  const { capacity, mayDraw } = planned
  const of = (amps: readonly number[]): readonly number[] => amps.slice(0, phases).map(shownAmps)
  return {
    name,
    state,
    limitAmps: of(capacity.limitAmps),
    capacityAmps: of(capacity.amps),
    allowedAmps: of(mayDraw),
    drawAmps: of(drawAmps),
    ...(capacity.loadAmps && { loadAmps: of(capacity.loadAmps) }),
    ...(capacity.external && { externalLimit: externalShown(capacity.external) }),
    data: evses.map(evseShown),
  }
}

function evseShown(evse: EvseStatus): object {
  const mayDrawAmps = shownAmps(evse.mayDrawAmps)
  const phases = evse.phases.map((phase) => phase + 1)
  const others = { phases, mayDrawAmps, allowedAmps: mayDrawAmps, reason: reasonText(evse.reason) }
  return shown(LimitGroupEvseSchema, evse, others)
}

export function minuteShown(minute: LimitMinute): object {
  return shown(LimitMinuteSchema, minute, { externalLimit: minute.external && externalShown(minute.external) })
}

function externalShown(external: ExternalState): object {
  return shown(LimitGroupExternalSchema, external, { amps: shownAmps(external.amps) })
}
