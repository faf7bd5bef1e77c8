/** `/dashboard/alerts`: who sees the console sees what is on; operators take care, administrators write the rules. */

import {
  acknowledge,
  createRule,
  deleteRule,
  findRule,
  noticed,
  type RequestedRule,
  replaceRule,
} from '../../application/alerts/rules.ts'
import type { TargetTest, TestTargets } from '../../application/alerts/target-tests.ts'
import { listSites } from '../../application/sites/sites.ts'
import { suggestedBeside } from '../../domain/alerts/alert-kinds.ts'
import type { Alert, AlertRule } from '../../domain/alerts/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { alertTexts } from '../kit/parts.tsx'
import { ordering, type Shown, showing, type Visit } from '../visit.tsx'
import { ACTION, AlertsPage, suggestedName } from './alerts-page.tsx'
import { formOfRule, minutesText, readRule, ruleFaults } from './rule-form.ts'
import { RulePage } from './rule-page.tsx'

const LIST = '/alerts'
const DAY_MS = 86_400_000
/** Of those that ended within a day. */
const MAX_RECENT_ALERTS = 200
const MAX_RULES = 100

export function alertPages(test: TestTargets): MountConsolePages {
  return (page) => {
    page('/alerts', { GET: showAlerts })
    page('/alerts/new', { GET: showNewRule, POST: addRule, names: 'name' })
    page('/alerts/suggested/:kind', { POST: addSuggested })
    page('/alerts/rules/:ruleId', { GET: showRule, POST: changeRule })
    page('/alerts/rules/:ruleId/delete', { POST: removeRule })
    page('/alerts/rules/:ruleId/test', { POST: testRule(test) })
    page('/alerts/:alertId/acknowledge', { POST: takeCare })
  }
}

const showAlerts: ConsolePage = showing('see', async (visit) => {
  const { site, context, accountId, frame } = visit
  const { reads, now } = site
  const after = context.req.query('after')?.slice(0, 100)
  const lately = { accountId, clearedAt: { from: now() - DAY_MS } }
  const [found, over, rules] = await Promise.all([
    reads.listRecords('alerts', {
      where: { accountId, state: 'raised' },
      limit: rowsAsked(frame),
      after: after === undefined ? undefined : { accountId, id: after },
    }),
    after === undefined ? reads.listRecords('alerts', { where: lately, limit: MAX_RECENT_ALERTS }) : [],
    reads.listRecords('alert_rules', { where: { accountId }, limit: MAX_RULES }),
  ])
  const { rows, last } = pageOfRows(found, frame)
  return (
    <AlertsPage
      visit={visit}
      on={await noticed(site, rows)}
      over={await noticed(site, [...over].sort(newestFirst))}
      rules={rules}
      next={last?.id}
    />
  )
})

function newestFirst(one: Alert, other: Alert): number {
  return (other.clearedAt ?? 0) - (one.clearedAt ?? 0)
}

const takeCare: ConsolePage = ordering('operate', ACTION, async ({ site, context, accountId, user }) => {
  const done = await acknowledge(site, accountId, context.req.param('alertId') ?? '', user.email)
  return 'refused' in done ? done : LIST
})

const showNewRule: ConsolePage = showing('administrator', (visit) => rulePage(visit))

const addRule: ConsolePage = ordering('administrator', ACTION, (visit, form) =>
  written(visit, form, undefined, (requested) => createRule(visit.site, visit.accountId, requested)),
)

/** ALERT-A7: what is wrong with it stands in the form, as if it had been typed. */
const addSuggested: ConsolePage = ordering('administrator', ACTION, (visit) => {
  const suggested = suggestedBeside([]).find(({ kind }) => kind === visit.context.req.param('kind'))
  if (!suggested) return Promise.resolve(noSuch('suggested rule'))
  const form = new URLSearchParams({
    name: suggestedName(suggested, visit.frame.language),
    kind: suggested.kind,
    after: minutesText(suggested.afterSeconds, visit.frame.language),
    mails: visit.user.email,
  })
  return written(visit, form, undefined, (requested) => createRule(visit.site, visit.accountId, requested))
})

const showRule: ConsolePage = showing('administrator', async (visit) => {
  const rule = await ruleOf(visit)
  return 'refused' in rule ? undefined : rulePage(visit, { rule })
})

const changeRule: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const rule = await ruleOf(visit)
  if ('refused' in rule) return rule
  return written(visit, form, rule, (requested) => replaceRule(visit.site, rule, requested))
})

const removeRule: ConsolePage = ordering(
  'administrator',
  ACTION,
  async ({ site, context, accountId }) =>
    (await deleteRule(site, accountId, context.req.param('ruleId') ?? '')) ?? LIST,
)

function testRule(test: TestTargets): ConsolePage {
  return ordering('administrator', ACTION, async (visit) => {
    const rule = await ruleOf(visit)
    if ('refused' in rule) return rule
    const tests = await test(rule)
    return 'refused' in tests ? tests : { page: await rulePage(visit, { rule, tests }), status: 200 }
  })
}

/** The list once it is stored; the form with everything that was typed while something is wrong with it (ADMIN-D1). */
async function written(
  visit: Visit,
  form: URLSearchParams,
  rule: AlertRule | undefined,
  write: (requested: RequestedRule) => Promise<AlertRule | Refusal>,
): Promise<string | Shown> {
  const words = alertTexts(visit.frame)
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
  { rule, typed, tests }: { rule?: AlertRule | undefined; typed?: Typed; tests?: readonly TargetTest[] } = {},
) {
  const { accountId, site, frame } = visit
  const [all, sites] = await Promise.all([site.reads.listSubscriptions({ accountId }), listSites(site, accountId)])
  return (
    <RulePage
      visit={visit}
      typed={typed ?? (rule ? { form: formOfRule(rule, frame.language), faults: {} } : NOTHING_TYPED)}
      webhooks={all.filter(({ status }) => status !== 'revoked')}
      sites={sites.flatMap(({ site: name = '' }) => name)}
      rule={rule}
      tests={tests}
    />
  )
}
