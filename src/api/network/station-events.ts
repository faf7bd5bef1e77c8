/** The events that a charge point sent, over the API (MONITOR-A7). */

import { StationEventListSchema, stationEventQuery } from '../../application/monitors/schemas.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import { json as described, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import type { StationEvent } from '../../domain/monitors/records.ts'
import { needsScope, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { json } from '../respond.ts'

export function addStationEvents(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: '/2/evse-controllers/{evseController}/events',
    operationId: 'listEventsOfEvseController',
    tag: 'Monitors',
    summary: 'List events of a charge point, newest first',
    description: 'What it sent as NotifyEvent (OCPP 2.0.1), kept as long as the log.',
    access: needsScope('chargers:read'),
    params: chargePointParams,
    query: stationEventQuery,
    responses: { 200: described(StationEventListSchema, 'A page of events') },
    async handle({ principal, params, query }) {
      const { id: chargePointId } = await visibleChargePoint(api.reads, principal, params.evseController)
      const { limit = PAGE_DEFAULT, cursor, from, to, component } = query
      // The newest has the lowest number: what is not before `from` is not above it.
      const newness = {
        ...(to !== undefined && { from: 1 - to }),
        ...(from !== undefined && { below: 1 - from }),
      }
      const where = {
        chargePointId,
        ...(component !== undefined && { componentName: component.toLowerCase() }),
        ...((from !== undefined || to !== undefined) && { newness }),
      }
      const bound = listQuery(`events of ${chargePointId}`, principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, lastId) => {
        const last = lastId === undefined ? undefined : (JSON.parse(lastId) as [number, string])
        const found = await api.reads.listRecords('station_events', {
          where,
          limit: count,
          ...(last && { after: { chargePointId, newness: last[0], id: last[1] } }),
        })
        return found.map((row) => ({ id: JSON.stringify([row.newness, row.id]), row }))
      })
      const tally = await api.reads.getRecord('event_tallies', { chargePointId })
      const dropped = tally?.dropped ?? 0
      const meta = { nextCursor, ...(dropped > 0 && { dropped }) }
      return json({ data: rows.map(({ row }) => represented(row)), meta })
    },
  })
}

function represented({ chargePointId, newness, id, event, receivedAt }: StationEvent): object {
  return {
    id,
    evseControllerId: chargePointId,
    at: new Date(-newness).toISOString(),
    receivedAt: new Date(receivedAt).toISOString(),
    ...event,
  }
}
