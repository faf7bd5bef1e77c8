/** The planner as the server runs it: every second, on one node at a time (GROUP-A9). */
import { type IsKeeper, periodically } from '../../domain/periodic.ts'
import type { Clock } from '../../domain/ports/clock.ts'
import type { Log } from '../../domain/ports/log.ts'
import { type CourseContext, createCourse } from './course.ts'
import { createPlanner, type PlannerContext } from './planner.ts'

/** A cut is given within that, and what an EVSE accepted leads to the next raise. */
const LOOK_MS = 1000

interface StartPlannerContext extends Omit<PlannerContext, 'now' | 'writes' | 'reads'>, Omit<CourseContext, 'now'> {
  readonly reads: PlannerContext['reads'] & CourseContext['reads']
  readonly writes: PlannerContext['writes'] & CourseContext['writes']
  readonly clock: Clock
  readonly log: Log
  /** Of several servers one does it at a time (STORE-N14). */
  readonly isKeeper?: IsKeeper | undefined
}

export function startLimitPlanner({ clock, isKeeper = async () => true, ...parts }: StartPlannerContext) {
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
