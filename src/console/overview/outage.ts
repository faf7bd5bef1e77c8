/** Whether so many stations are offline together that somebody has to look at once (CONSOLE-A21). */

import type { OfflineSite, SortedChargePoint } from '../../domain/ports/storage-queries.ts'
import { careOf, isTaken } from '../../application/alerts/rules.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import type { StationCare } from '../../domain/alerts/records.ts'
import { everyPage, type ReadPage } from '../../domain/every-page.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { OperatorContext } from '../console-parts.ts'

/** Of fewer, half are offline on any day. */
const LEAST_OFFLINE = 5

export interface Outage extends OfflineSite {
  /** Never 100 while one is online. */
  readonly percent: number
  readonly care?: StationCare | undefined
}

interface OutageContext extends Pick<OperatorContext, 'core'> {
  readonly reads: Pick<Reads, 'findChargePoints' | 'listRecords'>
}

/** Outages have no record of their own: somebody takes care of all that are offline, so a few of them tell. */
const TELLING = 3
const PAGE = 500

/** @param sites of which half is offline, as `listOfflineSites` has them */
export function outagesOf(sites: readonly OfflineSite[]): readonly Outage[] {
  return sites
    .filter(({ offline }) => offline >= LEAST_OFFLINE)
    .map((place) => ({ ...place, percent: Math.floor((place.offline / place.stations) * 100) }))
}

/** With who takes care since it began (CONSOLE-A23). */
export function withCare(
  place: OutageContext,
  accountId: string,
  outages: readonly Outage[],
): Promise<readonly Outage[]> {
  return Promise.all(
    outages.map(async (outage) => {
      const ids = await offlineOf(place, accountId, outage.site, TELLING).next()
      const care = [...(await careOf(place, ids.value ?? [])).values()].filter((one) => isTaken(one, outage.since))
      return { ...outage, care: care.length === ids.value?.length ? care[0] : undefined }
    }),
  )
}

/** Offline longest first. @param site undefined: of all sites */
export async function* offlineOf(
  place: OutageContext,
  accountId: string,
  site: string | undefined,
  limit = PAGE,
): AsyncGenerator<readonly string[], undefined> {
  const asked = { online: false, registrationStatuses: ['Accepted'], site } as const
  const read: ReadPage<SortedChargePoint> = (last) =>
    findChargePoints(place, asked, { accountId, sort: 'since', limit, after: last && [last.sortedBy, last.view.id] })
  for await (const page of everyPage(read, limit)) yield page.map(({ view }) => view.id)
}
