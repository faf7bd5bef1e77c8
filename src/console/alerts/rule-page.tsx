/** One rule, or a new one: for administrators (ALERT-A6). */

import type { FC } from 'hono/jsx'
import { kindTitle } from '../../application/alerts/alert-words.ts'
import { createRule, deleteRule, findRule, type RequestedRule, replaceRule } from '../../application/alerts/rules.ts'
import type { TargetTest, TestTargets } from '../../application/alerts/target-tests.ts'
import { listSites } from '../../application/sites/sites.ts'
import type { Language } from '../../application/words/in-languages.ts'
import { KINDS, type SuggestedRule, suggestedBeside } from '../../domain/alerts/alert-kinds.ts'
import { ALERT_KINDS, type AlertRule } from '../../domain/alerts/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { noSuch } from '../../domain/refuse.ts'
import { type Faults, type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Deletion, type Fields, Form, namesAsOptions } from '../kit/form.tsx'
import { Chip, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { type Done, ordering, type Shown, showing, type Visit } from '../visit.tsx'
import { formOfRule, lasting, minutesText, readRule, ruleFaults } from './rule-form.ts'

export const ACTION = 'alerts'
export const LIST = '/alerts'

export function rulePages(test: TestTargets): MountConsolePages {
  return (page) => {
    page('/alerts/new', { GET: showing('administrator', (visit) => rulePage(visit)), POST: addRule, names: 'name' })
    page('/alerts/rules/:ruleId', { GET: showRule, POST: ofRule(changeRule) })
    page('/alerts/rules/:ruleId/delete', { POST: removeRule })
    page('/alerts/rules/:ruleId/test', {
      POST: ofRule(async (visit, rule) => {
        const tests = await test(rule)
        return 'refused' in tests ? tests : { page: await rulePage(visit, { rule, tests }), status: 200 }
      }),
    })
  }
}

type RuleOrder = (visit: Visit, rule: AlertRule, form: URLSearchParams) => Promise<Done>

function ofRule(order: RuleOrder): ConsolePage {
  return ordering('administrator', ACTION, async (visit, form) => {
    const rule = await ruleOf(visit)
    return 'refused' in rule ? rule : order(visit, rule, form)
  })
}

const addRule: ConsolePage = ordering('administrator', ACTION, create)

/** ALERT-A7: what is wrong with it stands in the form, as if it had been typed. */
export const addSuggested: ConsolePage = ordering('administrator', ACTION, async (visit) => {
  const suggested = suggestedBeside([]).find(({ kind }) => kind === visit.context.req.param('kind'))
  if (!suggested) return noSuch('suggested rule')
  const form = new URLSearchParams({
    name: suggestedName(suggested, visit.frame.language),
    kind: suggested.kind,
    after: minutesText(suggested.afterSeconds, visit.frame.language),
    mails: visit.user.email,
  })
  return create(visit, form)
})

export function suggestedName({ kind, afterSeconds }: SuggestedRule, language: Language): string {
  const title = kindTitle(kind, { language })
  return afterSeconds === 0 ? title : `${title}, ${lasting({ language }, afterSeconds)}`
}

function create(visit: Visit, form: URLSearchParams): Promise<Done> {
  return written(visit, form, undefined, (requested) => createRule(visit.site, visit.accountId, requested))
}

const showRule: ConsolePage = showing('administrator', async (visit) => {
  const rule = await ruleOf(visit)
  return 'refused' in rule ? undefined : rulePage(visit, { rule })
})

const changeRule: RuleOrder = (visit, rule, form) =>
  written(visit, form, rule, (requested) => replaceRule(visit.site, rule, requested))

const removeRule: ConsolePage = ordering(
  'administrator',
  ACTION,
  async ({ site, context, accountId }) =>
    (await deleteRule(site, accountId, context.req.param('ruleId') ?? '')) ?? LIST,
)

/** The list once it is stored; the form with everything that was typed while something is wrong with it (ADMIN-D1). */
async function written(
  visit: Visit,
  form: URLSearchParams,
  rule: AlertRule | undefined,
  write: (requested: RequestedRule) => Promise<AlertRule | Refusal>,
): Promise<Done> {
  const words = wordsIn('alerts', visit.frame)
  const refused = async (faults: Faults, status: number): Promise<Shown> => ({
    page: await rulePage(visit, { typed: { form, faults }, rule }),
    status,
  })
  const read = readRule(form, words)
  if ('faults' in read) return refused(read.faults, 400)
  const done = await write(read.requested)
  if (!('refused' in done)) return LIST
  return refused(done.errors ? ruleFaults(done.errors, form, words) : { form: done.detail }, done.status)
}

function ruleOf({ site, context, accountId }: Visit): Promise<AlertRule | Refusal> {
  return findRule(site, accountId, context.req.param('ruleId') ?? '')
}

async function rulePage(
  visit: Visit,
  {
    rule,
    typed = rule ? { form: formOfRule(rule, visit.frame.language), faults: {} } : NOTHING_TYPED,
    tests,
  }: { rule?: AlertRule | undefined; typed?: Typed; tests?: readonly TargetTest[] } = {},
) {
  const { accountId, site, frame } = visit
  const [all, sites] = await Promise.all([site.reads.listSubscriptions({ accountId }), listSites(site, accountId)])
  const webhooks = all.filter(({ status }) => status !== 'revoked')
  const siteNames = sites.flatMap(({ site: name = '' }) => name)
  const words = wordsIn('alerts', frame)
  const title = rule ? words.changeRule : words.newRule
  const path = rule ? `${frame.root}/alerts/rules/${rule.id}` : `${frame.root}/alerts/new`
  return (
    <Page frame={frame} title={title}>
      <Title text={title} up={[[frame.root + LIST, words.title]]}>
        {rule && <Deletion visit={visit} action={ACTION} of={path} ask={words.deleteAsk} what={rule.name} />}
      </Title>
      {tests && <Tests frame={frame} tests={tests} />}
      <Form
        visit={visit}
        action={ACTION}
        to={path}
        typed={typed}
        once
        fields={fieldsOf(frame, webhooks, choiceOf(siteNames, typed))}
        submit={rule ? words.save : words.create}
        back={frame.root + LIST}
      />
      {rule && (
        <Form
          {...{ visit, action: ACTION, title: words.test, lead: words.testHint, submit: words.test }}
          to={`${path}/test`}
          once
        />
      )}
    </Page>
  )
}

function choiceOf(sites: readonly string[], { form }: Typed): readonly string[] {
  return [...new Set([...sites, form.get('site') ?? ''])].filter((site) => site !== '')
}

function fieldsOf(frame: Frame, webhooks: readonly Subscription[], sites: readonly string[]): Fields {
  const words = wordsIn('alerts', frame)
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
  words: PageTexts<'alerts'>,
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
  const words = wordsIn('alerts', frame)
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
