/** Sets of monitors for many charge points, over the API (MONITOR-A1). */

import { statusOfFleet } from '../../application/configuration/fleet.ts'
import { MonitorsSchema, PutMonitorsSchema, putMonitors, removeMonitors } from '../../application/monitors/orders.ts'
import { listOf } from '../../application/schemas/common.ts'
import { shown } from '../../application/schemas/shown.ts'
import type { Api } from '../api-parts.ts'
import { addNamedOfFleet } from './named-of-fleet.ts'

export function addMonitors(api: Api): void {
  addNamedOfFleet(api, {
    kind: 'monitor_sets',
    tag: 'Monitors',
    operations: 'Monitors',
    noun: 'set of monitors',
    several: { operation: 'listMonitors', noun: 'sets of monitors', schema: listOf('MonitorsList', MonitorsSchema) },
    path: '/2/monitors',
    put: {
      description:
        'Every charge point of OCPP 2.0.1 that the selector means gets these monitors, now or when it connects; it keeps all that any of the sets wants. What it reports is read at …/evse-controllers/{id}/events. GET …/status tells how far it is.',
      body: PutMonitorsSchema,
      replaced: [MonitorsSchema, 'They were there before', 'They are new'],
      handle: ({ accountId, name, body: { selector, monitors }, grantId }) =>
        putMonitors(api, { accountId, name, selector, grantId }, monitors),
    },
    ok: [MonitorsSchema, 'The monitors'],
    show: (set) => shown(MonitorsSchema, set),
    status: 'monitors',
    stations: (found) =>
      statusOfFleet(api.reads, found, ({ source }) => source?.monitors?.includes(found.name) === true),
    removal: 'They are cleared on the charge points, unless another set wants them.',
    remove: (found) => removeMonitors(api, found),
  })
}
