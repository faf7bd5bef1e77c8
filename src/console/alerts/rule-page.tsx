import type { FC } from 'hono/jsx'
import { kindTitle } from '../../application/alerts/alert-words.ts'
import type { TargetTest } from '../../application/alerts/target-tests.ts'
import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import { ALERT_KINDS, type AlertRule } from '../../domain/alerts/records.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { Action, type Frame, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { type Fields, Form, namesAsOptions } from '../kit/form.tsx'
import { alertTexts, Chip } from '../kit/parts.tsx'
import type { Visit } from '../visit.tsx'
import { ACTION } from './alerts-page.tsx'
import { lasting } from './rule-form.ts'

/** One rule, or a new one: for administrators (ALERT-A6). */
export const RulePage: FC<{
  visit: Visit
  typed: Typed
  webhooks: readonly Subscription[]
  sites: readonly string[]
  rule: AlertRule | undefined
  tests: readonly TargetTest[] | undefined
}> = ({ visit, typed, webhooks, sites, rule, tests }) => {
  const { frame, csrf } = visit
  const words = alertTexts(frame)
  const title = rule ? words.changeRule : words.newRule
  const path = rule ? `${frame.root}/alerts/rules/${rule.id}` : `${frame.root}/alerts/new`
  return (
    <Page frame={frame} title={title}>
      <Title text={title} up={[[`${frame.root}/alerts`, words.title]]}>
        {rule && (
          <Action
            to={`${path}/delete`}
            csrf={csrf(ACTION)}
            style="danger"
            ask={words.deleteAsk}
            order={words.deleteOf(rule.name)}
            text={words.delete}
          />
        )}
      </Title>
      {tests && <Tests frame={frame} tests={tests} />}
      <Form
        visit={visit}
        action={ACTION}
        to={path}
        typed={typed}
        once
        fields={fieldsOf(frame, webhooks, choiceOf(sites, typed))}
        submit={rule ? words.save : words.create}
        back={`${frame.root}/alerts`}
      />
      {rule && (
        <Form
          visit={visit}
          action={ACTION}
          to={`${path}/test`}
          title={words.test}
          lead={words.testHint}
          once
          submit={words.test}
        />
      )}
    </Page>
  )
}

function choiceOf(sites: readonly string[], { form }: Typed): readonly string[] {
  return [...new Set([...sites, form.get('site') ?? ''])].filter((site) => site !== '')
}

function fieldsOf(frame: Frame, webhooks: readonly Subscription[], sites: readonly string[]): Fields {
  const words = alertTexts(frame)
  const kinds = ALERT_KINDS.map((kind) => {
    return [kind, `${kindTitle(kind, frame)} (${lasting(frame, KINDS[kind].afterSeconds)})`]
  })
  return [
    { name: 'name', label: words.name, required: true },
    { name: 'kind', label: words.kind, options: Object.fromEntries(kinds) },
    { name: 'after', label: words.afterMinutes, hint: words.afterHint, inputmode: 'decimal' },
    {
      legend: words.stations,
      hint: words.stationsHint,
      fields: [
        sites.length > 0 && {
          name: 'site',
          label: words.site,
          options: [['', words.allSites], ...namesAsOptions(frame, sites)],
        },
        {
          beside: true,
          fields: [
            { name: 'ids', label: words.ids, lines: true },
            { name: 'labels', label: words.labels, lines: true },
            { name: 'vendor', label: words.vendor },
            { name: 'model', label: words.model },
            { name: 'firmwareVersion', label: words.firmwareVersion },
          ],
        },
      ],
    },
    { legend: words.targets, fields: targetFields(words, webhooks, 'mails', 'webhooks') },
    {
      legend: words.escalation,
      hint: words.escalationHint,
      fields: [
        { name: 'escalateAfter', label: words.escalateAfter, inputmode: 'decimal' },
        ...targetFields(words, webhooks, 'escalateMails', 'escalateWebhooks'),
      ],
    },
    {
      legend: words.quiet,
      hint: words.quietHint,
      beside: true,
      fields: [
        { name: 'quietFrom', label: words.quietFrom },
        { name: 'quietTo', label: words.quietTo },
        { name: 'timeZone', label: words.timeZone, hint: 'UTC, Europe/Berlin …' },
      ],
    },
  ]
}

function targetFields(
  words: ReturnType<typeof alertTexts>,
  webhooks: readonly Subscription[],
  mailsName: string,
  webhooksName: string,
): Fields {
  const names = Object.fromEntries(webhooks.map(({ id, url }) => [id, url]))
  return [
    { name: mailsName, label: words.mails, lines: true },
    webhooks.length > 0 && {
      name: webhooksName,
      label: words.webhooks,
      ticks: { of: webhooks.map(({ id }) => id), names },
    },
  ]
}

const Tests: FC<{ frame: Frame; tests: readonly TargetTest[] }> = ({ frame, tests }) => {
  const words = alertTexts(frame)
  return (
    <section class={`card answer ${tests.every(({ ok }) => ok) ? 'good' : 'bad'}`} role="status">
      <h2>{words.tested}</h2>
      {tests.length === 0 && <p>{words.noRecipient}</p>}
      <ul class="rows">
        {tests.map(({ target, ok, detail, deliveryId }) => (
          <li>
            <Chip tone={ok ? 'good' : 'bad'} text={ok ? '✓' : '✗'} />
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
