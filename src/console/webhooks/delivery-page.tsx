import type { FC } from 'hono/jsx'
import { isAboutSession } from '../../domain/events/event-subject.ts'
import type { Attempt, Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { operatorTexts } from '../texts.ts'
import { DeliveryChip, eventName, pathOf } from './webhook-facts.tsx'

/** One delivery: what was sent, how often, and what came back. */
export const DeliveryPage: FC<{
  frame: Frame
  subscription: Subscription
  delivery: Delivery
  /** The event's body as sent. */
  body: string
  /** Of a pending one. */
  nextAttemptAt: number
  attempts: readonly Attempt[]
  csrf: string
}> = ({ frame, subscription, delivery, body, nextAttemptAt, attempts, csrf }) => {
  const words = operatorTexts(frame)
  const path = pathOf(frame, subscription)
  const { id, state, kind, type, subject, createdAt, finishedAt } = delivery
  return (
    <Page frame={frame} title={words.delivery} wide live>
      <p>
        <a class="host" href={path}>
          {subscription.url}
        </a>
      </p>
      <h1>{words.delivery}</h1>
      <section class="card">
        <dl data-live="facts">
          <dt>{words.state}</dt>
          <dd>
            <DeliveryChip frame={frame} state={state} />
          </dd>
          <dt>{words.event}</dt>
          <dd>{eventName(words, delivery)}</dd>
          <dt>{isAboutSession(type) ? words.session : words.chargePoint}</dt>
          <dd>
            {kind === 'test' || !isAboutSession(type) ? (
              subject
            ) : (
              <a href={`${frame.root}/charging-sessions/${encodeURIComponent(subject)}`}>{subject}</a>
            )}
          </dd>
          <dt>{words.created}</dt>
          <dd>{shownTime(createdAt)}</dd>
          {state === 'pending' && (
            <>
              <dt>{words.nextAttempt}</dt>
              <dd>{shownTime(nextAttemptAt)}</dd>
            </>
          )}
          {finishedAt !== undefined && (
            <>
              <dt>{words.finished}</dt>
              <dd>{shownTime(finishedAt)}</dd>
            </>
          )}
          <dt>Id</dt>
          <dd>{id}</dd>
        </dl>
        <details>
          <summary>{words.body}</summary>
          <pre>{body}</pre>
        </details>
        {subscription.status === 'active' && subscription.grantId === undefined && (
          <div class="actions">
            <Action to={`${path}/deliveries/${encodeURIComponent(id)}/redeliver`} csrf={csrf} style="main">
              {words.resend}
            </Action>
          </div>
        )}
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

/**
 * Answers are for their owner's eyes: others could use a webhook to look into networks that are not theirs (HOOK-X5).
 */
const AttemptCard: FC<{ frame: Frame; attempt: Attempt; answerShown: boolean }> = ({ frame, attempt, answerShown }) => {
  const words = operatorTexts(frame)
  const { number, at, durationMs, url, status, error, location, answer, requestHeaders } = attempt
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`)
  return (
    <section class="card">
      <h2>
        {number}. {new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC
      </h2>
      <dl>
        <dt>{words.answer}</dt>
        <dd>
          {status !== undefined && <b>{status}</b>}{' '}
          {error !== undefined && error !== 'status' && <span class="chip bad">{error}</span>}
          {answerShown && location !== undefined && ` → ${location}`}
        </dd>
        <dt>{words.duration}</dt>
        <dd>{durationMs} ms</dd>
      </dl>
      <p class="soft">{words.requestHeaders}</p>
      <pre>{[`POST ${url}`, ...headers].join('\n')}</pre>
      {answer !== undefined && answer !== '' && (
        <>
          <p class="soft">{answerShown ? words.answer : words.answerNotShown}</p>
          {answerShown && <pre>{answer}</pre>}
        </>
      )}
    </section>
  )
}
