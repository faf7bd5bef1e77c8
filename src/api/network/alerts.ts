/** `/2/alert-rules` and `/2/alerts` (ALERT-A1, ALERT-A2). */

import { alertText } from '../../application/alerts/alert-words.ts'
import {
  acknowledge,
  createRule,
  deleteRule,
  escalationOf,
  findRule,
  type Noticed,
  noticed,
  putRule,
  type RequestedRule,
  replaceRule,
  zoned,
} from '../../application/alerts/rules.ts'
import {
  AlertListSchema,
  AlertRuleListSchema,
  AlertRuleSchema,
  AlertSchema,
  alertParams,
  alertQuery,
  ChangeAlertRuleSchema,
  CreateAlertRuleSchema,
  ruleParams,
  TargetTestsSchema,
} from '../../application/alerts/schemas.ts'
import type { TestTargets } from '../../application/alerts/target-tests.ts'
import { pageQuery, shown } from '../../application/schemas/common.ts'
import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import { representAlert } from '../../domain/events/alert-events.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { actorOf } from '../access/audit.ts'
import type { Api } from '../api-parts.ts'
import { recordPage, resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

const COMMON = { tag: 'Alerts', path: '/2/alert-rules' } as const

function ruleResource(api: Api) {
  return resource(api, {
    ...COMMON,
    path: `${COMMON.path}/{alertRuleId}`,
    params: ruleParams,
    find: async ({ principal, params }) => ({
      rule: orRefused(await findRule(api, principal.accountId, params.alertRuleId)),
    }),
  })
}

export function addAlerts(api: Api): void {
  addRules(api)
  addAlertList(api)
}

function addRules(api: Api): void {
  const rules = resource(api, COMMON)
  const rule = ruleResource(api)
  rules.get('', 'listAlertRules', 'List alert rules, oldest first', {
    query: pageQuery,
    ok: [AlertRuleListSchema, 'A page of alert rules'],
    handle: (request) =>
      recordPage(api, request, { name: 'alert rules', kind: 'alert_rules', show: (rows) => rows.map(representRule) }),
  })
  rule.get('', 'getAlertRule', 'Get an alert rule', {
    ok: [AlertRuleSchema, 'The alert rule'],
    handle: async (request) => representRule(request.rule),
  })
  rules.post('', 'createAlertRule', 'Create an alert rule', {
    description:
      'Each target is notified once when it begins and once when it is over; those of `escalation` once it has stayed unacknowledged for `after`. The default of `after`: offline 600 s, faulted 60 s, errorRate 300 s, sessionWithoutEnergy 900 s, webhookFailing 900 s, disk 0 s, clock 300 s, certificateFailed 0 s.',
    body: CreateAlertRuleSchema,
    idempotent: 'optional',
    problems: [409],
    created: [AlertRuleSchema, 'The alert rule'],
    handle: async ({ principal, body }) =>
      representRule(orRefused(await createRule(api, principal.accountId, body as RequestedRule))),
  })
  rule.patch('', 'changeAlertRule', 'Change an alert rule', {
    description: 'null removes an optional attribute. What is on and not meant any more is over a minute later.',
    body: ChangeAlertRuleSchema,
    ok: [AlertRuleSchema, 'The alert rule'],
    async handle({ rule: before, body: { after, selector, quietHours, escalation, ...rest } }) {
      const changed: AlertRule = {
        ...before,
        ...(rest as Partial<Pick<RequestedRule, 'name' | 'kind' | 'targets'>>),
        ...(after !== undefined && { afterSeconds: after ?? undefined }),
        ...(selector !== undefined && { selector: selector ?? undefined }),
        ...(quietHours !== undefined && { quietHours: zoned(api.settings, quietHours ?? undefined) }),
        ...(escalation !== undefined && {
          escalation: escalationOf((escalation ?? undefined) as RequestedRule['escalation']),
        }),
        updatedAt: api.now(),
      }
      return representRule(orRefused(await putRule(api, changed)))
    },
  })
  rule.put('', 'replaceAlertRule', 'Replace an alert rule', {
    description: 'What is left out has its default.',
    body: CreateAlertRuleSchema,
    ok: [AlertRuleSchema, 'The alert rule'],
    handle: async ({ rule: before, body }) =>
      representRule(orRefused(await replaceRule(api, before, body as RequestedRule))),
  })
  rule.delete('', 'deleteAlertRule', 'Delete an alert rule', {
    description: 'Its alerts end, and no mail is sent about that. Mail that waits is still sent.',
    done: 'Deleted',
    handle: ({ rule: { accountId, id } }) => deleteRule(api, accountId, id),
  })
}

function addAlertList(api: Api): void {
  const alerts = resource(api, { ...COMMON, path: '/2/alerts' })
  alerts.get('', 'listAlerts', 'List alerts, first raised first', {
    description: 'state=raised: those that are on. What is over is kept as long as the message log.',
    query: alertQuery,
    ok: [AlertListSchema, 'A page of alerts'],
    handle: (request) =>
      recordPage(api, request, {
        name: 'alerts',
        kind: 'alerts',
        where: { accountId: request.principal.accountId, state: request.query.state },
        show: async (rows) => (await noticed(api, rows)).map(representListed),
      }),
  })
  alerts.post('/{alertId}/acknowledge', 'acknowledgeAlert', 'Acknowledge an alert', {
    description: 'Changes nothing about the alert itself. Of several who say so, the first one stays.',
    params: alertParams,
    problems: [409],
    ok: [AlertSchema, 'The alert'],
    async handle({ principal, params }) {
      const { actor = '' } = await actorOf(api.reads, principal)
      return representListed(orRefused(await acknowledge(api, principal.accountId, params.alertId, actor)))
    },
  })
}

/** ALERT-A4. Mounted by app.ts, which has the mail server. */
export function addAlertTests(api: Api, test: TestTargets): void {
  ruleResource(api).post('/test', 'testAlertRule', 'Send a test alert to the targets of a rule', {
    description:
      'Each address is sent a mail, and the answer says whether the mail server took it; each webhook a test event, whose delivery can be followed. 10 a minute.',
    problems: [429],
    ok: [TargetTestsSchema, 'What became of each, in the order of the targets, those of the escalation last'],
    async handle({ rule }) {
      const tests = orRefused(await test(rule))
      return { data: tests.map(({ target, ...rest }) => ({ ...target, ...rest })) }
    },
  })
}

function representListed({ acknowledged, ...alert }: Noticed): object {
  return {
    ...representAlert(alert),
    text: alertText(alert, { language: 'en' }),
    ...(acknowledged && { acknowledgedAt: isoTime(acknowledged.at), acknowledgedBy: acknowledged.by }),
  }
}

function representRule(rule: AlertRule): object {
  const { kind, afterSeconds, escalation } = rule
  return shown(AlertRuleSchema, rule, {
    after: afterSeconds ?? KINDS[kind].afterSeconds,
    escalation: escalation && { after: escalation.afterSeconds, targets: escalation.targets },
  })
}
