import type { Child } from 'hono/jsx'
import { type BudgetStanding, budgetStanding } from '../../application/id-tokens/budget.ts'
import { timelineOf } from '../../application/session-timeline.ts'
import { countedAt } from '../../domain/budgets/rules.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { MeteredTransaction } from '../../domain/sessions/draft.ts'
import { sessionDetails } from '../../domain/sessions/figures/details.ts'
import { costPartsOf } from '../../domain/sessions/figures/figures.ts'
import type { Typed } from '../../web/entries.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { showing, type Visit } from '../visit.tsx'
import { createCourses } from './course.ts'
import { SessionPage } from './session-page.tsx'

const EVENTS_SHOWN = 100

export function showSession(parts: OperatorContext): ConsolePage {
  const pageOf = sessionPageOf(parts)
  return showing('anybody', async (visit) => {
    const session = await ownSession(visit)
    return session && pageOf(visit, session)
  })
}

type SessionPageOf = (visit: Visit, session: Session, typed?: Typed) => Promise<Child>

/** @example pageOf(visit, session, typed) // the form that settles once more, with what was typed */
export function sessionPageOf(parts: OperatorContext): SessionPageOf {
  const courseOf = createCourses(parts)
  return async (visit, session, typed) => {
    const { site, context } = visit
    const { reads } = site
    const timeline = await timelineOf({ reads, salt: parts.salt }, session.id, EVENTS_SHOWN)
    const { relativeMeter = false } = (await reads.findChargePoint(session.chargePointId))?.status ?? {}
    const now = site.now()
    const course = await courseOf(session, now, relativeMeter)
    const [transaction] = await reads.findTransactionsOf([session])
    const metered = transaction as MeteredTransaction | undefined
    const [live] = await parts.core.connectivity([session.chargePointId])
    return (
      <SessionPage
        visit={visit}
        session={session}
        details={sessionDetails(session, metered, now)}
        costParts={costPartsOf(session, metered, now)}
        isOnline={live?.online === true}
        budget={await budgetOf(visit, session)}
        tab={context.req.query('tab') === 'timeline' ? 'timeline' : 'overview'}
        asked={typed ? 'settle' : context.req.query('ask')}
        typed={typed}
        timeline={timeline}
        course={course}
      />
    )
  }
}

async function budgetOf({ site }: Visit, session: Session): Promise<BudgetStanding | undefined> {
  const { accountId, limits } = session
  const card = limits?.budgetOf === undefined ? undefined : await site.reads.findIdToken(accountId, limits.budgetOf)
  return card && budgetStanding(site, card, countedAt(session), site.timeZone)
}

export async function ownSession({ site, context, accountId }: Visit): Promise<Session | undefined> {
  const session = await site.reads.findSession(context.req.param('sessionId') ?? '')
  return session?.accountId === accountId ? session : undefined
}
