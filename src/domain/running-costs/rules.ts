/** When a charge point is sent the cost of a charge (DRIVER-C1 to DRIVER-C3). Pure. */

import type { ChangedCharges } from '../charging/rows.ts'
import type { MessageLimits } from '../device-model/records.ts'
import { lastSampleAt } from '../energy/meter.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { Authorisation } from '../ports/id-tokens.ts'
import type { FrozenTariff, Session } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import type { Draft, MeteredTransaction } from '../sessions/draft.ts'
import { roundCost } from '../sessions/figures/cost.ts'
import { isTerminal } from '../sessions/states/transition.ts'
import { amountIn, sentencesOf } from '../tariffs/sentences.ts'
import type { CostAnswered, CostInput } from './records.ts'

/** Between two costs of one charge: drivers read no faster, and a charge point has other work. */
export const COST_INTERVAL_MS = 60_000
/** An older cost was queued while the charge point was away: the driver has seen it, or is gone. */
const PAST_MS = 10 * 60_000

const costs = recordsOf('running_costs')

export function showsCost({ costAvailable, costEnabled }: MessageLimits = {}): boolean {
  return costAvailable !== 0 && (costEnabled ?? costAvailable) === 1
}

/** @returns whether anything changed */
export function followCosts(draft: BlockDraft, { sessions = [], transactions = [] }: ChangedCharges): boolean {
  const { chargePointId, records } = draft.state
  if (sessions.length === 0 || !showsCost(records.find('device_models', { chargePointId })?.limits)) return false
  let isChanged = false
  for (const session of sessions) {
    const transaction = transactions.find(({ sessionId }) => sessionId === session.id)
    if (followCost(draft, session, transaction as MeteredTransaction | undefined)) isChanged = true
  }
  return isChanged
}

function followCost(draft: BlockDraft, session: Session, transaction: MeteredTransaction | undefined): boolean {
  const { id: sessionId, transactionId, state, cost } = session
  if (transactionId === undefined) return false
  const { now } = draft
  const { chargePointId } = draft.state
  const known = costs.find(draft, { transactionId })
  const isFinal = isTerminal(state)
  if (isFinal && (!known || known.isUnsupported || !cost)) {
    if (known) costs.remove(draft, known)
    return known !== undefined
  }
  if (!cost || known?.isUnsupported || (transaction && isPast(transaction, now))) return false
  if ((known?.isFinal ?? false) === isFinal && (known?.dueAt !== undefined || isShown(session))) return false
  const dueAt = isFinal ? now : Math.max(now, Math.min(known?.toldAt ?? 0, now) + COST_INTERVAL_MS)
  const times = { toldAt: known?.toldAt, dueAt, updatedAt: now }
  costs.put(draft, { chargePointId, transactionId, sessionId, isUnsupported: false, isFinal, ...times })
  return true
}

export function onCostAnswered(draft: Draft, { told: reported, answer }: CostAnswered): void {
  const { transactionId, sessionId, micros, isFinal } = reported
  const { now } = draft
  const session = draft.session(sessionId)
  const shown = session && answer === 'accepted' ? { ...session, shownCost: { micros, at: now } } : session
  if (shown && shown !== session) draft.putSession(shown)
  const known = costs.find(draft, { transactionId })
  if (!known) return
  const isOver = !shown || isTerminal(shown.state)
  if (isOver && (isFinal || answer === 'unsupported')) {
    costs.remove(draft, known)
    return
  }
  // A charge that ended meanwhile is reported at once.
  if (known.isFinal && !isFinal) return
  const { dueAt: _, ...rest } = known
  if (answer === 'unsupported') costs.change(draft, { ...rest, isUnsupported: true })
  else if (answer === 'unsent') costs.change(draft, { ...rest, dueAt: now })
  else {
    const isMore = shown !== undefined && !isShown(shown)
    costs.change(draft, { ...rest, toldAt: now, ...(isMore && { dueAt: now + COST_INTERVAL_MS }) })
  }
}

export function onCostOver(draft: BlockDraft, { transactionId }: CostInput): void {
  if (costs.find(draft, { transactionId })) costs.remove(draft, { transactionId })
}

/** Parts of a cent are no news to a reader. */
function isShown({ cost, shownCost }: Session): boolean {
  if (!cost || !shownCost) return false
  return roundCost(cost.micros, cost.currency) === roundCost(shownCost.micros, cost.currency)
}

function isPast({ meter, startedAt, stoppedAt }: MeteredTransaction, now: number): boolean {
  const newest = stoppedAt?.occurredAt ?? lastSampleAt(meter) ?? startedAt.occurredAt
  return Math.max(newest, startedAt.occurredAt) < now - PAST_MS
}

/** The price of charging in one line, for the display when a card is shown (DRIVER-C4). */
/** Of a personal message. */
const MAX_TEXT = 512
const IDLE = { en: 'idle', de: 'Standzeit' }

/** What is accepted comes with the price, where the charge point says that it shows tariffs. */
export function withPrice(
  authorisation: Authorisation,
  { tariffAvailable, tariffEnabled = tariffAvailable }: MessageLimits = {},
  tariff: FrozenTariff | undefined,
  language = 'en',
): Authorisation {
  const isShown = tariffAvailable !== 0 && tariffEnabled === 1
  if (!isShown || !tariff || authorisation.status !== 'Accepted') return authorisation
  const spoken = /^de\b/i.test(language) ? 'de' : 'en'
  return { ...authorisation, price: { language: spoken, text: priceText(tariff, spoken) } }
}

/** Excluding VAT, like every amount; a free charge is called free. */
function priceText(tariff: FrozenTariff, language: keyof typeof IDLE): string {
  if (tariff.elements) return sentencesOf(tariff, language).join(' ').slice(0, MAX_TEXT)
  const { currency, perKwhMicros, perMinuteMicros, perSessionMicros, idlePerMinuteMicros } = tariff
  const of = (micros: number, unit = ''): string[] =>
    micros > 0 ? [`${amountIn(micros, 'en')} ${currency}${unit}`] : []
  const idle = of(idlePerMinuteMicros, '/min').map((one) => `${IDLE[language]} ${one}`)
  const prices = [...of(perKwhMicros, '/kWh'), ...of(perMinuteMicros, '/min'), ...of(perSessionMicros), ...idle]
  return prices.length > 0 ? prices.join(' + ') : `0.00 ${currency}`
}
