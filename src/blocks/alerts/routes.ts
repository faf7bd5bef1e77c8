/** `/2/alert-rules` and `/2/alerts` (ALERT-A1, ALERT-A2). */
import type { Fault } from '../../commands/fault.ts'
import { isoTime } from '../../commands/row.ts'
import { newUuid } from '../../commands/uuid.ts'
import { representAlert } from '../../events/alert-events.ts'
import { credentialOnly } from '../../http/access/access.ts'
import { listPage, listQuery } from '../../http/pages.ts'
import type { Api } from '../../http/parts.ts'
import { invalidRequest, notFound, Problem } from '../../http/problem.ts'
import { json, noContent } from '../../http/respond.ts'
import { json as described, located, PAGE_DEFAULT } from '../../http/schemas/common.ts'
import { KINDS } from './kinds.ts'
import type { Alert, AlertRule, AlertTarget } from './records.ts'
import {
  AlertListSchema,
  AlertRuleListSchema,
  AlertRuleSchema,
  alertQuery,
  ChangeAlertRuleSchema,
  CreateAlertRuleSchema,
  ruleParams,
  ruleQuery,
} from './schemas.ts'

const TAG = 'Alerts'
const PATH = '/2/alert-rules'
/** Each rule is looked at in every sweep. */
const MOST_RULES = 100

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
    summary: 'Alert rules, the oldest first',
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
    summary: 'One alert rule',
    access: credentialOnly,
    params: ruleParams,
    responses: { 200: described(AlertRuleSchema, 'The alert rule') },
    handle: async ({ principal, params }) =>
      json(representRule(await ownRule(api, principal.accountId, params.alertRuleId))),
  })
}

function addCreate(api: Api): void {
  const { endpoints, reads, writes, now } = api
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createAlertRule',
    tag: TAG,
    summary: 'Be told of something',
    description:
      'Each target is told once when it begins and once when it is over. The default of `after`: offline 600 s, faulted 60 s, errorRate 300 s, sessionWithoutEnergy 900 s, webhookFailing 900 s, disk 0 s, clock 300 s.',
    access: credentialOnly,
    body: CreateAlertRuleSchema,
    idempotent: 'optional',
    problems: [409],
    responses: { 201: located(AlertRuleSchema, 'The alert rule') },
    async handle({ principal: { accountId }, body: { after, ...shown } }) {
      const rule: AlertRule = {
        ...{ accountId, id: newUuid(now()), createdAt: now(), updatedAt: now() },
        ...(shown as RuleMembers),
        quietHours: zoned(api.settings, shown.quietHours),
        afterSeconds: after,
      }
      await requireSound(api, rule)
      const all = await reads.listRecords('alert_rules', { where: { accountId }, limit: MOST_RULES })
      if (all.length >= MOST_RULES) {
        throw new Problem(409, 'too_many_alert_rules', `An account has at most ${MOST_RULES} alert rules; delete one.`)
      }
      await writes.putRecords('alert_rules', [rule])
      return json(representRule(rule), 201, { location: `${PATH}/${rule.id}` })
    },
  })
}

function addChange(api: Api): void {
  const { endpoints, writes, now } = api
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
      const before = await ownRule(api, accountId, params.alertRuleId)
      const rule: AlertRule = {
        ...before,
        ...(rest as Partial<RuleMembers>),
        ...(after !== undefined && { afterSeconds: after ?? undefined }),
        ...(selector !== undefined && { selector: selector ?? undefined }),
        ...(quietHours !== undefined && { quietHours: zoned(api.settings, quietHours ?? undefined) }),
        updatedAt: now(),
      }
      await requireSound(api, rule)
      await writes.putRecords('alert_rules', [rule])
      return json(representRule(rule))
    },
  })
}

function addReplace(api: Api): void {
  const { endpoints, writes, now } = api
  endpoints.add({
    method: 'put',
    path: `${PATH}/{alertRuleId}`,
    operationId: 'replaceAlertRule',
    tag: TAG,
    summary: 'Write an alert rule anew',
    description: 'What is left out has its default.',
    access: credentialOnly,
    params: ruleParams,
    body: CreateAlertRuleSchema,
    responses: { 200: described(AlertRuleSchema, 'The alert rule') },
    async handle({ principal: { accountId }, params, body: { after, ...shown } }) {
      const { id, createdAt } = await ownRule(api, accountId, params.alertRuleId)
      const rule: AlertRule = {
        ...{ accountId, id, createdAt, updatedAt: now() },
        ...(shown as RuleMembers),
        quietHours: zoned(api.settings, shown.quietHours),
        afterSeconds: after,
      }
      await requireSound(api, rule)
      await writes.putRecords('alert_rules', [rule])
      return json(representRule(rule))
    },
  })
}

function addDelete(api: Api): void {
  const { endpoints, writes } = api
  endpoints.add({
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
      const { id } = await ownRule(api, accountId, params.alertRuleId)
      await writes.removeRecords('alert_rules', [{ accountId, id }])
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
    summary: 'Alerts, those that were raised first come first',
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
      return json({ data: rows.map(representListed), meta: { nextCursor } })
    },
  })
}

type RuleMembers = Pick<AlertRule, 'name' | 'kind' | 'selector'> & { readonly targets: readonly AlertTarget[] }

function zoned(
  { timeZone = 'UTC' }: Api['settings'],
  quiet: { readonly from: string; readonly to: string; readonly timeZone?: string | undefined } | undefined,
): AlertRule['quietHours'] {
  return quiet && { from: quiet.from, to: quiet.to, timeZone: quiet.timeZone ?? timeZone }
}

async function ownRule({ reads }: Api, accountId: string, id: string): Promise<AlertRule> {
  const rule = await reads.getRecord('alert_rules', { accountId, id })
  if (!rule) throw notFound('alert rule')
  return rule
}

/** What its members say of each other, and of what else there is. @throws Problem 400 with every fault */
async function requireSound({ reads }: Api, { accountId, kind, selector, targets }: AlertRule): Promise<void> {
  const faults: Fault[] = []
  if (selector && !KINDS[kind].selects) {
    faults.push({ pointer: '/selector', code: 'invalid_value', message: `does not belong to the kind ${kind}` })
  }
  for (const [at, target] of targets.entries()) {
    if (!('webhookId' in target)) continue
    const webhook = await reads.findSubscription(target.webhookId)
    if (webhook?.accountId === accountId && webhook.grantId === undefined && webhook.status !== 'revoked') continue
    const message = 'must be a webhook of the account: there is no such one'
    faults.push({ pointer: `/targets/${at}/webhookId`, code: 'invalid_value', message })
  }
  if (faults.length > 0) throw invalidRequest(faults)
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

function representListed(alert: Alert): object {
  return { ...representAlert(alert), text: KINDS[alert.kind].words.en.told(alert.facts) }
}
