/** The account's sessions, and one of them with its course. */
import { logIdAt } from '../../commands/log-id.ts'
import { timelineOf } from '../../http/session-timeline.ts'
import type { PageHandler } from '../../oidc/browser/app.ts'
import type { Session } from '../../sessions/model.ts'
import { type CurvePoint, curveOf, METERED_METHODS } from './curve.ts'
import type { OperatorParts } from './parts.ts'
import { SessionPage } from './session-page.tsx'
import { SessionsPage } from './sessions-page.tsx'
import { showing } from './visit.tsx'

const PAGE_LENGTH = 50
/** Eleven hours of a sample every ten seconds. */
const MESSAGES_READ = 4000
const EVENTS_SHOWN = 100
/** The first message may be logged a moment before its session, the last one after its last event. */
const MARGIN_MS = 600_000

export const showSessions: PageHandler = showing('anybody', async ({ provider, context, frame, accountId }) => {
  const before = context.req.query('before')
  const found = await provider.reads.listSessions({
    accountId,
    ...(before !== undefined && { belowId: before }),
    limit: PAGE_LENGTH + 1,
  })
  const sessions = found.slice(0, PAGE_LENGTH)
  const last = found.length > PAGE_LENGTH ? sessions.at(-1) : undefined
  return (
    <SessionsPage
      frame={frame}
      sessions={sessions}
      later={before !== undefined}
      {...(last && { olderThan: last.id })}
    />
  )
})

export function showSession(parts: OperatorParts): PageHandler {
  return showing('anybody', async ({ provider, context, frame, accountId }) => {
    const { reads } = provider
    const session = await reads.findSession(context.req.param('sessionId') ?? '')
    if (session?.accountId !== accountId) return undefined
    const timeline = await timelineOf({ reads, salt: parts.salt }, session.id, EVENTS_SHOWN)
    const relativeMeter = (await reads.findChargePoint(session.chargePointId))?.status.relativeMeter
    const course = await courseOf(parts, session, provider.now(), relativeMeter)
    return <SessionPage frame={frame} session={session} timeline={timeline} course={course} />
  })
}

/** From the log between the session's beginning and its last event. */
async function courseOf(
  { searchReads }: OperatorParts,
  session: Session,
  now: number,
  relativeMeter = false,
): Promise<{ readonly points: readonly CurvePoint[]; readonly cutAt?: number }> {
  const { chargePointId, transactionId, state, createdAt, lastEventAt = now } = session
  if (transactionId === undefined) return { points: [] }
  const over = state === 'completed' || state === 'failed'
  const messages = await searchReads.searchCommands({
    chargePointId,
    fromId: logIdAt(createdAt - MARGIN_MS),
    toId: logIdAt((over ? lastEventAt : now) + MARGIN_MS),
    filter: { methods: METERED_METHODS, transactionId: [{ op: 'in', values: [transactionId] }] },
    limit: MESSAGES_READ,
  })
  const points = curveOf(messages, relativeMeter)
  return { points, ...(messages.length === MESSAGES_READ && { cutAt: MESSAGES_READ }) }
}
