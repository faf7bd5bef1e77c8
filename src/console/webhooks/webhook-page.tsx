import type { FC } from 'hono/jsx'
import { nextAttemptAt, pauseEnd } from '../../application/webhooks/subscribing.ts'
import { isAboutSession } from '../../domain/events/registry.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Attempt, ListedDelivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { DELIVERY_STATES } from '../../domain/states.ts'
import { Action, type Frame, Page, Sealed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { Instant, shownTime } from '../../web/times.tsx'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { Paging, Tabs } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, agoLink, ButtonLink, Chip, chip, cutOff, Facts, figure, wordsIn } from '../kit/parts.tsx'
import { sessionPath } from '../paths.ts'
import { showing, type Visit } from '../visit.tsx'
import {
  actionOf,
  deliveryChip,
  eventName,
  pathOf,
  type ShownWebhook,
  successRate,
  WebhookFacts,
  webhookOfAccount,
} from './webhook-facts.tsx'
import { mayEnable } from './webhook-orders.ts'

const RECENT = 100

export const showWebhook: ConsolePage = showing('administrator', async (visit) => {
  const { site, context, frame } = visit
  const subscription = await webhookOfAccount(visit)
  if ('refused' in subscription) return undefined
  const { state: requested, below, replayed } = context.req.query()
  const state = DELIVERY_STATES.find((one) => one === requested)
  const found = await site.reads.listDeliveries({
    subscriptionId: subscription.id,
    state,
    ...(isCount(below) && { belowPosition: Number(below) }),
    limit: rowsAsked(frame),
  })
  const { rows: deliveries, last } = pageOfRows(found, frame)
  const words = wordsIn('webhooks', frame)
  const path = pathOf(frame, subscription)
  return (
    <Page frame={frame} title={words.webhook} wide live>
      <Title
        text={<span class="host">{subscription.url}</span>}
        up={[[`${frame.root}/webhooks`, frame.texts.webhooks]]}
      >
        {subscription.grantId === undefined && <ButtonLink to={`${path}/edit`} text={words.edit} />}
      </Title>
      {isCount(replayed) && (
        <p class="card" role="status">
          {words.replayed(Number(replayed))}
        </p>
      )}
      <section class="card">
        <div data-live="facts">
          <WebhookFacts frame={frame} {...(await shownWebhook(site, subscription))} />
        </div>
        <div data-live="orders">
          <Orders visit={visit} subscription={subscription} />
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
            agoLink(frame, words.created, ({ id, createdAt }) => [
              `${path}/deliveries/${encodeURIComponent(id)}`,
              createdAt,
            ]),
            cutOff(words.event, (delivery) => eventName(words, delivery)),
            chip(words.state, ({ state: of }) => deliveryChip(frame, of), { width: 136 }),
            figure(words.attempts, ({ attempts }) => attempts, { width: 88, wideOnly: true }),
            cutOff(words.about, ({ subject }) => subject, { kind: 'host', wideOnly: true }),
            ago(frame, words.finished, ({ finishedAt }) => finishedAt, { width: 136 }),
          ]}
        />
        <Paging
          frame={frame}
          path={path}
          query={{ state }}
          next={last && { below: String(last.position) }}
          newestFirst
        />
      </div>
    </Page>
  )
})

function isCount(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,15}$/.test(text)
}

const Orders: FC<{ visit: Visit; subscription: Subscription }> = ({ visit, subscription }) => {
  const { frame, csrf, context } = visit
  const words = wordsIn('webhooks', frame)
  const { status, grantId } = subscription
  const path = pathOf(frame, subscription)
  const token = csrf(actionOf(context))
  return (
    <>
      {mayEnable(subscription) && (
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
              <Action to={`${path}/test`} csrf={token} text={words.sendTest} />
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
          <Action
            to={`${path}/disable`}
            csrf={token}
            style="danger"
            ask={words.disableWebhookAsk}
            text={words.disable}
          />
        </div>
      )}
      {grantId !== undefined && <p class="soft">{words.belongsToApplication}</p>}
    </>
  )
}

