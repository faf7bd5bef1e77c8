/** What an operator orders for one session: the orders of the API. Sent twice they act once (CONSOLE-C9). */
import { refuse, refuseFault } from '../../orders/refusal.ts'
import type { Refusal } from '../../ports/refusal.ts'
import type { Session } from '../../ports/sessions.ts'
import { roundCost } from '../../sessions/figures/cost.ts'
import { isTerminal } from '../../sessions/states/transition.ts'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage, OperatorParts } from '../parts.ts'
import { acting, type Visit } from '../visit.tsx'
import { sessionTexts } from './session-texts.ts'

export const ACTIONS = {
  stop: (sessionId: string) => `stop session ${sessionId}`,
  settle: (sessionId: string) => `settle session ${sessionId}`,
}

const idOf = ({ req }: PageContext): string => req.param('sessionId') ?? ''

export function stopSession({ core }: Pick<OperatorParts, 'core'>): ConsolePage {
  return acting(
    (context) => ACTIONS.stop(idOf(context)),
    async (visit) => {
      const session = await ownSession(visit)
      if (!session) return missing()
      // Whoever pressed second, or found it ended meanwhile, wanted just that.
      if (isTerminal(session.state)) return pathOf(session)
      const stopped = await core.stopSession(visit.accountId, session.id)
      return 'refused' in stopped && stopped.code !== 'session_ended' ? stopped : pathOf(session)
    },
  )
}

export function settleSession({ core }: Pick<OperatorParts, 'core'>): ConsolePage {
  return acting(
    (context) => ACTIONS.settle(idOf(context)),
    async (visit, form) => {
      const session = await ownSession(visit)
      if (!session) return missing()
      const words = sessionTexts(visit.frame)
      const [energy, cost] = [readFigure(form.get('energyKwh')), readFigure(form.get('cost'))]
      if (energy === 'wrong') return refuseFault(words.energyKwh, 'invalid_value', words.notANumber)
      if (cost === 'wrong') return refuseFault(words.costNet, 'invalid_value', words.notANumber)
      const currency = form.get('currency')?.trim().toUpperCase() ?? ''
      if (currency !== '' && !/^[A-Z]{3}$/.test(currency))
        return refuseFault(words.currency, 'invalid_value', 'ISO 4217')
      const reason = (form.get('reason') ?? '').trim()
      if (reason.length > 255) return refuseFault(words.why, 'out_of_range', '≤ 255')
      const changed = {
        ...(energy !== undefined && !isShownEnergy(session, energy) && { energyMilliWh: energy }),
        ...(cost !== undefined && !isShownCost(session, cost) && { costMicros: cost }),
      }
      const isChange = Object.keys(changed).length > 0
      // Sent twice: the first one did it.
      if (!isChange && session.settlementCount !== undefined) return pathOf(session)
      if (String(session.version) !== form.get('version')) return refuse(409, 'conflict', words.changedMeanwhile)
      const settled = await core.settle({
        accountId: visit.accountId,
        sessionId: session.id,
        ...changed,
        ...(currency !== '' && 'costMicros' in changed && { currency }),
        by: `user ${visit.user.email}`,
        ...(reason !== '' && { reason }),
      })
      return 'refused' in settled ? settled : pathOf(session)
    },
  )
}

async function ownSession({ provider, context, accountId }: Visit): Promise<Session | undefined> {
  const session = await provider.reads.findSession(idOf(context))
  return session?.accountId === accountId ? session : undefined
}

function missing(): Refusal {
  return refuse(404, 'not_found', 'There is no such session.')
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
