import type { FC } from 'hono/jsx'
import { DELIVERY_STATES, nextAttemptAt, pauseEnd } from '../../application/webhooks/of-owner.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Ago, shownTime } from '../../web/times.tsx'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { webhookTexts } from '../kit/texts.ts'
import { showing } from '../visit.tsx'
import { DeliveryPage } from './delivery-page.tsx'
import { successRate } from './success-rate.ts'
import { pathOf, type ShownWebhook, WebhookState } from './webhook-facts.tsx'
import { mayEnable } from './webhook-orders.ts'
import { WebhookPage } from './webhook-page.tsx'
import { deliveryIdOf, webhookOfAccount } from './webhook-visit.ts'

const RECENT = 100

export const showWebhooks: ConsolePage = showing('administrator', async ({ site, context, frame, accountId }) => {
  const { reads } = site
  const after = context.req.query('after')
  const own = await reads.listSubscriptions({ accountId })
  const found = await reads.listGrantSubscriptions({
    accountId,
    afterId: after,
    limit: rowsAsked(frame),
  })
  const { rows: ofApplications, last } = pageOfRows(found, frame)
  return (
    <WebhooksPage
      frame={frame}
      own={await Promise.all(own.map((subscription) => shown(site, subscription)))}
      ofApplications={await Promise.all(ofApplications.map((subscription) => shown(site, subscription)))}
      later={after !== undefined}
      next={last?.id}
    />
  )
})

export const showWebhook: ConsolePage = showing('administrator', async (visit) => {
  const { site, context } = visit
  const subscription = await webhookOfAccount(visit)
  if ('refused' in subscription) return undefined
  const { state: requested, below, replayed } = context.req.query()
  const state = DELIVERY_STATES.find((one) => one === requested)
  const found = await site.reads.listDeliveries({
    subscriptionId: subscription.id,
    state,
    ...(isCount(below) && { belowPosition: Number(below) }),
    limit: rowsAsked(visit.frame),
  })
  const { rows: deliveries, last } = pageOfRows(found, visit.frame)
  return (
    <WebhookPage
      visit={visit}
      webhook={await shown(site, subscription)}
      mayEnable={mayEnable(subscription)}
      deliveries={deliveries}
      state={state}
      below={last?.position}
      replayed={isCount(replayed) ? Number(replayed) : undefined}
    />
  )
})

export const showDelivery: ConsolePage = showing('administrator', async (visit) => {
  const { site, context } = visit
  const subscription = await webhookOfAccount(visit)
  if ('refused' in subscription) return undefined
  const found = await site.reads.findDelivery(subscription.id, deliveryIdOf(context))
  if (!found) return undefined
  const { delivery, event, attempts } = found
  return (
    <DeliveryPage
      visit={visit}
      subscription={subscription}
      delivery={delivery}
      body={event.body}
      nextAttemptAt={nextAttemptAt(delivery, subscription, site.now())}
      attempts={attempts}
    />
  )
})

async function shown({ reads, now }: ConsoleSite, subscription: Subscription): Promise<ShownWebhook> {
  const recent = await reads.listDeliveries({ subscriptionId: subscription.id, limit: RECENT })
  return {
    subscription,
    rate: successRate(recent),
    pausedUntil: pauseEnd(subscription, now()),
    application: await applicationOf(reads, subscription),
  }
}

async function applicationOf(reads: Reads, { grantId }: Subscription): Promise<ShownWebhook['application']> {
  const grant = grantId === undefined ? undefined : await reads.findGrant(grantId)
  if (!grant) return undefined
  const [client, user] = await Promise.all([reads.findClient(grant.clientId), reads.findUser(grant.userId)])
  return { name: client?.name ?? grant.clientId, user: user?.email ?? grant.userId }
}

function isCount(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,15}$/.test(text)
}

const WebhooksPage: FC<{
  frame: Frame
  own: readonly ShownWebhook[]
  ofApplications: readonly ShownWebhook[]
  later: boolean
  next: string | undefined
}> = ({ frame, own, ofApplications, later, next }) => {
  const { texts, root } = frame
  const words = webhookTexts(frame)
  return (
    <Page frame={frame} title={texts.webhooks} wide live>
      <Title text={texts.webhooks}>
        <a class="button main" href={`${root}/webhooks/new`}>
          {words.newWebhook}
        </a>
      </Title>
      <div data-live="own">
        <WebhookTable frame={frame} label={texts.webhooks} webhooks={own} empty={words.noWebhooks} />
      </div>
      <div data-live="applications">
        {ofApplications.length > 0 && (
          <WebhookTable frame={frame} label={words.ofApplications} heading webhooks={ofApplications} />
        )}
        <Paging frame={frame} path={`${root}/webhooks`} later={later} next={next ? { after: next } : undefined} />
      </div>
    </Page>
  )
}

const WebhookTable: FC<{
  frame: Frame
  label: string
  heading?: boolean
  webhooks: readonly ShownWebhook[]
  empty?: string
}> = ({ frame, label, heading, webhooks, empty }) => {
  const words = webhookTexts(frame)
  const urlOf = ({ subscription }: ShownWebhook): string => subscription.url
  return (
    <TableCard<ShownWebhook>
      label={label}
      heading={heading && label}
      oneLine
      rows={webhooks}
      empty={empty}
      columns={[
        {
          title: words.address,
          whole: urlOf,
          cell: (webhook) => <TextLink class="host" to={pathOf(frame, webhook.subscription)} text={urlOf(webhook)} />,
        },
        heading && {
          title: words.application,
          width: 240,
          wideOnly: true,
          cell: ({ application }) =>
            application && (
              <>
                <bdi>{application.name}</bdi> <span class="soft">{words.ofUser(application.user)}</span>
              </>
            ),
        },
        {
          title: words.state,
          width: 200,
          cell: ({ subscription, pausedUntil }) => (
            <>
              <WebhookState frame={frame} subscription={subscription} />
              {pausedUntil !== undefined && (
                <span class="amber">{` ${words.pausedUntil} ${shownTime(frame, pausedUntil)}`}</span>
              )}
            </>
          ),
        },
        {
          title: words.successRate,
          kind: 'number',
          width: 160,
          wideOnly: true,
          cell: ({ rate }) =>
            rate.percent === undefined
              ? '–'
              : `${shownFigure(frame, rate.percent)} % ${words.successOf(rate.succeeded, rate.finished)}`,
        },
        {
          title: words.lastSuccess,
          kind: 'number',
          width: 136,
          wideOnly: true,
          cell: ({ subscription: { lastSuccessAt: at } }) =>
            at === undefined ? frame.texts.never : <Ago frame={frame} at={at} />,
        },
        {
          title: words.lastError,
          wideOnly: true,
          text: ({ subscription }) => subscription.lastError,
          whole: ({ subscription }) => subscription.lastError,
        },
      ]}
    />
  )
}
