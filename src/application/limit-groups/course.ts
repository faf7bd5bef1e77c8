/** The course of limit groups: a row for each minute, and an event when something begins (GROUP-H1, GROUP-H3). */
import {
  type LimitGroupNews,
  limitGroupExceeded,
  limitGroupStale,
  limitGroupUnproved,
} from '../../domain/events/limit-group-events.ts'
import { MINUTE_MS } from '../../domain/limit-groups/group.ts'
import type { Plan } from '../../domain/limit-groups/plan.ts'
import type { LimitMinute, MinuteDraw } from '../../domain/limit-groups/records.ts'
import type { EventData } from '../../domain/ports/events.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { NewEvent } from '../../domain/ports/storage-webhooks.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { Look } from './look.ts'
import { type GroupStatus, groupStatus, isMeasuredAbove, isUnproved } from './status.ts'

/** A cut is on its way for so long before anybody is told. */
const SETTLES_MS = 15_000

export interface CoursePlace {
  readonly reads: Pick<Reads, 'getRecord'>
  readonly writes: Pick<Writes, 'changeRecords' | 'changeRecordsIf'>
  readonly recorded: (event: EventData, at: Pick<NewEvent, 'accountId' | 'chargePointId'>, now: number) => NewEvent
  /** Deliveries were made. */
  readonly wake: () => void
  readonly now: () => number
}

const NEWS = { exceeded: limitGroupExceeded, unproved: limitGroupUnproved, stale: limitGroupStale }
type Trouble = keyof typeof NEWS

export interface Course {
  note(accountId: string, look: Look, made: Plan): Promise<void>
}

export function createCourse({ reads, writes, recorded, wake, now }: CoursePlace): Course {
  /** By group: the last minute that was written, and the order from outside in it. */
  const written = new Map<string, string>()
  /** By group: since when more may be drawn than it carries. */
  const exceededSince = new Map<string, number>()

  const isExceeded = (key: string, { planned, drawAmps }: GroupStatus): boolean => {
    if (isMeasuredAbove(drawAmps, planned.capacity.limitAmps)) return true
    if (!planned.isExceeded) exceededSince.delete(key)
    else if (!exceededSince.has(key)) exceededSince.set(key, now())
    return now() - (exceededSince.get(key) ?? now()) >= SETTLES_MS
  }

  const troublesOf = (key: string, look: Look, status: GroupStatus): readonly Trouble[] => {
    const { capacity } = status.planned
    const own = look.connection.evses.filter(({ group }) => group === status.name)
    return [
      ...(isExceeded(key, status) ? (['exceeded'] as const) : []),
      ...(own.some((evse) => isUnproved(evse) && isKnownForIt(evse)) ? (['unproved'] as const) : []),
      ...(capacity.isStale || capacity.external?.state === 'failSafe' ? (['stale'] as const) : []),
    ]
  }

  const tell = async (accountId: string, look: Look, statuses: readonly GroupStatus[]): Promise<void> => {
    const plan = await reads.getRecord('limit_plans', { accountId, root: look.root })
    if (!plan) return
    const told = Object.fromEntries(
      statuses.map((status) => [status.name, troublesOf(`${accountId} ${status.name}`, look, status)]),
    )
    if (JSON.stringify(told) === JSON.stringify(plan.told)) return
    const events = statuses.flatMap((status) => {
      const before = plan.told[status.name] ?? []
      const begun = (told[status.name] ?? []).filter((trouble) => !before.includes(trouble))
      return begun.map((trouble) =>
        recorded(NEWS[trouble].of(newsOf(look, status, now())), { accountId, chargePointId: '' }, now()),
      )
    })
    // At least once: what was told is stored behind it.
    if (events.length > 0 && (await writes.changeRecords([], events))) wake()
    await writes.changeRecordsIf([{ kind: 'limit_plans', put: { ...plan, told } }], { kind: 'limit_plans', put: plan })
  }

  return {
    async note(accountId, look, made) {
      const statuses = look.connection.groups.flatMap(({ name }) => groupStatus(look, made, name) ?? [])
      await tell(accountId, look, statuses)
      const at = Math.floor(now() / MINUTE_MS) * MINUTE_MS
      const rows = statuses.flatMap((status): readonly RecordChange[] => {
        const key = `${accountId} ${status.name}`
        const { external } = status.planned.capacity
        const seen = `${at} ${external ? [external.state, external.amps, external.source].join(' ') : ''}`
        const before = written.get(key)
        // What is ordered in the middle of a minute stands in it, also where it ends before the next.
        if (before?.startsWith(`${at} `) && (!external || before === seen)) return []
        written.set(key, seen)
        return [{ kind: 'limit_minutes', put: minuteOf(accountId, status, at) }]
      })
      if (rows.length > 0) await writes.changeRecords(rows, [])
    },
  }
}

/** A station that has only just joined is about to hold a fallback. */
function isKnownForIt({ holdsNoFallback, overdraw }: Look['connection']['evses'][number]): boolean {
  return holdsNoFallback === true || overdraw?.isIgnoring === true
}

function newsOf({ connection }: Look, { name, phases, planned, drawAmps }: GroupStatus, at: number): LimitGroupNews {
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

function minuteOf(accountId: string, status: GroupStatus, at: number): LimitMinute {
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
