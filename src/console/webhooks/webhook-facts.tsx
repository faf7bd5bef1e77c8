/** Whether an endpoint works, and what it said last. */
import type { FC } from 'hono/jsx'
import { SESSION_EVENT } from '../../domain/events/event-subject.ts'
import type { Delivery, DeliveryState, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { type Frame, shownTime } from '../../web/layout.tsx'
import { administrationTexts } from '../administration-texts.ts'
import { operatorTexts } from '../texts.ts'
import type { SuccessRate } from './success-rate.ts'

/** What a session's event tells; of every other event its type, and that a test is one. */
export function eventName(
  { eventKinds }: ReturnType<typeof operatorTexts>,
  { type, kind }: Pick<Delivery, 'type' | 'kind'>,
): string {
  if (type === SESSION_EVENT) return eventKinds[kind]
  return kind === 'test' ? `${type} (${eventKinds.test})` : type
}

export interface ShownWebhook {
  readonly subscription: Subscription
  readonly rate: SuccessRate
  /** Present during a pause (HOOK-R8). */
  readonly pausedUntil?: number
  /** Whose it is, if not the account's: a name it gave itself, and the user who connected it. */
  readonly application?: { readonly name: string; readonly user: string }
}

export const WebhookFacts: FC<{ frame: Frame } & ShownWebhook> = ({
  frame,
  subscription,
  rate,
  pausedUntil,
  application,
}) => {
  const words = operatorTexts(frame)
  const { status, disabledReason, description, consecutiveFailures, lastError, lastSuccessAt } = subscription
  return (
    <>
      {description !== undefined && <p>{description}</p>}
      <dl>
        {application !== undefined && (
          <>
            <dt>{words.application}</dt>
            <dd>
              {application.name} <span class="soft">{words.ofUser(application.user)}</span>
            </dd>
          </>
        )}
        <dt>{words.state}</dt>
        <dd>
          <span class={`chip ${status === 'active' ? 'good' : 'bad'}`}>{words.statuses[status]}</span>{' '}
          {status === 'active' && consecutiveFailures > 0 && (
            <span class="chip bad">{administrationTexts(frame).failing}</span>
          )}
          {disabledReason !== undefined && words.disabledReasons[disabledReason]}
        </dd>
        {pausedUntil !== undefined && (
          <>
            <dt>{words.pausedUntil}</dt>
            <dd class="warn">
              {shownTime(pausedUntil)} <span class="soft">{words.whyPaused}</span>
            </dd>
          </>
        )}
        <Agreed frame={frame} subscription={subscription} />
        <dt>{words.successRate}</dt>
        <dd>
          {rate.percent === undefined ? '–' : `${rate.percent} % `}
          {rate.percent !== undefined && <span class="soft">{words.successOf(rate.succeeded, rate.finished)}</span>}
        </dd>
        <dt>{words.lastSuccess}</dt>
        <dd>{lastSuccessAt === undefined ? frame.texts.never : shownTime(lastSuccessAt)}</dd>
        {lastError !== undefined && (
          <>
            <dt>{words.lastError}</dt>
            <dd class="warn">{lastError}</dd>
          </>
        )}
      </dl>
    </>
  )
}

/** What was agreed with the receiver beyond the ordinary (HOOK-W8, HOOK-S6). */
const Agreed: FC<{ frame: Frame; subscription: Subscription }> = ({ frame, subscription }) => {
  const words = operatorTexts(frame)
  const { signatureScheme, verify, ratePerMinute } = subscription
  return (
    <>
      {signatureScheme !== undefined && (
        <>
          <dt>{words.signatureScheme}</dt>
          <dd>Standard Webhooks</dd>
        </>
      )}
      {verify !== undefined && (
        <>
          <dt>{words.consent}</dt>
          <dd>{ratePerMinute === undefined ? words.consentGiven : words.consentUpTo(ratePerMinute)}</dd>
        </>
      )}
    </>
  )
}

export const DeliveryChip: FC<{ frame: Frame; state: DeliveryState }> = ({ frame, state }) => (
  <span class={`chip ${state === 'succeeded' ? 'good' : state === 'failed' ? 'bad' : ''}`}>
    {operatorTexts(frame).deliveryStates[state]}
  </span>
)

export function pathOf({ root }: Frame, { id }: Pick<Subscription, 'id'>): string {
  return `${root}/webhooks/${encodeURIComponent(id)}`
}
