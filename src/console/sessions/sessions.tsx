/** The account's sessions, and one of them with its course. */
import { timelineOf } from '../../orders/session-timeline.ts'
import { pageOfRows, ROWS_ASKED } from '../page-of-rows.ts'
import type { ConsolePage, OperatorParts } from '../parts.ts'
import { showing } from '../visit.tsx'
import { createCourses } from './course.ts'
import { SessionPage } from './session-page.tsx'
import { SessionsPage } from './sessions-page.tsx'

const EVENTS_SHOWN = 100

export const showSessions: ConsolePage = showing('anybody', async ({ provider, context, frame, accountId }) => {
  const before = context.req.query('before')
  const chargePoint = context.req.query('chargePoint')
  const found = await provider.reads.listSessions({
    accountId,
    ...(chargePoint !== undefined && { chargePointIds: [chargePoint] }),
    ...(before !== undefined && { belowId: before }),
    limit: ROWS_ASKED,
  })
  const { rows: sessions, last } = pageOfRows(found)
  return (
    <SessionsPage
      frame={frame}
      sessions={sessions}
      later={before !== undefined}
      {...(chargePoint !== undefined && { chargePoint })}
      {...(last && { olderThan: last.id })}
    />
  )
})

export function showSession(parts: OperatorParts): ConsolePage {
  const courseOf = createCourses(parts)
  return showing('anybody', async ({ provider, context, frame, accountId }) => {
    const { reads } = provider
    const session = await reads.findSession(context.req.param('sessionId') ?? '')
    if (session?.accountId !== accountId) return undefined
    const timeline = await timelineOf({ reads, salt: parts.salt }, session.id, EVENTS_SHOWN)
    const { relativeMeter = false } = (await reads.findChargePoint(session.chargePointId))?.status ?? {}
    const course = await courseOf(session, provider.now(), relativeMeter)
    return <SessionPage frame={frame} session={session} timeline={timeline} course={course} />
  })
}
