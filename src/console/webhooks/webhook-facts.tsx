import type { FC } from 'hono/jsx'
import { NO_WEBHOOK, subscriptionOf } from '../../application/webhooks/subscribing.ts'
import { SESSION_EVENT } from '../../domain/events/registry.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Delivery, DeliveryState, Subscription } from '../../domain/ports/storage-webhooks.ts'
import type { Frame } from '../../web/entries.tsx'
import type { PageContext } from '../../web/site.ts'
import { shownTime } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { Chip, Facts, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { type Done, ordering, type Visit } from '../visit.tsx'

/** The account's own: it may be given every order. Refuses with 404. */
export function ownWebhook({ site, context, accountId }: Visit): Promise<Subscription | Refusal> {
  return subscriptionOf(site, { accountId }, webhookIdOf(context))
}

/** Also one that a grant of the account owns: to be looked at and disabled. Refuses with 404. */
export async function webhookOfAccount({ site, context, accountId }: Visit): Promise<Subscription | Refusal> {
  const subscription = await site.reads.findSubscription(webhookIdOf(context))
  return subscription?.accountId === accountId ? subscription : NO_WEBHOOK
}

/** A form of one webhook. */
export function orderingOf(
  find: (visit: Visit) => Promise<Subscription | Refusal>,
  order: (visit: Visit, subscription: Subscription, form: URLSearchParams) => Promise<Done>,
): ConsolePage {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await find(visit)
    return 'refused' in subscription ? subscription : order(visit, subscription, form)
  })
}

export function actionOf(context: PageContext): string {
  return `webhook ${webhookIdOf(context)}`
}

function webhookIdOf({ req }: PageContext): string {
  return req.param('webhookId') ?? ''
}

/**
 * Of the deliveries that reached their end: what still waits says nothing yet, what was cancelled never tried. In whole
 * percent, 100 only when nothing failed; absent while nothing has finished.
 */
export function successRate(deliveries: readonly Pick<Delivery, 'state'>[]) {
  const count = (state: Delivery['state']): number => deliveries.filter((delivery) => delivery.state === state).length
  const succeeded = count('succeeded')
  const finished = succeeded + count('failed')
  return { succeeded, finished, ...(finished > 0 && { percent: Math.floor((100 * succeeded) / finished) }) }
}

export function eventName(
  { eventKinds }: PageTexts<'webhooks'>,
  { type, kind }: Pick<Delivery, 'type' | 'kind'>,
): string {
  if (type === SESSION_EVENT) return eventKinds[kind]
  return kind === 'test' ? `${type} (${eventKinds.test})` : type
}

export interface ShownWebhook {
  readonly subscription: Subscription
  readonly rate: ReturnType<typeof successRate>
  /** Present during a pause (HOOK-R8). */
  readonly pausedUntil?: number | undefined
  /** Absent: the account's own. A name it gave itself, and the user who connected it. */
  readonly application?: { readonly name: string; readonly user: string } | undefined
}

type WebhookFactsProps = { frame: Frame } & ShownWebhook

export const WebhookFacts: FC<WebhookFactsProps> = ({ frame, subscription, rate, pausedUntil, application }) => {
  const words = wordsIn('webhooks', frame)
  const { disabledReason, description, lastError, lastSuccessAt } = subscription
  const { signatureScheme, verify, ratePerMinute } = subscription
  return (
    <>
      {description !== undefined && <p>{description}</p>}
      <Facts
        facts={[
          [words.application, application && [application.name, ' ', soft(words.ofUser(application.user))]],
          [
            words.state,
            <>
              <WebhookState frame={frame} subscription={subscription} />
              {disabledReason !== undefined && ` ${words.disabledReasons[disabledReason]}`}
            </>,
          ],
          [
            words.pausedUntil,
            pausedUntil !== undefined && [shownTime(frame, pausedUntil), ' ', soft(words.whyPaused)],
            'warn',
          ],
          // What was agreed with the receiver beyond the ordinary (HOOK-W8, HOOK-S6).
          [words.signatureScheme, signatureScheme && 'Standard Webhooks'],
          [
            words.consent,
            verify && (ratePerMinute === undefined ? words.consentGiven : words.consentUpTo(ratePerMinute)),
          ],
          [
            words.successRate,
            rate.percent === undefined
              ? '–'
              : [`${rate.percent} % `, soft(words.successOf(rate.succeeded, rate.finished))],
          ],
          [words.lastSuccess, lastSuccessAt === undefined ? frame.texts.never : shownTime(frame, lastSuccessAt)],
          [words.lastError, lastError, 'warn'],
        ]}
      />
    </>
  )
}

/** Amber: the receiver needs attention, but nothing is lost yet. */
export const WebhookState: FC<{ frame: Frame; subscription: Subscription }> = ({ frame, subscription }) => {
  const { status, consecutiveFailures } = subscription
  const words = wordsIn('webhooks', frame)
  return (
    <>
      <Chip tone={status === 'active' ? 'good' : 'bad'} text={words.statuses[status]} />{' '}
      {status === 'active' && consecutiveFailures > 0 && <Chip tone="amber" text={words.failing} />}
    </>
  )
}

const soft = (text: string) => <span class="soft">{text}</span>

export function deliveryChip(frame: Frame, state: DeliveryState): readonly [tone: string, text: string] {
  return [
    state === 'succeeded' ? 'good' : state === 'failed' ? 'bad' : '',
    wordsIn('webhooks', frame).deliveryStates[state],
  ]
}

export function pathOf({ root }: Pick<Frame, 'root'>, { id }: Pick<Subscription, 'id'>): string {
  return `${root}/webhooks/${encodeURIComponent(id)}`
}
