/** `/dashboard/alerts`: who sees the console sees what is on; operators take care, administrators write the rules. */

import {
  acknowledge,
  type CareContext,
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
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch } from '../../domain/refuse.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { alertTexts } from '../kit/texts.ts'
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
  return (page, parts) => {
    page('/alerts', { GET: showAlerts })
    page('/alerts/new', { GET: showNewRule(parts), POST: addRule(parts), names: 'name' })
    page('/alerts/suggested/:kind', { POST: addSuggested(parts) })
    page('/alerts/rules/:ruleId', { GET: showRule(parts), POST: changeRule(parts) })
    page('/alerts/rules/:ruleId/delete', { POST: removeRule })
    page('/alerts/rules/:ruleId/test', { POST: testRule(test, parts) })
    page('/alerts/:alertId/acknowledge', { POST: takeCare(parts.core) })
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

function takeCare(core: CareContext['core']): ConsolePage {
  return ordering('operate', ACTION, async ({ site, context, accountId, user }) => {
    const done = await acknowledge({ ...site, core }, accountId, context.req.param('alertId') ?? '', user.email)
    return 'refused' in done ? done : LIST
  })
}

function showNewRule(parts: OperatorContext): ConsolePage {
  return showing('administrator', (visit) => rulePage(visit, parts))
}

function addRule(parts: OperatorContext): ConsolePage {
  return ordering('administrator', ACTION, (visit, form) =>
    written(visit, parts, form, undefined, (requested) =>
      createRule({ ...visit.site, settings: parts }, visit.accountId, requested),
    ),
  )
}

/** ALERT-A7: what is wrong with it stands in the form, as if it had been typed. */
function addSuggested(parts: OperatorContext): ConsolePage {
  return ordering('administrator', ACTION, (visit) => {
    const suggested = suggestedBeside([]).find(({ kind }) => kind === visit.context.req.param('kind'))
    if (!suggested) return Promise.resolve(noSuch('suggested rule'))
    const form = new URLSearchParams({
      name: suggestedName(suggested, visit.frame.language),
      kind: suggested.kind,
      after: minutesText(suggested.afterSeconds, visit.frame.language),
      mails: visit.user.email,
    })
    return written(visit, parts, form, undefined, (requested) =>
      createRule({ ...visit.site, settings: parts }, visit.accountId, requested),
    )
  })
}

function showRule(parts: OperatorContext): ConsolePage {
  return showing('administrator', async (visit) => {
    const rule = await ruleOf(visit)
    return 'refused' in rule ? undefined : rulePage(visit, parts, { rule })
  })
}

function changeRule(parts: OperatorContext): ConsolePage {
  return ordering('administrator', ACTION, async (visit, form) => {
    const rule = await ruleOf(visit)
    if ('refused' in rule) return rule
    return written(visit, parts, form, rule, (requested) =>
      replaceRule({ ...visit.site, settings: parts }, rule, requested),
    )
  })
}

const removeRule: ConsolePage = ordering(
  'administrator',
  ACTION,
  async ({ site, context, accountId }) =>
    (await deleteRule(site, accountId, context.req.param('ruleId') ?? '')) ?? LIST,
)

function testRule(test: TestTargets, parts: OperatorContext): ConsolePage {
  return ordering('administrator', ACTION, async (visit) => {
    const rule = await ruleOf(visit)
    if ('refused' in rule) return rule
    const tests = await test(rule)
    return 'refused' in tests ? tests : { page: await rulePage(visit, parts, { rule, tests }), status: 200 }
  })
}

/** The list once it is stored; the form with everything that was typed while something is wrong with it (ADMIN-D1). */
async function written(
  visit: Visit,
  parts: OperatorContext,
  form: URLSearchParams,
  rule: AlertRule | undefined,
  write: (requested: RequestedRule) => Promise<AlertRule | Refusal>,
): Promise<string | Shown> {
  const words = alertTexts(visit.frame)
  const refused = async (faults: Faults, status: number): Promise<Shown> => ({
    page: await rulePage(visit, parts, { typed: { form, faults }, rule }),
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
  { core, timeZone }: OperatorContext,
  { rule, typed, tests }: { rule?: AlertRule | undefined; typed?: Typed; tests?: readonly TargetTest[] } = {},
) {
  const { accountId, site, frame } = visit
  const [all, sites] = await Promise.all([
    site.reads.listSubscriptions({ accountId }),
    listSites({ ...site, core, timeZone }, accountId),
  ])
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
