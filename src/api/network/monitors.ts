/** Sets of monitors for many charge points, over the API (MONITOR-A1). */

import { statusOfFleet } from '../../application/configuration/fleet.ts'
import {
  MonitorsSchema,
  PutMonitorsSchema,
  putMonitors,
  removeMonitors,
  StationEventListSchema,
  stationEventQuery,
} from '../../application/monitors/orders.ts'
import { listOf } from '../../application/schemas/common.ts'
import { shown } from '../../application/schemas/shown.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { StationEvent } from '../../domain/monitors/records.ts'
import type { Api } from '../api-parts.ts'
import { recordPage } from '../record-page.ts'
import { chargePointResource } from '../resource.ts'
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

/** The events that a charge point sent, over the API (MONITOR-A7). */
export function addStationEvents(api: Api): void {
  const events = chargePointResource(api, { tag: 'Monitors', path: '/events' })
  events.get('', 'listEventsOfEvseController', 'List events of a charge point, newest first', {
    description: 'What it sent as NotifyEvent (OCPP 2.0.1), kept as long as the log.',
    query: stationEventQuery,
    ok: [StationEventListSchema, 'A page of events'],
    async handle(request) {
      const { id: chargePointId } = request.chargePoint
      const { from, to, component } = request.query
      // The newest has the lowest number: what is not before `from` is not above it.
      const bounds = { from: to === undefined ? undefined : 1 - to, below: from === undefined ? undefined : 1 - from }
      const newness = from === undefined && to === undefined ? undefined : bounds
      const where = { chargePointId, componentName: component?.toLowerCase(), newness }
      const show = (rows: readonly StationEvent[]) => rows.map(representEvent)
      const page = await recordPage(api, request, {
        name: `events of ${chargePointId}`,
        kind: 'station_events',
        where,
        show,
      })
      const { dropped = 0 } = (await api.reads.getRecord('event_tallies', { chargePointId })) ?? {}
      return { ...page, meta: { ...page.meta, ...(dropped > 0 && { dropped }) } }
    },
  })
}

function representEvent({ chargePointId, newness, id, event, receivedAt }: StationEvent): object {
  return {
    id,
    evseControllerId: chargePointId,
    at: isoTime(-newness),
    receivedAt: isoTime(receivedAt),
    ...event,
  }
}