export async function shownWebhook({ reads, now }: ConsoleSite, subscription: Subscription): Promise<ShownWebhook> {
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

export const showDelivery: ConsolePage = showing('administrator', async (visit) => {
  const { site, context, frame, csrf } = visit
  const subscription = await webhookOfAccount(visit)
  if ('refused' in subscription) return undefined
  const found = await site.reads.findDelivery(subscription.id, context.req.param('deliveryId') ?? '')
  if (!found) return undefined
  const { delivery, event, attempts } = found
  const words = wordsIn('webhooks', frame)
  const path = pathOf(frame, subscription)
  const { id, state, kind, type, subject, createdAt, finishedAt } = delivery
  const isSession = isAboutSession(type)
  const [tone, text] = deliveryChip(frame, state)
  return (
    <Page frame={frame} title={words.delivery} wide live>
      <Title
        text={words.delivery}
        up={[
          [`${frame.root}/webhooks`, frame.texts.webhooks],
          [path, subscription.url],
        ]}
      >
        {subscription.status === 'active' && subscription.grantId === undefined && (
          <Action
            to={`${path}/deliveries/${encodeURIComponent(id)}/redeliver`}
            csrf={csrf(actionOf(context))}
            style="main"
            text={words.resend}
          />
        )}
      </Title>
      <section class="card">
        <Facts
          live="facts"
          facts={[
            [words.state, <Chip tone={tone} text={text} />],
            [words.event, eventName(words, delivery)],
            [
              isSession ? words.session : words.chargePoint,
              kind === 'test' || !isSession ? subject : <a href={sessionPath(frame, subject)}>{subject}</a>,
            ],
            [words.created, shownTime(frame, createdAt)],
            [
              words.nextAttempt,
              state === 'pending' && shownTime(frame, nextAttemptAt(delivery, subscription, site.now())),
            ],
            [words.finished, finishedAt !== undefined && shownTime(frame, finishedAt)],
            ['ID', id],
          ]}
        />
        <details>
          <summary>{words.body}</summary>
          <pre tabindex={0}>{event.body}</pre>
        </details>
      </section>
      <h2>{words.attempts}</h2>
      <div data-live="attempts">
        {attempts.length === 0 && <p class="card soft">{words.noAttempts}</p>}
        {attempts.map((attempt) => (
          <AttemptCard frame={frame} attempt={attempt} answerShown={subscription.grantId === undefined} />
        ))}
      </div>
    </Page>
  )
})

/** HOOK-X5: only the owner sees answers: a webhook could be used to look into networks of others. */
const AttemptCard: FC<{ frame: Frame; attempt: Attempt; answerShown: boolean }> = ({ frame, attempt, answerShown }) => {
  const words = wordsIn('webhooks', frame)
  const { number, at, durationMs, url, status, error, location, answer, requestHeaders } = attempt
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`)
  return (
    <section class="card">
      <h2>
        {number}. <Instant frame={frame} at={at} />
      </h2>
      <Facts
        facts={[
          [
            words.answer,
            <>
              {status !== undefined && <b>{status}</b>}{' '}
              {error !== undefined && error !== 'status' && <Chip tone="bad" text={error} />}
              {answerShown && location !== undefined && ` → ${location}`}
            </>,
          ],
          [words.duration, `${durationMs} ms`],
        ]}
      />
      <p class="soft">{words.requestHeaders}</p>
      <pre tabindex={0}>{[`POST ${url}`, ...headers].join('\n')}</pre>
      {answer !== undefined && answer !== '' && (
        <>
          <p class="soft">{answerShown ? words.answer : words.answerNotShown}</p>
          {answerShown && <pre tabindex={0}>{answer}</pre>}
        </>
      )}
    </section>
  )
}
