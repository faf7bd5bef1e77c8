/** What the API does with sets of monitors, and what the end of a grant does (MONITOR-A1, OIDC-C13). */

import { namesOfMonitors } from '../../domain/monitors/desired-monitors.ts'
import { type Monitor, type MonitorSet, monitorFaults } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noRoomFor } from '../account-limits.ts'
import { type FleetContext, settleAll } from '../configuration/fleet.ts'
import { keepDesired, refuseUnsettable } from '../configuration/orders.ts'
import type { UseCaseContext } from '../context.ts'

type MonitorContext = FleetContext & Pick<UseCaseContext, 'writes' | 'now'>

export interface AskedMonitor extends Omit<Monitor, 'transaction'> {
  readonly transaction?: boolean | undefined
}

/** Refuses with 422 and its faults what no charge point can be set, with 409 one too many (CONFIG-A13). */
export async function putMonitors(
  place: MonitorContext,
  { grantId, ...set }: Pick<MonitorSet, 'accountId' | 'name' | 'selector' | 'grantId'>,
  asked: readonly AskedMonitor[],
): Promise<{ readonly before?: MonitorSet | undefined; readonly after: MonitorSet } | Refusal> {
  const { accountId, name } = set
  const monitors = asked.map((monitor) => ({ ...monitor, transaction: monitor.transaction ?? false }))
  const refusal = refuseUnsettable(monitorFaults(monitors))
  if (refusal) return refusal
  const before = await place.reads.getRecord('monitor_sets', { accountId, name })
  const full = before ? undefined : await noRoomFor('monitor_sets', place.reads, accountId)
  if (full) return full
  const at = place.now()
  const changed: MonitorSet = {
    ...set,
    monitors,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    grantId,
  }
  const isSame = before && desiredText(before) === desiredText(changed) && before.grantId === grantId
  const after = isSame ? before : changed
  await keepDesired(place, { kind: 'monitor_sets', name }, before, after, namesOfMonitors)
  return { after, before }
}

function desiredText({ selector, monitors }: MonitorSet): string {
  return JSON.stringify([selector, monitors])
}

export async function removeMonitors(place: MonitorContext, set: MonitorSet): Promise<void> {
  const { accountId, name, selector } = set
  await place.writes.removeRecords('monitor_sets', [{ accountId, name }])
  await place.core.configurationsChanged(accountId, { kind: 'monitor_sets', name })
  await settleAll(place, accountId, [selector], new Set(namesOfMonitors(set)))
}
