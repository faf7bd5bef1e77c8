import type { FC } from 'hono/jsx'
import { DELIVERY_STATES } from '../../http/webhooks/schemas.ts'
import type { Delivery, DeliveryState, ListedDelivery, Subscription } from '../../storage/webhook-store.ts'
import { Action } from '../developer-pages.tsx'
import { type Frame, Page, shownTime } from '../layout.tsx'
import type { SuccessRate } from './success-rate.ts'
import { operatorTexts } from './texts.ts'

export interface ShownWebhook {
  readonly subscription: Subscription
  readonly rate: SuccessRate
}

/** The account's endpoints: whether they work, and what they said last. */
export const WebhooksPage: FC<{ frame: Frame; webhooks: readonly ShownWebhook[] }> = ({ frame, webhooks }) => {
  const { texts } = frame
  const words = operatorTexts(frame)
  return (
    <Page frame={frame} title={texts.webhooks} wide>
      <h1>{texts.webhooks}</h1>
      {webhooks.length === 0 && <p class="card soft">{words.noWebhooks}</p>}
      {webhooks.map((webhook) => (
        <section class="card" aria-label={webhook.subscription.url}>
          <h2 class="host">
            <a href={pathOf(frame, webhook.subscription)}>{webhook.subscription.url}</a>
          </h2>
          <WebhookFacts frame={frame} {...webhook} />
        </section>
      ))}
    </Page>
  )
}

const WebhookFacts: FC<{ frame: Frame } & ShownWebhook> = ({ frame, subscription, rate }) => {
  const words = operatorTexts(frame)
  const { status, disabledReason, description, lastError, lastSuccessAt } = subscription
  return (
    <>
      {description !== undefined && <p>{description}</p>}
      <dl>
        <dt>{words.state}</dt>
        <dd>
          <span class={`chip ${status === 'active' ? 'good' : 'bad'}`}>{words.statuses[status]}</span>{' '}
          {disabledReason !== undefined && words.disabledReasons[disabledReason]}
        </dd>
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

/** One endpoint: its orders and its deliveries. */
export const WebhookPage: FC<{
  frame: Frame
  webhook: ShownWebhook
  csrf: string
  deliveries: readonly ListedDelivery[]
  state?: DeliveryState
  /** Position of the last delivery shown, when there are older ones. */
  below?: number
  replayed?: number
}> = ({ frame, webhook, csrf, deliveries, state, below, replayed }) => {
  const words = operatorTexts(frame)
  const path = pathOf(frame, webhook.subscription)
  const filter = state === undefined ? {} : { state }
  return (
    <Page frame={frame} title={words.webhook} wide>
      <h1 class="host">{webhook.subscription.url}</h1>
      {replayed !== undefined && (
        <p class="card" role="status">
          {words.replayed(replayed)}
        </p>
      )}
      <section class="card">
        <WebhookFacts frame={frame} {...webhook} />
        <Orders frame={frame} path={path} subscription={webhook.subscription} csrf={csrf} />
      </section>
      <h2>{words.deliveries}</h2>
      <nav class="filters" aria-label={words.state}>
        <a href={path} aria-current={state === undefined ? 'page' : undefined}>
          {words.allStates}
        </a>
        {DELIVERY_STATES.map((one) => (
          <a href={`${path}?state=${one}`} aria-current={state === one ? 'page' : undefined}>
            {words.deliveryStates[one]}
          </a>
        ))}
      </nav>
      {deliveries.length === 0 ? (
        <p class="card soft">{words.noDeliveries}</p>
      ) : (
        <Deliveries frame={frame} path={path} deliveries={deliveries} />
      )}
      {below !== undefined && (
        <a href={`${path}?${new URLSearchParams({ ...filter, below: String(below) })}`} rel="next">
          {words.older}
        </a>
      )}
    </Page>
  )
}

const Orders: FC<{ frame: Frame; path: string; subscription: Subscription; csrf: string }> = ({
  frame,
  path,
  subscription: { status },
  csrf,
}) => {
  const words = operatorTexts(frame)
  if (status === 'revoked') return null
  if (status === 'disabled') {
    return (
      <form class="actions" method="post" action={`${path}/enable`}>
        <input type="hidden" name="csrf" value={csrf} />
        <button class="main" type="submit" name="resume" value="held">
          {words.enableHeld}
        </button>
        <button type="submit" name="resume" value="skip">
          {words.enableSkip}
        </button>
      </form>
    )
  }
  return (
    <div class="actions row">
      <Action to={`${path}/test`} csrf={csrf}>
        {words.sendTest}
      </Action>
      <form class="actions row" method="post" action={`${path}/replay`}>
        <input type="hidden" name="csrf" value={csrf} />
        <label>
          <span class="soft">{words.replaySince}</span>
          <input type="datetime-local" name="since" required />
        </label>
        <button type="submit">{words.replay}</button>
      </form>
    </div>
  )
}

const Deliveries: FC<{ frame: Frame; path: string; deliveries: readonly Delivery[] }> = ({
  frame,
  path,
  deliveries,
}) => {
  const words = operatorTexts(frame)
  return (
    <div class="card scrolls">
      <table>
        <thead>
          <tr>
            <th>{words.created}</th>
            <th>{words.event}</th>
            <th>{words.session}</th>
            <th>{words.state}</th>
            <th class="number">{words.attempts}</th>
            <th>{words.finished}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map(({ id, kind, sessionId, state, attempts, createdAt, finishedAt }) => (
            <tr>
              <td class="time">
                <a href={`${path}/deliveries/${encodeURIComponent(id)}`}>{shownTime(createdAt)}</a>
              </td>
              <td>{words.eventKinds[kind]}</td>
              <td class="host">{sessionId}</td>
              <td>
                <DeliveryChip frame={frame} state={state} />
              </td>
              <td class="number">{attempts}</td>
              <td class="time">{finishedAt !== undefined && shownTime(finishedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
