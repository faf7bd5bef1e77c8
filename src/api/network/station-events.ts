/** The events that a charge point sent, over the API (MONITOR-A7). */
import { StationEventListSchema, stationEventQuery } from '../../application/monitors/orders.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { StationEvent } from '../../domain/monitors/records.ts'
import type { Api } from '../api-parts.ts'
import { recordPage } from '../record-page.ts'
import { chargePointResource } from '../resource.ts'

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
      const show = (rows: readonly StationEvent[]) => rows.map(represented)
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

function represented({ chargePointId, newness, id, event, receivedAt }: StationEvent): object {
  return {
    id,
    evseControllerId: chargePointId,
    at: isoTime(-newness),
    receivedAt: isoTime(receivedAt),
    ...event,
  }
}
