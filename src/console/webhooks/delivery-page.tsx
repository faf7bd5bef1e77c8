import type { FC } from 'hono/jsx'
import { isAboutSession } from '../../domain/events/registry.ts'
import type { Attempt, Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Instant, shownTime } from '../../web/times.tsx'
import { Facts } from '../kit/facts.tsx'
import { webhookTexts } from '../kit/texts.ts'
import { sessionPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { DeliveryChip, eventName, pathOf } from './webhook-facts.tsx'
import { actionOf } from './webhook-visit.ts'

export const DeliveryPage: FC<{
  visit: Visit
  subscription: Subscription
  delivery: Delivery
  body: string
  nextAttemptAt: number
  attempts: readonly Attempt[]
}> = ({ visit, subscription, delivery, body, nextAttemptAt, attempts }) => {
  const { frame, csrf, context } = visit
  const words = webhookTexts(frame)
  const path = pathOf(frame, subscription)
  const { id, state, kind, type, subject, createdAt, finishedAt } = delivery
  const isSession = isAboutSession(type)
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
          >
            {words.resend}
          </Action>
        )}
      </Title>
      <section class="card">
        <Facts
          live="facts"
          facts={[
            [words.state, <DeliveryChip frame={frame} state={state} />],
            [words.event, eventName(words, delivery)],
            [
              isSession ? words.session : words.chargePoint,
              kind === 'test' || !isSession ? subject : <a href={sessionPath(frame, subject)}>{subject}</a>,
            ],
            [words.created, shownTime(frame, createdAt)],
            [words.nextAttempt, state === 'pending' && shownTime(frame, nextAttemptAt)],
            [words.finished, finishedAt !== undefined && shownTime(frame, finishedAt)],
            ['ID', id],
          ]}
        />
        <details>
          <summary>{words.body}</summary>
          <pre tabindex={0}>{body}</pre>
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
}

/** HOOK-X5: only the owner sees answers: a webhook could be used to look into networks of others. */
const AttemptCard: FC<{ frame: Frame; attempt: Attempt; answerShown: boolean }> = ({ frame, attempt, answerShown }) => {
  const words = webhookTexts(frame)
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
              {error !== undefined && error !== 'status' && <span class="chip bad">{error}</span>}
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
