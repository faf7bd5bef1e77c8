/** Whether so many stations are offline together that somebody has to look at once (CONSOLE-A21). */
import type { OfflineSite } from '../../domain/ports/storage.ts'

/** Of fewer, half are offline on any day. */
const LEAST_OFFLINE = 5

export interface Outage extends OfflineSite {
  /** Never 100 while one is online. */
  readonly percent: number
}

/** @param sites of which half is offline, as `listOfflineSites` has them */
export function outagesOf(sites: readonly OfflineSite[]): readonly Outage[] {
  return sites
    .filter(({ offline }) => offline >= LEAST_OFFLINE)
    .map((place) => ({ ...place, percent: Math.floor((place.offline / place.stations) * 100) }))
}
