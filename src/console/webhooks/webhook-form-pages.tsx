import type { FC } from 'hono/jsx'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import { Choice, Entry, Lines, Sealed, Submit, Ticks, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { administrationTexts } from '../administration-texts.ts'
import { FormFault } from '../id-tokens/id-tokens-page.tsx'
import { operatorTexts } from '../texts.ts'
import { pathOf } from './webhook-facts.tsx'

interface FormProps {
  readonly frame: Frame
  readonly csrf: string
  readonly once: string
  readonly typed: Typed
}

export const NewWebhookPage: FC<FormProps & { events: readonly string[] }> = ({ frame, csrf, once, typed, events }) => {
  const words = administrationTexts(frame)
  return (
    <Page frame={frame} title={words.newWebhook}>
      <h1>{words.newWebhook}</h1>
      <form class="card" method="post" action={`${frame.root}/webhooks/new`}>
        <FormFault typed={typed} />
        <Sealed csrf={csrf} once={once} />
        <Attributes frame={frame} typed={typed} />
        <Ticks label={words.events} name="events" typed={typed} options={events} ticked={['session.updated']} />
        <Submit>{words.create}</Submit>
      </form>
    </Page>
  )
}

const Attributes: FC<{ frame: Frame; typed: Typed; subscription?: Subscription | undefined }> = ({
  frame,
  typed,
  subscription,
}) => {
  const words = administrationTexts(frame)
  return (
    <>
      <Entry
        label={operatorTexts(frame).address}
        name="url"
        typed={typed}
        value={subscription?.url ?? 'https://'}
        required
      />
      <Entry label={words.description} name="description" typed={typed} value={subscription?.description ?? ''} />
      <Choice
        label={words.updates}
        name="updates"
        typed={typed}
        value={subscription?.updates ?? 'all'}
        options={{ all: words.updatesAll, transitions: words.updatesTransitions }}
      />
      <Lines
        label={words.onlyChargePoints}
        name="chargePoints"
        typed={typed}
        value={subscription?.chargePointIds?.join('\n') ?? ''}
      />
    </>
  )
}

export const ChangeWebhookPage: FC<FormProps & { subscription: Subscription }> = ({
  frame,
  csrf,
  once,
  typed,
  subscription,
}) => {
  const words = administrationTexts(frame)
  const path = pathOf(frame, subscription)
  return (
    <Page frame={frame} title={words.change}>
      <h1 class="host">
        <a href={path}>{subscription.url}</a>
      </h1>
      <form class="card" method="post" action={`${path}/edit`}>
        <FormFault typed={typed} />
        <Sealed csrf={csrf} />
        <Attributes frame={frame} typed={typed} subscription={subscription} />
        <Submit>{frame.texts.save}</Submit>
      </form>
      <form class="card" method="post" action={`${path}/rotate`}>
        <p class="soft">{words.rotateHint}</p>
        <Sealed csrf={csrf} once={once} />
        <button type="submit">{words.rotate}</button>
      </form>
      <div class="card actions">
        <Action to={`${path}/delete`} csrf={csrf} style="danger" ask={words.deleteWebhookAsk}>
          {words.delete}
        </Action>
      </div>
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
    <h1 class="host">
      <a href={pathOf(frame, subscription)}>{subscription.url}</a>
    </h1>
    <p class="card" role="status">
      {administrationTexts(frame).secretOnce} <code>{secret}</code>
    </p>
  </Page>
)
