/** Making, changing and deleting a webhook of the account, and giving it another secret (HOOK-S1, ADMIN-I1). */
import type { FC } from 'hono/jsx'
import { CreateWebhookSchema } from '../../api/webhooks/schemas.ts'
import {
  changeSubscription,
  deleteSubscription,
  refuseUnreachable,
  rotateSecret,
  subscribe,
} from '../../application/webhooks/subscribing.ts'
import { namesOf } from '../../domain/event-declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { refuse, refuseFault } from '../../domain/refuse.ts'
import { type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { uriOf } from '../../webhooks/sending/address-guard.ts'
import type { ConsolePage } from '../console-parts.ts'
import { checkedForm, Deletion, type Fields, Form, filledIn, typedWith } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { again, ordering, showing, type Visit } from '../visit.tsx'
import { actionOf, orderingOf, ownWebhook, pathOf } from './webhook-facts.tsx'

const NEW = 'new webhook'
const FIELDS = ['url', 'description', 'updates', 'chargePoints'] as const
const OVERLAP_MS = 86_400_000

export const showNewWebhook: ConsolePage = showing('administrator', async (visit) => newPage(visit))

export const createWebhook: ConsolePage = ordering('administrator', NEW, async (visit, form) => {
  const { site, accountId, frame } = visit
  const read = await readForm(visit, form)
  const made = 'refused' in read ? read : await subscribe(subscribing(site), { accountId }, read)
  if ('refused' in made) return again(newPage(visit, typedWith(form, made)), made)
  return { page: <SecretPage frame={frame} {...made} />, status: 201 }
})

export const showWebhookForm: ConsolePage = showing('administrator', async (visit) => {
  const subscription = await ownWebhook(visit)
  return 'refused' in subscription ? undefined : changePage(visit, subscription)
})

export const changeWebhook: ConsolePage = orderingOf(ownWebhook, async (visit, before, form) => {
  const changed = await change(visit, before, form)
  if (!('refused' in changed)) return pathOf({ root: '' }, changed)
  return again(changePage(visit, before, typedWith(form, changed)), changed)
})

async function change(visit: Visit, before: Subscription, form: URLSearchParams): Promise<Subscription | Refusal> {
  const read = await readForm(visit, form)
  if ('refused' in read) return read
  const { url, description = null, updates = 'all', chargePointIds = null } = read
  if (before.verify !== undefined && uriOf(url) !== before.url) {
    const detail = 'The receiver is asked for its consent first: change this address over the API.'
    return refuse(409, 'consent_missing', detail)
  }
  const requested = { url, description, updates, chargePointIds }
  return changeSubscription({ writes: visit.site.writes, deliveries: visit.site.deliveries }, before, requested)
}

export const rotateWebhook: ConsolePage = orderingOf(ownWebhook, async ({ site, frame }, before) => {
  const made = await rotateSecret(subscribing(site), before, OVERLAP_MS)
  return 'refused' in made ? made : { page: <SecretPage frame={frame} {...made} />, status: 200 }
})

export const deleteWebhook: ConsolePage = orderingOf(
  ownWebhook,
  async ({ site }, before) => (await deleteSubscription(site, before)) ?? '/webhooks',
)

function subscribing({ writes, now, random, config }: Visit['site']) {
  return { writes, now, random, secretKey: config.secretKey }
}

async function readForm({ site, accountId }: Visit, form: URLSearchParams) {
  const { chargePoints = '', ...typed } = filledIn(form, FIELDS)
  const ids = [...new Set(chargePoints.split(/[\s,]+/).filter((id) => id !== ''))]
  const filter = ids.length > 0 ? { evseControllerIds: ids } : undefined
  const events = form.has('events') ? form.getAll('events') : undefined
  const body = checkedForm(CreateWebhookSchema, { ...typed, events, filter })
  if ('refused' in body) return body
  const reach = { resolve: site.resolve, allowPrivate: site.webhookAllowPrivate }
  const unreachable = await refuseUnreachable(reach, body.url)
  if (unreachable) return unreachable
  for (const id of ids) {
    if ((await site.reads.findChargePoint(id))?.accountId !== accountId) {
      return refuseFault('/chargePoints', 'not_found', `names ${id}, which is no charge point of the account`)
    }
  }
  return { ...body, chargePointIds: filter?.evseControllerIds }
}

function newPage(visit: Visit, typed: Typed = NOTHING_TYPED) {
  const { frame } = visit
  const words = wordsIn('webhooks', frame)
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
          { name: 'events', label: words.events, ticks: { of: namesOf(EVENTS), ticked: ['session.updated'] } },
        ]}
        submit={words.create}
        back={`${frame.root}/webhooks`}
      />
    </Page>
  )
}

function attributes(frame: Frame, subscription?: Subscription): Fields {
  const words = wordsIn('webhooks', frame)
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

function changePage(visit: Visit, subscription: Subscription, typed: Typed = NOTHING_TYPED) {
  const { frame, context } = visit
  const words = wordsIn('webhooks', frame)
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
        <Deletion visit={visit} action={form.action} of={path} ask={words.deleteWebhookAsk} what={subscription.url} />
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

type SecretPageProps = { frame: Frame; subscription: Subscription; secret: string }

/** The only page that ever shows the secret. */
const SecretPage: FC<SecretPageProps> = ({ frame, subscription, secret }) => (
  <Page frame={frame} title={frame.texts.secret}>
    <Title text={frame.texts.secret} up={[[pathOf(frame, subscription), subscription.url]]} />
    <p class="card" role="status">
      {wordsIn('webhooks', frame).secretOnce} <code>{secret}</code>
    </p>
  </Page>
)
