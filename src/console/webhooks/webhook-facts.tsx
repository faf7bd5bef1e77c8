import type { FC } from 'hono/jsx'
import { SESSION_EVENT } from '../../domain/events/registry.ts'
import type { Delivery, DeliveryState, Subscription } from '../../domain/ports/storage-webhooks.ts'
import type { Frame } from '../../web/layout.tsx'
import { shownTime } from '../../web/times.tsx'
import { Facts } from '../kit/facts.tsx'
import { webhookTexts } from '../kit/texts.ts'
import type { SuccessRate } from './success-rate.ts'

export function eventName(
  { eventKinds }: ReturnType<typeof webhookTexts>,
  { type, kind }: Pick<Delivery, 'type' | 'kind'>,
): string {
  if (type === SESSION_EVENT) return eventKinds[kind]
  return kind === 'test' ? `${type} (${eventKinds.test})` : type
}

export interface ShownWebhook {
  readonly subscription: Subscription
  readonly rate: SuccessRate
  /** Present during a pause (HOOK-R8). */
  readonly pausedUntil?: number | undefined
  /** Absent: the account's own. A name it gave itself, and the user who connected it. */
  readonly application?: { readonly name: string; readonly user: string } | undefined
}

export const WebhookFacts: FC<{ frame: Frame } & ShownWebhook> = ({ frame, subscription, ...shown }) => {
  const words = webhookTexts(frame)
  const { rate, pausedUntil, application } = shown
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

/** Amber while somebody is needed: nothing is lost yet. */
export const WebhookState: FC<{ frame: Frame; subscription: Subscription }> = ({ frame, subscription }) => {
  const { status, consecutiveFailures } = subscription
  const words = webhookTexts(frame)
  return (
    <>
      <span class={`chip ${status === 'active' ? 'good' : 'bad'}`}>{words.statuses[status]}</span>{' '}
      {status === 'active' && consecutiveFailures > 0 && <span class="chip amber">{words.failing}</span>}
    </>
  )
}

const soft = (text: string) => <span class="soft">{text}</span>

export const DeliveryChip: FC<{ frame: Frame; state: DeliveryState }> = ({ frame, state }) => (
  <span class={`chip ${state === 'succeeded' ? 'good' : state === 'failed' ? 'bad' : ''}`}>
    {webhookTexts(frame).deliveryStates[state]}
  </span>
)

export function pathOf({ root }: Frame, { id }: Pick<Subscription, 'id'>): string {
  return `${root}/webhooks/${encodeURIComponent(id)}`
}
