import type { FC } from 'hono/jsx'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import type { Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Title } from '../../web/parts/title.tsx'
import { type Fields, Form } from '../kit/form.tsx'
import { webhookTexts } from '../kit/texts.ts'
import type { Visit } from '../visit.tsx'
import { pathOf } from './webhook-facts.tsx'
import { actionOf } from './webhook-visit.ts'

export const NEW = 'new webhook'

export const NewWebhookPage: FC<{ visit: Visit; typed: Typed; events: readonly string[] }> = ({
  visit,
  typed,
  events,
}) => {
  const { frame } = visit
  const words = webhookTexts(frame)
  return (
    <Page frame={frame} title={words.newWebhook}>
      <Title text={words.newWebhook} up={[[`${frame.root}/webhooks`, frame.texts.webhooks]]} />
      <Form
        visit={visit}
        action={NEW}
        to={`${frame.root}/webhooks/new`}
        typed={typed}
        once
        fields={[
          ...attributes(frame),
          { name: 'events', label: words.events, ticks: { of: events, ticked: ['session.updated'] } },
        ]}
        submit={words.create}
        back={`${frame.root}/webhooks`}
      />
    </Page>
  )
}

function attributes(frame: Frame, subscription?: Subscription): Fields {
  const words = webhookTexts(frame)
  return [
    { name: 'url', label: words.address, value: subscription?.url ?? 'https://', required: true },
    { name: 'description', label: words.description, value: subscription?.description },
    {
      name: 'updates',
      label: words.updates,
      value: subscription?.updates ?? 'all',
      options: { all: words.updatesAll, transitions: words.updatesTransitions },
    },
    {
      name: 'chargePoints',
      label: words.onlyChargePoints,
      value: subscription?.chargePointIds?.join('\n'),
      lines: true,
    },
  ]
}

export const ChangeWebhookPage: FC<{ visit: Visit; typed: Typed; subscription: Subscription }> = ({
  visit,
  typed,
  subscription,
}) => {
  const { frame, context, csrf } = visit
  const words = webhookTexts(frame)
  const path = pathOf(frame, subscription)
  const form = { visit, action: actionOf(context) }
  return (
    <Page frame={frame} title={words.edit}>
      <Title
        text={words.edit}
        up={[
          [`${frame.root}/webhooks`, frame.texts.webhooks],
          [path, subscription.url],
        ]}
      >
        <Action
          to={`${path}/delete`}
          csrf={csrf(form.action)}
          style="danger"
          ask={words.deleteWebhookAsk}
          order={words.deleteOf(subscription.url)}
        >
          {words.delete}
        </Action>
      </Title>
      <Form
        {...form}
        to={`${path}/edit`}
        typed={typed}
        fields={attributes(frame, subscription)}
        submit={words.save}
        back={path}
      />
      <Form
        {...form}
        to={`${path}/rotate`}
        title={frame.texts.secret}
        lead={words.rotateHint}
        once
        submit={words.rotate}
      />
    </Page>
  )
}

/** The only page that ever shows the secret. */
export const SecretPage: FC<{ frame: Frame; subscription: Subscription; secret: string }> = ({
  frame,
  subscription,
  secret,
}) => (
  <Page frame={frame} title={frame.texts.secret}>
    <Title text={frame.texts.secret} up={[[pathOf(frame, subscription), subscription.url]]} />
    <p class="card" role="status">
      {webhookTexts(frame).secretOnce} <code>{secret}</code>
    </p>
  </Page>
)
