/** What an operator orders for one session: the orders of the API. Sent twice they act once (CONSOLE-C9). */

import type { Session } from '../../domain/ports/sessions.ts'
import { noSuch } from '../../domain/refuse.ts'
import { roundCost } from '../../domain/sessions/figures/cost.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import type { Faults } from '../../web/entries.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { sessionTexts } from '../kit/texts.ts'
import { acting, type Done, type Shown, type Visit } from '../visit.tsx'
import { ACTIONS } from './orders-card.tsx'
import { ownSession, sessionPageOf } from './session.tsx'

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
    const words = sessionTexts(visit.frame)
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

function readSettlement(session: Session, form: URLSearchParams, words: ReturnType<typeof sessionTexts>) {
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
