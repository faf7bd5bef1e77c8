import type { Child } from 'hono/jsx'
import { type BudgetStanding, budgetStanding } from '../../application/id-tokens/budget.ts'
import { timelineOf } from '../../application/session-timeline.ts'
import { countedAt } from '../../domain/budgets/rules.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { MeteredTransaction } from '../../domain/sessions/draft.ts'
import { roundCost } from '../../domain/sessions/figures/cost.ts'
import { sessionDetails } from '../../domain/sessions/figures/details.ts'
import { costPartsOf } from '../../domain/sessions/figures/figures.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import type { Faults, Typed } from '../../web/entries.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { type PageTexts, wordsIn } from '../kit/parts.tsx'
import { acting, type Done, type Shown, showing, type Visit } from '../visit.tsx'
import { createCourses } from './curve.ts'
import { ACTIONS } from './orders-card.tsx'
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
    const timeline = await timelineOf({ reads, salt: parts.salt }, session, EVENTS_SHOWN)
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

/** What an operator orders for one session: the orders of the API. Sent twice they act once (CONSOLE-C9). */
export const stopSession: ConsolePage = actingOn('stop', async ({ accountId, site: { core } }, session) => {
  // An operator who pressed twice, or whose session ended meanwhile, has what the press asked for.
  if (isTerminal(session.state)) return pathOf(session)
  const stopped = await core.stopSession(accountId, session.id)
  return 'refused' in stopped && stopped.code !== 'session_ended' ? stopped : pathOf(session)
})

function actingOn(
  action: keyof typeof ACTIONS,
  order: (visit: Visit, session: Session, form: URLSearchParams) => Promise<Done>,
): ConsolePage {
  return acting(
    ({ req }) => ACTIONS[action](req.param('sessionId') ?? ''),
    async (visit, form) => {
      const session = await ownSession(visit)
      return session ? order(visit, session, form) : noSuch('session')
    },
  )
}

export function settleSession(parts: OperatorContext): ConsolePage {
  const pageOf = sessionPageOf(parts)
  return actingOn('settle', async (visit, session, form) => {
    const again = async (faults: Faults, status: number): Promise<Shown> => ({
      page: await pageOf(visit, session, { form, faults }),
      status,
    })
    const words = wordsIn('sessions', visit.frame)
    const read = readSettlement(session, form, words)
    if (read.faults) return again(read.faults, 400)
    const { changed, currency, reason } = read
    const isChange = Object.keys(changed).length > 0
    // Sent twice: the first one did it.
    if (!isChange && session.settlementCount !== undefined) return pathOf(session)
    if (String(session.version) !== form.get('version')) return again({ form: words.changedMeanwhile }, 409)
    const settled = await parts.core.settle({
      accountId: visit.accountId,
      sessionId: session.id,
      ...changed,
      ...(currency !== '' && 'costMicros' in changed && { currency }),
      by: `user ${visit.user.email}`,
      ...(reason !== '' && { reason }),
    })
    return 'refused' in settled ? again({ form: settled.detail }, settled.status) : pathOf(session)
  })
}

function readSettlement(session: Session, form: URLSearchParams, words: PageTexts<'sessions'>) {
  const [energy, cost] = [readFigure(form.get('energyKwh')), readFigure(form.get('cost'))]
  const currency = form.get('currency')?.trim().toUpperCase() ?? ''
  const reason = (form.get('reason') ?? '').trim()
  const faults: Faults = {
    ...(energy === 'wrong' && { energyKwh: words.notANumber }),
    ...(cost === 'wrong' && { cost: words.notANumber }),
    ...(currency !== '' && !/^[A-Z]{3}$/.test(currency) && { currency: 'ISO 4217' }),
    ...(reason.length > 255 && { reason: '≤ 255' }),
  }
  if (energy === 'wrong' || cost === 'wrong' || Object.keys(faults).length > 0) return { faults }
  const changed = {
    ...(energy !== undefined && !isShownEnergy(session, energy) && { energyMilliWh: energy }),
    ...(cost !== undefined && !isShownCost(session, cost) && { costMicros: cost }),
  }
  return { changed, currency, reason }
}

function pathOf({ id }: Session): string {
  return `/charging-sessions/${encodeURIComponent(id)}`
}

const FIGURE = /^(\d{1,9})(?:[.,](\d{1,6}))?$/

/** In millionths, exactly; empty: left as it is. */
function readFigure(text: string | null): number | undefined | 'wrong' {
  const trimmed = (text ?? '').trim()
  if (trimmed === '') return undefined
  const [match, whole, fraction = ''] = FIGURE.exec(trimmed) ?? []
  return match === undefined ? 'wrong' : Number(`${whole}${fraction.padEnd(6, '0')}`)
}

/** The form shows rounded figures: what was not touched is not changed. */
function isShownEnergy({ energyMilliWh }: Session, milliWh: number): boolean {
  return Math.floor((energyMilliWh + 500) / 1000) === Math.floor((milliWh + 500) / 1000)
}

function isShownCost({ cost }: Session, micros: number): boolean {
  return cost !== undefined && roundCost(cost.micros, cost.currency) === roundCost(micros, cost.currency)
}
