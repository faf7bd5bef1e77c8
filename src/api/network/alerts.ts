/** `/2/alert-rules` and `/2/alerts` (ALERT-A1, ALERT-A2). */

import {
  acknowledge,
  createRule,
  deleteRule,
  findRule,
  type Noticed,
  noticed,
  putRule,
  replaceRule,
  type WantedRule,
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
  ruleQuery,
  TargetTestsSchema,
} from '../../application/alerts/schemas.ts'
import type { TestTargets } from '../../application/alerts/target-tests.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import { representAlert } from '../../domain/events/alert-events.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import { credentialOnly } from '../access/access.ts'
import { actorOf } from '../access/audit.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { json, noContent, orRefused } from '../respond.ts'

const TAG = 'Alerts'
const PATH = '/2/alert-rules'

export function addAlerts(api: Api): void {
  addRuleReads(api)
  addCreate(api)
  addChange(api)
  addReplace(api)
  addDelete(api)
  addAlertList(api)
}

function addRuleReads(api: Api): void {
  const { endpoints, reads } = api
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listAlertRules',
    tag: TAG,
    summary: 'List alert rules, oldest first',
    access: credentialOnly,
    query: ruleQuery,
    responses: { 200: described(AlertRuleListSchema, 'A page of alert rules') },
    async handle({ principal: { accountId }, principal, query: { limit = PAGE_DEFAULT, cursor } }) {
      const bound = listQuery('alert rules', principal, { limit })
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, (count, lastId) =>
        reads.listRecords('alert_rules', {
          ...{ where: { accountId }, limit: count },
          ...(lastId !== undefined && { after: { accountId, id: lastId } }),
        }),
      )
      return json({ data: rows.map(representRule), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{alertRuleId}`,
    operationId: 'getAlertRule',
    tag: TAG,
    summary: 'Get an alert rule',
    access: credentialOnly,
    params: ruleParams,
    responses: { 200: described(AlertRuleSchema, 'The alert rule') },
    handle: async ({ principal, params }) =>
      json(representRule(orRefused(await findRule(api, principal.accountId, params.alertRuleId)))),
  })
}

function addCreate(api: Api): void {
  const { endpoints } = api
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createAlertRule',
    tag: TAG,
    summary: 'Create an alert rule',
    description:
      'Each target is told once when it begins and once when it is over. The default of `after`: offline 600 s, faulted 60 s, errorRate 300 s, sessionWithoutEnergy 900 s, webhookFailing 900 s, disk 0 s, clock 300 s, certificateFailed 0 s.',
    access: credentialOnly,
    body: CreateAlertRuleSchema,
    idempotent: 'optional',
    problems: [409],
    responses: { 201: located(AlertRuleSchema, 'The alert rule') },
    async handle({ principal: { accountId }, body }) {
      const rule = orRefused(await createRule(api, accountId, body as WantedRule))
      return json(representRule(rule), 201, { location: `${PATH}/${rule.id}` })
    },
  })
}

function addChange(api: Api): void {
  const { endpoints, now } = api
  endpoints.add({
    method: 'patch',
    path: `${PATH}/{alertRuleId}`,
    operationId: 'changeAlertRule',
    tag: TAG,
    summary: 'Change an alert rule',
    description: 'null removes an optional attribute. What is on and not meant any more is over a minute later.',
    access: credentialOnly,
    params: ruleParams,
    body: ChangeAlertRuleSchema,
    responses: { 200: described(AlertRuleSchema, 'The alert rule') },
    async handle({ principal: { accountId }, params, body: { after, selector, quietHours, ...rest } }) {
      const before = orRefused(await findRule(api, accountId, params.alertRuleId))
      const rule: AlertRule = {
        ...before,
        ...(rest as Partial<Pick<WantedRule, 'name' | 'kind' | 'targets'>>),
        ...(after !== undefined && { afterSeconds: after ?? undefined }),
        ...(selector !== undefined && { selector: selector ?? undefined }),
        ...(quietHours !== undefined && { quietHours: zoned(api.settings, quietHours ?? undefined) }),
        updatedAt: now(),
      }
      return json(representRule(orRefused(await putRule(api, rule))))
    },
  })
}

function addReplace(api: Api): void {
  api.endpoints.add({
    method: 'put',
    path: `${PATH}/{alertRuleId}`,
    operationId: 'replaceAlertRule',
    tag: TAG,
    summary: 'Replace an alert rule',
    description: 'What is left out has its default.',
    access: credentialOnly,
    params: ruleParams,
    body: CreateAlertRuleSchema,
    responses: { 200: described(AlertRuleSchema, 'The alert rule') },
    async handle({ principal: { accountId }, params, body }) {
      const before = orRefused(await findRule(api, accountId, params.alertRuleId))
      return json(representRule(orRefused(await replaceRule(api, before, body as WantedRule))))
    },
  })
}

function addDelete(api: Api): void {
  api.endpoints.add({
    method: 'delete',
    path: `${PATH}/{alertRuleId}`,
    operationId: 'deleteAlertRule',
    tag: TAG,
    summary: 'Delete an alert rule',
    description: 'Its alerts are over, and nobody is written to about that. Mail that waits is still sent.',
    access: credentialOnly,
    params: ruleParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal: { accountId }, params }) {
      orRefused((await deleteRule(api, accountId, params.alertRuleId)) ?? {})
      return noContent()
    },
  })
}

function addAlertList(api: Api): void {
  const { endpoints, reads } = api
  endpoints.add({
    method: 'get',
    path: '/2/alerts',
    operationId: 'listAlerts',
    tag: TAG,
    summary: 'List alerts, first raised first',
    description: 'state=raised: those that are on. What is over is kept as long as the message log.',
    access: credentialOnly,
    query: alertQuery,
    responses: { 200: described(AlertListSchema, 'A page of alerts') },
    async handle({ principal: { accountId }, principal, query: { state, limit = PAGE_DEFAULT, cursor } }) {
      const bound = listQuery('alerts', principal, { state, limit })
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, (count, lastId) =>
        reads.listRecords('alerts', {
          ...{ where: { accountId, ...(state && { state }) }, limit: count },
          ...(lastId !== undefined && { after: { accountId, id: lastId } }),
        }),
      )
      return json({ data: (await noticed(api, rows)).map(representListed), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'post',
    path: '/2/alerts/{alertId}/acknowledge',
    operationId: 'acknowledgeAlert',
    tag: TAG,
    summary: 'Acknowledge an alert',
    description: 'Changes nothing about the alert itself. Of several who say so, the first one stays.',
    access: credentialOnly,
    params: alertParams,
    problems: [409],
    responses: { 200: described(AlertSchema, 'The alert') },
    async handle({ principal, params }) {
      const { actor = '' } = await actorOf(reads, principal)
      return json(representListed(orRefused(await acknowledge(api, principal.accountId, params.alertId, actor))))
    },
  })
}

/** ALERT-A4. Mounted by app.ts, which has the mail server. */
export function addAlertTests(api: Api, test: TestTargets): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{alertRuleId}/test`,
    operationId: 'testAlertRule',
    tag: TAG,
    summary: 'Send a test alert to the targets of a rule',
    description:
      'Each address is sent a mail, and the answer says whether the mail server took it; each webhook a test event, whose delivery can be followed. 10 a minute.',
    access: credentialOnly,
    params: ruleParams,
    problems: [429],
    responses: { 200: described(TargetTestsSchema, 'What became of each, in the order of the targets') },
    async handle({ principal: { accountId }, params }) {
      const tests = orRefused(await test(orRefused(await findRule(api, accountId, params.alertRuleId))))
      return json({ data: tests.map(({ target, ...rest }) => ({ ...target, ...rest })) })
    },
  })
}

function representRule(rule: AlertRule): object {
  const { id, name, kind, selector, afterSeconds, targets, quietHours, createdAt, updatedAt } = rule
  return {
    ...{ id, name, kind, targets, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) },
    ...(selector && { selector }),
    after: afterSeconds ?? KINDS[kind].afterSeconds,
    ...(quietHours && { quietHours }),
  }
}

function representListed({ acknowledged, ...alert }: Noticed): object {
  return {
    ...representAlert(alert),
    text: KINDS[alert.kind].words.en.told(alert.facts),
    ...(acknowledged && { acknowledgedAt: isoTime(acknowledged.at), acknowledgedBy: acknowledged.by }),
  }
}
