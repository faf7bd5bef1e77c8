/** Uptime of connectors, charge points, sites and months (UPTIME-U1 to UPTIME-U6). */

import { jsonOrCsv } from '../../application/schemas/common.ts'
import { type PlacedRow, type UptimeList, uptimeCsv, uptimeList } from '../../application/uptime/rows.ts'
import { UptimeListSchema, uptimeQuery } from '../../application/uptime/schemas.ts'
import { sharedChargePoints, sharedStatuses } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { preferred } from '../requests/media.ts'
import { windowFaults } from '../requests/validation.ts'
import { type CursorKey, pageOf, resource } from '../resource.ts'
import { fileHeaders, orRefused } from '../respond.ts'
import { streamed } from '../streamed.ts'

const MEDIA = ['application/json', 'text/csv'] as const

export function addUptime(api: Api): void {
  const uptime = resource(api, { tag: 'Uptime', path: '/2/uptime' })
  uptime.get('', 'listUptime', 'List the uptime of charge points', {
    description:
      'From the history that is kept, by connector, charge point, site or month. Sums are over connectors: a charge point of two has twice the time. Sites and months need all their charge points, so a long window is refused where there are many.',
    query: uptimeQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    produces: MEDIA,
    responses: { 200: jsonOrCsv(UptimeListSchema, 'A page of rows, or all of them as CSV') },
    async handle(request) {
      const { principal, query, context } = request
      const { from, to = api.now(), group = 'evseController', format } = query
      const list = orRefused(
        await uptimeList(
          { reads: api.reads, now: api.now, timeZone: api.settings.timeZone },
          {
            accountId: principal.accountId,
            group,
            from,
            to,
            shared: sharedChargePoints(principal),
            statuses: sharedStatuses(principal),
          },
        ),
      )
      if (format === 'csv' || preferred(context.req.header('accept'), MEDIA) === 'text/csv') {
        return streamed({ context, log: api.log, chunks: uptimeCsv(list), headers: fileHeaders('uptime.csv') })
      }
      return pageOf<PlacedRow, PlacedRow['at']>(api, request, {
        name: 'uptime',
        place: ({ at }) => at,
        isPlace: isPosition,
        rows: (limit, after) => firstRows(list, limit, after),
        show: (rows) => rows.map(({ row }) => row),
      })
    },
  })
}

function isPosition(place: CursorKey): place is PlacedRow['at'] {
  return place.length === 2 && typeof place[0] === 'string' && typeof place[1] === 'number'
}

async function firstRows(list: UptimeList, limit: number, after: PlacedRow['at'] | undefined): Promise<PlacedRow[]> {
  const found: PlacedRow[] = []
  for await (const rows of list.rows(after)) {
    found.push(...rows)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}
