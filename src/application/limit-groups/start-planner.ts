/** The planner as the server runs it: every second, on one node at a time (GROUP-A9). */
import { type IsKeeper, periodically } from '../../domain/periodic.ts'
import type { Clock } from '../../domain/ports/clock.ts'
import type { Log } from '../../domain/ports/log.ts'
import { type CoursePlace, createCourse } from './course.ts'
import { createPlanner, type PlannerPlace } from './planner.ts'

/** A cut is given within that, and what an EVSE accepted leads to the next raise. */
const LOOK_MS = 1000

interface PlannerParts extends Omit<PlannerPlace, 'now' | 'writes' | 'reads'>, Omit<CoursePlace, 'now'> {
  readonly reads: PlannerPlace['reads'] & CoursePlace['reads']
  readonly writes: PlannerPlace['writes'] & CoursePlace['writes']
  readonly clock: Clock
  readonly log: Log
  /** Of several servers one does it at a time (STORE-N14). */
  readonly isKeeper?: IsKeeper | undefined
}

export function startLimitPlanner({ clock, isKeeper = async () => true, ...parts }: PlannerParts) {
  const place = { ...parts, now: clock.now }
  const planner = createPlanner(place)
  const course = createCourse(place)
  const looks = periodically({
    clock,
    everyMs: LOOK_MS,
    async work() {
      if (await isKeeper()) await planner.tick(course.note)
      else planner.forget()
    },
    failed({ message: error }) {
      // What is remembered may not be what was stored.
      planner.forget()
      parts.log.error({ error }, 'limit groups could not be planned')
    },
  })
  return { stop: () => looks.stop() }
}
