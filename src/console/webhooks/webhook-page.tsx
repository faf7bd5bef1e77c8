import type { FC } from 'hono/jsx'
import { DELIVERY_STATES } from '../../application/webhooks/of-owner.ts'
import type { DeliveryState, ListedDelivery } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import { Sealed } from '../../web/entries.tsx'
import { Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Ago } from '../../web/times.tsx'
import { Paging, Tabs } from '../kit/list.tsx'
import { webhookTexts } from '../kit/texts.ts'
import type { Visit } from '../visit.tsx'
import { DeliveryChip, eventName, pathOf, type ShownWebhook, WebhookFacts } from './webhook-facts.tsx'
import { actionOf } from './webhook-visit.ts'

interface Props {
  readonly visit: Visit
  readonly webhook: ShownWebhook
  readonly mayEnable: boolean
  readonly deliveries: readonly ListedDelivery[]
  readonly state: DeliveryState | undefined
  readonly below: number | undefined
  readonly replayed: number | undefined
}

export const WebhookPage: FC<Props> = (props) => {
  const { visit, webhook, deliveries, state, below, replayed } = props
  const { frame } = visit
  const words = webhookTexts(frame)
  const path = pathOf(frame, webhook.subscription)
  return (
    <Page frame={frame} title={words.webhook} wide live>
      <Title
        text={<span class="host">{webhook.subscription.url}</span>}
        up={[[`${frame.root}/webhooks`, frame.texts.webhooks]]}
      >
        {webhook.subscription.grantId === undefined && (
          <a class="button" href={`${path}/edit`}>
            {words.edit}
          </a>
        )}
      </Title>
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
          <Orders {...props} />
        </div>
      </section>
      <h2>{words.deliveries}</h2>
      <Tabs
        frame={frame}
        label={words.state}
        path={path}
        name="state"
        chosen={state}
        options={[[undefined, words.all], ...DELIVERY_STATES.map((one) => [one, words.deliveryStates[one]] as const)]}
      />
      <div data-live="deliveries">
        <TableCard<ListedDelivery>
          label={words.deliveries}
          oneLine
          rows={deliveries}
          empty={words.noDeliveries}
          columns={[
            {
              title: words.created,
              kind: 'time',
              width: 136,
              cell: ({ id, createdAt }) => (
                <a href={`${path}/deliveries/${encodeURIComponent(id)}`}>
                  <Ago frame={frame} at={createdAt} />
                </a>
              ),
            },
            {
              title: words.event,
              whole: (delivery) => eventName(words, delivery),
              cell: (delivery) => eventName(words, delivery),
            },
            {
              title: words.state,
              width: 136,
              cell: (delivery) => <DeliveryChip frame={frame} state={delivery.state} />,
            },
            { title: words.attempts, kind: 'number', width: 88, wideOnly: true, cell: ({ attempts }) => attempts },
            {
              title: words.about,
              kind: 'host',
              wideOnly: true,
              whole: ({ subject }) => subject,
              cell: ({ subject }) => subject,
            },
            {
              title: words.finished,
              kind: 'time',
              width: 136,
              wideOnly: true,
              cell: ({ finishedAt }) => finishedAt !== undefined && <Ago frame={frame} at={finishedAt} />,
            },
          ]}
        />
        <Paging
          frame={frame}
          path={path}
          query={{ state }}
          next={below === undefined ? undefined : { below: String(below) }}
          newestFirst
        />
      </div>
    </Page>
  )
}

const Orders: FC<Props> = ({ visit, webhook, mayEnable }) => {
  const { frame, csrf, context } = visit
  const words = webhookTexts(frame)
  const { status, grantId } = webhook.subscription
  const path = pathOf(frame, webhook.subscription)
  const token = csrf(actionOf(context))
  return (
    <>
      {mayEnable && (
        <form class="actions" method="post" action={`${path}/enable`}>
          <Sealed csrf={token} />
          <button class="main" type="submit" name="resume" value="held">
            {words.enableHeld}
          </button>
          <button type="submit" name="resume" value="skip">
            {words.enableSkip}
          </button>
        </form>
      )}
      {status === 'active' && (
        <div class="actions row">
          {grantId === undefined && (
            <>
              <Action to={`${path}/test`} csrf={token}>
                {words.sendTest}
              </Action>
              <form class="actions row" method="post" action={`${path}/replay`}>
                <Sealed csrf={token} />
                <label>
                  <span class="soft">{words.replaySince}</span>
                  <input type="datetime-local" name="since" required />
                </label>
                <button type="submit">{words.replay}</button>
              </form>
            </>
          )}
          <Action to={`${path}/disable`} csrf={token} style="danger" ask={words.disableWebhookAsk}>
            {words.disable}
          </Action>
        </div>
      )}
      {grantId !== undefined && <p class="soft">{words.belongsToApplication}</p>}
    </>
  )
}
