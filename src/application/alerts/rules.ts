/** What may be ordered about alerts, by the API and by the pages (ALERT-A1, ALERT-A4, ALERT-A5). */

import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import type {
  Alert,
  AlertAcknowledgement,
  AlertRule,
  AlertTarget,
  Escalation,
  QuietHours,
  StationCare,
} from '../../domain/alerts/records.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { noSuch, refuse, refuseFaults } from '../../domain/refuse.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'

/** Each rule is looked at in every sweep. */
const MAX_RULES = 100
const PAGE = 500

type AlertOrderContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now'>

export type CareContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now' | 'core'>

type RuleOrderContext = AlertOrderContext & Pick<UseCaseContext, 'random'> & WithSettings<'timeZone'>

export interface RequestedRule extends Pick<AlertRule, 'name' | 'kind' | 'selector' | 'targets'> {
  readonly after?: number | undefined
  readonly quietHours?: (Omit<QuietHours, 'timeZone'> & { readonly timeZone?: string | undefined }) | undefined
  readonly escalation?: { readonly after: number; readonly targets: readonly AlertTarget[] } | undefined
}

export async function createRule(
  parts: RuleOrderContext,
  accountId: string,
  requested: RequestedRule,
): Promise<AlertRule | Refusal> {
  const now = parts.now()
  const rule = ruleOf(parts, { accountId, id: newUuid(now, parts.random), createdAt: now, updatedAt: now }, requested)
  const faults = await faultsOf(parts, rule)
  if (faults.length > 0) return refuseFaults(faults)
  if ((await parts.reads.countRecords('alert_rules', { where: { accountId }, limit: MAX_RULES })) >= MAX_RULES) {
    return refuse(409, 'too_many_alert_rules', `An account has at most ${MAX_RULES} alert rules; delete one.`)
  }
  await parts.writes.putRecords('alert_rules', [rule])
  return rule
}

export function replaceRule(
  parts: RuleOrderContext,
  { accountId, id, createdAt }: AlertRule,
  requested: RequestedRule,
): Promise<AlertRule | Refusal> {
  return putRule(parts, ruleOf(parts, { accountId, id, createdAt, updatedAt: parts.now() }, requested))
}

export async function putRule(parts: AlertOrderContext, rule: AlertRule): Promise<AlertRule | Refusal> {
  const faults = await faultsOf(parts, rule)
  if (faults.length > 0) return refuseFaults(faults)
  await parts.writes.putRecords('alert_rules', [rule])
  return rule
}

export async function findRule(
  { reads }: Pick<AlertOrderContext, 'reads'>,
  accountId: string,
  id: string,
): Promise<AlertRule | Refusal> {
  return (await reads.getRecord('alert_rules', { accountId, id })) ?? noSuch('alert rule')
}

export async function deleteRule(
  parts: AlertOrderContext,
  accountId: string,
  id: string,
): Promise<Refusal | undefined> {
  const rule = await findRule(parts, accountId, id)
  if ('refused' in rule) return rule
  await parts.writes.removeRecords('alert_rules', [{ accountId, id }])
  return undefined
}

export function zoned(
  { timeZone = 'UTC' }: RuleOrderContext['settings'],
  quiet: RequestedRule['quietHours'],
): AlertRule['quietHours'] {
  return quiet && { from: quiet.from, to: quiet.to, timeZone: quiet.timeZone ?? timeZone }
}

export function escalationOf(requested: RequestedRule['escalation']): Escalation | undefined {
  return requested && { afterSeconds: requested.after, targets: requested.targets }
}

/** ALERT-A5: records who takes care of it; the first one stays. */
export async function acknowledge(
  { reads, writes, core, now }: CareContext,
  accountId: string,
  alertId: string,
  by: string,
): Promise<Noticed | Refusal> {
  const alert = await reads.getRecord('alerts', { accountId, id: alertId })
  if (!alert) return noSuch('alert')
  const before = await reads.getRecord('alert_acknowledgements', { accountId, alertId })
  if (before) return { ...alert, acknowledged: before }
  if (alert.state === 'cleared') return refuse(409, 'alert_over', 'This alert is over.')
  if (endsByCare(alert)) {
    // Refused where the charge point is gone: then nothing is on any more either.
    await core.decideBlock({ accountId, chargePointId: alert.about, input: { kind: 'certificateFailureNoticed' } })
  }
  const at = now()
  await writes.putRecords('alert_acknowledgements', [{ accountId, alertId, at, by }])
  if (alert.kind === 'faulted') await writes.putRecords('station_care', [{ chargePointId: alert.about, at, by }])
  const acknowledged = await reads.getRecord('alert_acknowledgements', { accountId, alertId })
  return { ...alert, acknowledged }
}

