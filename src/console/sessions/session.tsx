/** One session with its course, and what its operator may do about it. */
import { timelineOf } from '../../orders/session-timeline.ts'
import type { MeteredTransaction } from '../../sessions/draft.ts'
import { sessionDetails } from '../../sessions/figures/details.ts'
import { costPartsOf } from '../../sessions/figures/figures.ts'
import type { ConsolePage, OperatorParts } from '../parts.ts'
import { mayAct, showing } from '../visit.tsx'
import { createCourses } from './course.ts'
import { ACTIONS } from './session-orders.ts'
import { SessionPage } from './session-page.tsx'

const EVENTS_SHOWN = 100

export function showSession(parts: OperatorParts): ConsolePage {
  const courseOf = createCourses(parts)
  return showing('anybody', async (visit) => {
    const { provider, context, frame, accountId, csrf } = visit
    const { reads } = provider
    const asked = context.req.query('ask')
    const session = await reads.findSession(context.req.param('sessionId') ?? '')
    if (session?.accountId !== accountId) return undefined
    const timeline = await timelineOf({ reads, salt: parts.salt }, session.id, EVENTS_SHOWN)
    const { relativeMeter = false } = (await reads.findChargePoint(session.chargePointId))?.status ?? {}
    const now = provider.now()
    const course = await courseOf(session, now, relativeMeter)
    const [transaction] = await reads.findTransactionsOf([session])
    const metered = transaction as MeteredTransaction | undefined
    const [live] = await parts.core.connectivity([session.chargePointId])
    return (
      <SessionPage
        frame={frame}
        session={session}
        details={sessionDetails(session, metered, now)}
        costParts={costPartsOf(session, metered, now)}
        isOnline={live?.online === true}
        {...(mayAct(visit) && {
          csrf: { stop: csrf(ACTIONS.stop(session.id)), settle: csrf(ACTIONS.settle(session.id)) },
        })}
        {...(asked !== undefined && { asked })}
        timeline={timeline}
        course={course}
      />
    )
  })
}
