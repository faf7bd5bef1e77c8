import type { FC } from 'hono/jsx'
import { DELIVERY_STATES } from '../../application/webhooks/delivery-states.ts'
import type { Delivery, DeliveryState, ListedDelivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { administrationTexts } from '../administration-texts.ts'
import { operatorTexts } from '../texts.ts'
import { DeliveryChip, eventName, pathOf, type ShownWebhook, WebhookFacts } from './webhook-facts.tsx'

/** One endpoint: its orders and its deliveries. */
export const WebhookPage: FC<{
  frame: Frame
  webhook: ShownWebhook
  mayEnable: boolean
  csrf: string
  deliveries: readonly ListedDelivery[]
  state?: DeliveryState
  /** Position of the last delivery shown, when there are older ones. */
  below?: number
  replayed?: number
}> = ({ frame, webhook, mayEnable, csrf, deliveries, state, below, replayed }) => {
  const words = operatorTexts(frame)
  const { subscription } = webhook
  const path = pathOf(frame, subscription)
  const filter = state === undefined ? {} : { state }
  return (
    <Page frame={frame} title={words.webhook} wide live>
      <h1 class="host">{subscription.url}</h1>
      {replayed !== undefined && (
        <p class="card" role="status">
          {words.replayed(replayed)}
        </p>
      )}
      <section class="card">
        <div data-live="facts">
          <WebhookFacts frame={frame} {...webhook} />
        </div>
        <div data-live="orders">
          <Orders frame={frame} path={path} subscription={subscription} mayEnable={mayEnable} csrf={csrf} />
        </div>
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
      <div data-live="deliveries">
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
      </div>
    </Page>
  )
}

interface OrderProps {
  readonly frame: Frame
  readonly path: string
  readonly csrf: string
}

const Orders: FC<OrderProps & { subscription: Subscription; mayEnable: boolean }> = ({
  subscription: { status, grantId },
  mayEnable,
  ...order
}) => {
  const words = operatorTexts(order.frame)
  return (
    <>
      {mayEnable && <Enable {...order} />}
      {status === 'active' && (
        <div class="actions row">
          {grantId === undefined && <OwnersOrders {...order} />}
          <Action
            to={`${order.path}/disable`}
            csrf={order.csrf}
            style="danger"
            ask={administrationTexts(order.frame).disableWebhookAsk}
          >
            {words.disable}
          </Action>
        </div>
      )}
      {grantId === undefined && (
        <p>
          <a href={`${order.path}/edit`}>{administrationTexts(order.frame).change}</a>
        </p>
      )}
      {grantId !== undefined && <p class="soft">{words.belongsToApplication}</p>}
    </>
  )
}

const Enable: FC<OrderProps> = ({ frame, path, csrf }) => {
  const words = operatorTexts(frame)
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

const OwnersOrders: FC<OrderProps> = ({ frame, path, csrf }) => {
  const words = operatorTexts(frame)
  return (
    <>
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
    </>
  )
}

const Deliveries: FC<{ frame: Frame; path: string; deliveries: readonly Delivery[] }> = ({
  frame,
  path,
  deliveries,
}) => {
  const words = operatorTexts(frame)
  return (
    <section class="card scrolls" tabindex={0} aria-label={words.deliveries}>
      <table>
        <Headings
          of={[words.created, words.event, words.state, { number: words.attempts }, words.session, words.finished]}
        />
        <tbody>
          {deliveries.map(({ id, type, kind, subject, state, attempts, createdAt, finishedAt }) => (
            <tr>
              <td class="time">
                <a href={`${path}/deliveries/${encodeURIComponent(id)}`}>{shownTime(createdAt)}</a>
              </td>
              <td>{eventName(words, { type, kind })}</td>
              <td>
                <DeliveryChip frame={frame} state={state} />
              </td>
              <td class="number">{attempts}</td>
              <td class="host">{subject}</td>
              <td class="time">{finishedAt !== undefined && shownTime(finishedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