/** CONSOLE-A23: the same of all that charge points have now, and of the alerts about them. */
export async function takeCare(
  place: CareContext,
  accountId: string,
  ids: readonly string[],
  by: string,
): Promise<void> {
  const { reads, writes } = place
  const at = place.now()
  for (let from = 0; from < ids.length; from += PAGE) {
    const some = ids.slice(from, from + PAGE)
    await writes.putRecords(
      'station_care',
      some.map((chargePointId) => ({ chargePointId, at, by })),
    )
  }
  const about = new Set(ids)
  for await (const page of recordPages(reads, 'alerts', { accountId, state: 'raised' })) {
    const own = page.filter(({ facts: { stationId = '' } }) => about.has(stationId))
    // Acknowledging these does more than record a name.
    const [more, plain] = [own.filter(endsByCare), own.filter((alert) => !endsByCare(alert))]
    const taken = plain.map(({ id: alertId }) => ({ accountId, alertId, at, by }))
    if (taken.length > 0) await writes.putRecords('alert_acknowledgements', taken)
    for (const alert of more) await acknowledge(place, accountId, alert.id, by)
  }
}

function endsByCare({ kind }: Alert): boolean {
  return kind === 'certificateFailed'
}

/** Whether what began then is taken care of: what begins later needs attention again. */
export function isTaken(care: StationCare | undefined, since: number): boolean {
  return care !== undefined && since <= care.at
}

export async function careOf(
  { reads }: { readonly reads: Pick<Reads, 'listRecords'> },
  ids: readonly string[],
): Promise<ReadonlyMap<string, StationCare>> {
  if (ids.length === 0) return new Map()
  const where = { chargePointId: { in: [...new Set(ids)] } }
  const found = await reads.listRecords('station_care', { where, limit: ids.length })
  return new Map(found.map((care) => [care.chargePointId, care]))
}

export interface Noticed extends Alert {
  readonly acknowledged?: AlertAcknowledgement | undefined
}

export function noticed(
  { reads }: Pick<AlertOrderContext, 'reads'>,
  alerts: readonly Alert[],
): Promise<readonly Noticed[]> {
  return Promise.all(
    alerts.map(async (alert) => {
      const { accountId, id: alertId } = alert
      return { ...alert, acknowledged: await reads.getRecord('alert_acknowledgements', { accountId, alertId }) }
    }),
  )
}

function ruleOf(
  { settings }: RuleOrderContext,
  identity: Pick<AlertRule, 'accountId' | 'id' | 'createdAt' | 'updatedAt'>,
  { name, kind, selector, targets, after, quietHours, escalation }: RequestedRule,
): AlertRule {
  return {
    ...identity,
    name,
    kind,
    targets,
    quietHours: zoned(settings, quietHours),
    afterSeconds: after,
    selector,
    escalation: escalationOf(escalation),
  }
}

async function faultsOf(
  { reads }: AlertOrderContext,
  { accountId, kind, selector, targets, escalation }: AlertRule,
): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  if (selector && !KINDS[kind].selects) {
    faults.push({ pointer: '/selector', code: 'invalid_value', message: `does not belong to the kind ${kind}` })
  }
  const placed = [
    ...targets.map((target, at) => ({ target, pointer: `/targets/${at}` })),
    ...(escalation?.targets ?? []).map((target, at) => ({ target, pointer: `/escalation/targets/${at}` })),
  ]
  for (const { target, pointer } of placed) {
    if (!('webhookId' in target)) continue
    const webhook = await reads.findSubscription(target.webhookId)
    if (webhook?.accountId === accountId && webhook.grantId === undefined && webhook.status !== 'revoked') continue
    const message = 'must be a webhook of the account: there is no such one'
    faults.push({ pointer: `${pointer}/webhookId`, code: 'invalid_value', message })
  }
  return faults
}
