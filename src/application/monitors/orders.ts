/** What the API does with sets of monitors, and what the end of a grant does (MONITOR-A1, OIDC-C13). */

import { namesOfMonitors } from '../../domain/monitors/desired.ts'
import type { MonitorSet } from '../../domain/monitors/records.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import { type FleetPlace, settleAll } from '../configuration/fleet.ts'

export interface MonitorPlace extends FleetPlace {
  readonly writes: Pick<Writes, 'removeRecords'>
  readonly core: Pick<Core, 'settleConfigurations' | 'configurationsChanged'>
}

/** They are cleared on the charge points, unless another set wants them. */
export async function removeMonitors(place: MonitorPlace, set: MonitorSet): Promise<void> {
  const { accountId, name, selector } = set
  await place.writes.removeRecords('monitor_sets', [{ accountId, name }])
  await place.core.configurationsChanged(accountId, { kind: 'monitor_sets', name })
  await settleAll(place, accountId, [selector], new Set(namesOfMonitors(set)))
}
