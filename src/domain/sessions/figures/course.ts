/** The course of a session, for tariffs with elements (TARIFF-A2): its samples, and what its station said it does. */
import type { Activity, ActivityEntry, CoursePoint } from '../../ports/sessions.ts'
import type { CoursePiece } from '../../tariffs/course.ts'
import { lastTime } from '../states/folded-activities.ts'

/** About four kilobytes as JSON. */
const MAX_POINTS = 128
/** Kept whole: what comes late belongs there. */
const NEWEST_KEPT = 32

/** Adds where the energy stood at a time; late ones only raise what is known. */
export function withPoint(points: readonly CoursePoint[] = [], [at, energy]: CoursePoint): readonly CoursePoint[] {
  const last = points.at(-1)
  if (last && at <= last[0]) return energy > last[1] ? [...points.slice(0, -1), [last[0], energy]] : points
  const next: readonly CoursePoint[] = [...points, [at, Math.max(energy, last?.[1] ?? 0)]]
  return next.length > MAX_POINTS ? thinned(next) : next
}

/** Every second of the older ones goes, those first that lie closest to the line between their neighbors. */
function thinned(points: readonly CoursePoint[]): readonly CoursePoint[] {
  const older = points.slice(0, -NEWEST_KEPT)
  const off = older.map((point, index) => {
    const [before, after] = [older[index - 1], older[index + 1]]
    return before && after ? Math.abs(point[1] - between(before, after, point[0])) : Number.POSITIVE_INFINITY
  })
  const limit = off.toSorted((a, b) => a - b)[older.length >> 1] ?? 0
  // Never two neighbors at once, so that no line is drawn over both.
  let wasLeftOut = false
  const kept = older.filter((_, index) => {
    wasLeftOut = !wasLeftOut && (off[index] ?? 0) <= limit
    return !wasLeftOut
  })
  return [...kept, ...points.slice(-NEWEST_KEPT)]
}

function between(before: CoursePoint, after: CoursePoint, at: number): number {
  return before[1] + ((after[1] - before[1]) * (at - before[0])) / (after[0] - before[0])
}

/** The vehicle asks for nothing, whatever the EVSE could give (TARIFF-A4). */
const PARKED: ReadonlySet<Activity> = new Set(['suspendedEv', 'finishing', 'connected', 'idle'])

/** From start to end without holes, and with all of its energy. */
export function piecesOf(
  { course = [], activities = [] }: CourseFacts,
  { startedAt, until, energyMilliWh }: { startedAt: number; until: number; energyMilliWh: number },
): readonly CoursePiece[] {
  const inside = course.filter(([at]) => at > startedAt && at < until)
  const points: readonly CoursePoint[] = [[startedAt, 0], ...inside, [until, energyMilliWh]]
  const changes = changesOf(activities, until)
  const pieces: CoursePiece[] = []
  let [before, isCharging, next] = [0, true, 0]
  for (let index = 1; index < points.length; index++) {
    const [[from, low], [to, high]] = [points[index - 1] ?? [0, 0], points[index] ?? [0, 0]]
    let at = from
    const add = (end: number, energy: number): void => {
      const reached = Math.min(energyMilliWh, Math.max(before, energy))
      pieces.push({ start: at, end, energyMilliWh: reached - before, isCharging })
      at = end
      before = reached
    }
    for (; (changes[next]?.[0] ?? Number.POSITIVE_INFINITY) < to; next++) {
      const [when, charges] = changes[next] ?? [to, true]
      if (when > at && charges !== isCharging) add(when, Math.floor(between([from, low], [to, high], when)))
      isCharging = charges
    }
    if (to > at || index === points.length - 1) add(to, high)
  }
  return pieces
}

interface CourseFacts {
  readonly course?: readonly CoursePoint[] | undefined
  readonly activities?: readonly ActivityEntry[] | undefined
}

/** When it began to charge or to be parked, in order; of folded entries what they came to stands at their end. */
function changesOf(activities: readonly ActivityEntry[], until: number): readonly (readonly [number, boolean])[] {
  const changes: (readonly [number, boolean])[] = []
  let newest = Number.NEGATIVE_INFINITY
  for (const entry of activities) {
    const [, at, activity, folded] = entry
    const from = Math.max(newest, at)
    changes.push([from, !PARKED.has(activity)])
    newest = from
    if (!folded) continue
    const over = Math.max(from, Math.min(lastTime(entry), until))
    const idle = Math.min(over - from, folded.before + folded.after)
    if (idle > 0) changes.push([from, true], [over - idle, false])
    changes.push([over, !PARKED.has(folded.activity)])
    newest = over
  }
  return changes
}
