/** The planner as the server runs it: every second, on one node at a time (GROUP-A9). */
import { periodically } from '../../domain/periodic.ts'
import type { UseCaseContext } from '../context.ts'
import { type CourseContext, createCourse } from './course.ts'
import { createPlanner, type PlannerContext } from './planner.ts'

/** A cut is given within that, and what an EVSE accepted leads to the next raise. */
const LOOK_MS = 1000

type StartPlannerContext = Omit<PlannerContext & CourseContext, 'now'> & Pick<UseCaseContext, 'clock' | 'isKeeper'>

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
