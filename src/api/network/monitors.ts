/** Sets of monitors for many charge points, over the API (MONITOR-A1). */
import { statusOfFleet } from '../../application/configuration/fleet.ts'
import { putMonitors, removeMonitors } from '../../application/monitors/orders.ts'
import { MonitorsSchema, PutMonitorsSchema } from '../../application/monitors/schemas.ts'
import { listOf } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { MonitorSet } from '../../domain/monitors/records.ts'
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
    show: represented,
    status: 'monitors',
    stations: (found) =>
      statusOfFleet(api.reads, found, ({ source }) => source?.monitors?.includes(found.name) === true),
    removal: 'They are cleared on the charge points, unless another set wants them.',
    remove: (found) => removeMonitors(api, found),
  })
}

function represented({ name, selector, monitors, revision, createdAt, updatedAt }: MonitorSet): object {
  return {
    name,
    selector,
    monitors,
    revision,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}
