import type { FC } from 'hono/jsx'
import type { TargetTest } from '../../application/alerts/target-tests.ts'
import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import { ALERT_KINDS, type AlertRule } from '../../domain/alerts/records.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Choice, Entry, Lines, Sealed, Submit, Ticks, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { FormFault } from '../id-tokens/id-tokens-page.tsx'
import { alertTexts } from './texts.ts'

/** One rule, or a new one: for administrators (ALERT-A6). */
export const RulePage: FC<{
  frame: Frame
  typed: Typed
  /** Of the account, and in use. */
  webhooks: readonly Subscription[]
  csrf: string
  once: string
  rule?: AlertRule
  tests?: readonly TargetTest[]
}> = ({ frame, typed, webhooks, csrf, once, rule, tests }) => {
  const words = alertTexts(frame)
  const title = rule ? words.changeRule : words.newRule
  const path = rule ? `${frame.root}/alerts/rules/${rule.id}` : `${frame.root}/alerts/new`
  return (
    <Page frame={frame} title={title}>
      <h1>{title}</h1>
      {tests && <Tests frame={frame} tests={tests} />}
      <form class="card" method="post" action={path}>
        <FormFault typed={typed} />
        <Sealed csrf={csrf} once={once} />
        <Entry label={words.name} name="name" typed={typed} required />
        <Choice
          label={words.kind}
          name="kind"
          typed={typed}
          options={Object.fromEntries(
            ALERT_KINDS.map((kind) => {
              const { words: named, afterSeconds } = KINDS[kind]
              return [kind, `${named[frame.language].title} (${words.seconds(afterSeconds)})`]
            }),
          )}
        />
        <Entry label={words.after} name="after" typed={typed} hint={words.afterHint} inputmode="numeric" />
        <fieldset>
          <legend>{words.stations}</legend>
          <p class="soft">{words.stationsHint}</p>
          <Lines label={words.ids} name="ids" typed={typed} />
          <Lines label={words.labels} name="labels" typed={typed} />
          <Entry label={words.vendor} name="vendor" typed={typed} />
          <Entry label={words.model} name="model" typed={typed} />
          <Entry label={words.firmwareVersion} name="firmwareVersion" typed={typed} />
        </fieldset>
        <fieldset>
          <legend>{words.targets}</legend>
          <Lines label={words.mails} name="mails" typed={typed} />
          {(webhooks.length > 0 || typed.faults.webhooks !== undefined) && (
            <Ticks
              label={words.webhooks}
              name="webhooks"
              typed={typed}
              options={webhooks.map(({ id }) => id)}
              names={Object.fromEntries(webhooks.map(({ id, url }) => [id, url]))}
              ticked={[]}
            />
          )}
        </fieldset>
        <fieldset>
          <legend>{words.quiet}</legend>
          <p class="soft">{words.quietHint}</p>
          <Entry label={words.quietFrom} name="quietFrom" typed={typed} />
          <Entry label={words.quietTo} name="quietTo" typed={typed} />
          <Entry label={words.timeZone} name="timeZone" typed={typed} hint="UTC, Europe/Berlin …" />
        </fieldset>
        <Submit>{rule ? words.save : words.create}</Submit>
      </form>
      {rule && (
        <>
          <form class="card" method="post" action={`${path}/test`}>
            <h2>{words.test}</h2>
            <p class="soft">{words.testHint}</p>
            <Sealed csrf={csrf} once={once} />
            <button type="submit">{words.test}</button>
          </form>
          <details class="card">
            <summary>{words.delete}</summary>
            <form method="post" action={`${path}/delete`}>
              <p>{words.deleteAsk}</p>
              <Sealed csrf={csrf} />
              <button type="submit" class="danger">
                {words.reallyDelete}
              </button>
            </form>
          </details>
        </>
      )}
      <p>
        <a href={`${frame.root}/alerts`}>{words.title}</a>
      </p>
    </Page>
  )
}

const Tests: FC<{ frame: Frame; tests: readonly TargetTest[] }> = ({ frame, tests }) => {
  const words = alertTexts(frame)
  return (
    <section class={`card answer ${tests.every(({ ok }) => ok) ? 'good' : 'bad'}`} role="status">
      <h2>{words.tested}</h2>
      {tests.length === 0 && <p>{words.nobody}</p>}
      <ul class="rows">
        {tests.map(({ target, ok, detail, deliveryId }) => (
          <li>
            <span class={`chip ${ok ? 'good' : 'bad'}`}>{ok ? '✓' : '✗'}</span>
            {'mail' in target ? (
              <>
                <bdi class="host">{target.mail}</bdi>
                <bdi>{detail ?? words.arrived}</bdi>
              </>
            ) : (
              <>
                <a href={deliveryPath(frame, target.webhookId, deliveryId)}>{words.webhook}</a>
                <bdi>{detail ?? words.onItsWay}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function deliveryPath({ root }: Frame, webhookId: string, deliveryId: string | undefined): string {
  const webhook = `${root}/webhooks/${encodeURIComponent(webhookId)}`
  return deliveryId === undefined ? webhook : `${webhook}/deliveries/${encodeURIComponent(deliveryId)}`
}
