import type { FC } from 'hono/jsx'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { Ago, shownTime } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ButtonLink, cutOff, figure, link, wordsIn } from '../kit/parts.tsx'
import { showing } from '../visit.tsx'
import { pathOf, type ShownWebhook, WebhookState } from './webhook-facts.tsx'
import { shownWebhook } from './webhook-page.tsx'

export const showWebhooks: ConsolePage = showing('administrator', async ({ site, context, frame, accountId }) => {
  const after = context.req.query('after')
  const own = await site.reads.listSubscriptions({ accountId })
  const found = await site.reads.listGrantSubscriptions({ accountId, afterId: after, limit: rowsAsked(frame) })
  const { rows, last } = pageOfRows(found, frame)
  const webhooks = await Promise.all(own.map((subscription) => shownWebhook(site, subscription)))
  const ofApplications = await Promise.all(rows.map((subscription) => shownWebhook(site, subscription)))
  const { texts, root } = frame
  const words = wordsIn('webhooks', frame)
  return (
    <Page frame={frame} title={texts.webhooks} wide live>
      <Title text={texts.webhooks}>
        <ButtonLink main to={`${root}/webhooks/new`} text={words.newWebhook} />
      </Title>
      <div data-live="own">
        <WebhookTable frame={frame} label={texts.webhooks} webhooks={webhooks} empty={words.noWebhooks} />
      </div>
      <div data-live="applications">
        {ofApplications.length > 0 && (
          <WebhookTable frame={frame} label={words.ofApplications} heading webhooks={ofApplications} />
        )}
        <Paging frame={frame} path={`${root}/webhooks`} later={after !== undefined} next={last?.id} />
      </div>
    </Page>
  )
})

const WebhookTable: FC<{
  frame: Frame
  label: string
  heading?: boolean
  webhooks: readonly ShownWebhook[]
  empty?: string
}> = ({ frame, label, heading, webhooks, empty }) => {
  const words = wordsIn('webhooks', frame)
  return (
    <TableCard<ShownWebhook>
      label={label}
      heading={heading && label}
      oneLine
      rows={webhooks}
      empty={empty}
      columns={[
        link(
          words.address,
          ({ subscription }) => ({ class: 'host', to: pathOf(frame, subscription), text: subscription.url }),
          { whole: ({ subscription }) => subscription.url },
        ),
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
        figure(words.successRate, ({ rate }) => rateText(frame, rate), { width: 160, wideOnly: true }),
        figure(
          words.lastSuccess,
          ({ subscription: { lastSuccessAt: at } }) =>
            at === undefined ? frame.texts.never : <Ago frame={frame} at={at} />,
          { width: 136, wideOnly: true },
        ),
        cutOff(words.lastError, ({ subscription }) => subscription.lastError, { wideOnly: true }),
      ]}
    />
  )
}

function rateText(frame: Frame, { percent, succeeded, finished }: ShownWebhook['rate']): string {
  return percent === undefined
    ? '–'
    : `${shownFigure(frame, percent)} % ${wordsIn('webhooks', frame).successOf(succeeded, finished)}`
}
