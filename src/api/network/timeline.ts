/** What happened to a charge point, newest first (TIMELINE-A7). */

import { PAGE_DEFAULT } from '../../application/schemas/common.ts'
import {
  ChargePointTimelineSchema,
  chargePointTimeline,
  isTimelinePosition,
  timelineQuery,
} from '../../application/timeline/orders.ts'
import type { Api } from '../api-parts.ts'
import { windowFaults } from '../requests/validation.ts'
import { chargePointResource, foreignCursor, listQuery, openCursor } from '../resource.ts'

export function addChargePointTimeline(api: Api): void {
  const timeline = chargePointResource(api, {
    tag: 'Charge points',
    path: '/timeline',
  })
  timeline.get('', 'getChargePointTimeline', 'List the timeline of a charge point, newest first', {
    description:
      'Its connections and refused connections, boots, changes of status, security events, payments, the commands that it was sent, its messages that were refused, its sessions, and what is desired of it at the time of its last change. An entry that has a count stands for so many of its kind, the last one at `lastAt`.',
    query: timelineQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    ok: [ChargePointTimelineSchema, 'A page of the timeline'],
    async handle({ principal, chargePoint: { id, accountId }, query }) {
      const { from, to, limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`timeline of ${id}`, principal, { ...query, limit })
      const opened = cursor === undefined ? undefined : openCursor(api, cursor, bound, '?cursor')
      if (opened && !isTimelinePosition(opened)) throw foreignCursor()
      const page = await chargePointTimeline(api, { accountId, chargePointId: id, from, to }, opened, limit)
      const nextCursor = page.positions && api.cursors.seal(page.positions, bound, api.now())
      return { data: page.entries.map(({ entry }) => entry), meta: { nextCursor } }
    },
  })
}
