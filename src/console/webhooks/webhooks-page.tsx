import type { FC } from 'hono/jsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Paging } from '../kit/list.tsx'
import { webhookTexts } from './texts.ts'
import { pathOf, type ShownWebhook, WebhookFacts } from './webhook-facts.tsx'

/** The endpoints that get events of the account: its own, then those of connected applications, a page at a time. */
export const WebhooksPage: FC<{
  frame: Frame
  own: readonly ShownWebhook[]
  ofApplications: readonly ShownWebhook[]
  /** Not the first page. */
  later: boolean
  /** Id of the last application's webhook shown, when there are more. */
  next: string | undefined
}> = ({ frame, own, ofApplications, later, next }) => {
  const { texts, root } = frame
  const words = webhookTexts(frame)
  return (
    <Page frame={frame} title={texts.webhooks} wide live>
      <h1>{texts.webhooks}</h1>
      <p>
        <a href={`${root}/webhooks/new`}>{words.newWebhook}</a>
      </p>
      <div data-live="own">
        {own.length === 0 && <p class="card soft">{words.noWebhooks}</p>}
        {own.map((webhook) => (
          <WebhookCard frame={frame} webhook={webhook} />
        ))}
      </div>
      <div data-live="applications">
        {ofApplications.length > 0 && <h2>{words.ofApplications}</h2>}
        {ofApplications.map((webhook) => (
          <WebhookCard frame={frame} webhook={webhook} />
        ))}
        <Paging frame={frame} path={`${root}/webhooks`} later={later} next={next ? { after: next } : undefined} />
      </div>
    </Page>
  )
}

const WebhookCard: FC<{ frame: Frame; webhook: ShownWebhook }> = ({ frame, webhook }) => (
  <section class="card" aria-label={webhook.subscription.url}>
    <h2 class="host">
      <a href={pathOf(frame, webhook.subscription)}>{webhook.subscription.url}</a>
    </h2>
    <WebhookFacts frame={frame} {...webhook} />
  </section>
)
