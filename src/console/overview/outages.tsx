/** Outages: so many stations offline together that an operator has to look at once (CONSOLE-A21). */

import type { FC } from 'hono/jsx'
import { careOf, isTaken } from '../../application/alerts/rules.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import type { StationCare } from '../../domain/alerts/records.ts'
import { everyPage, type ReadPage } from '../../domain/every-page.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { OfflineSite, SortedChargePoint } from '../../domain/ports/storage-queries.ts'
import { shownFigure } from '../../web/figures.tsx'
import { shownClock, shownTime } from '../../web/times.tsx'
import type { OperatorContext } from '../console-parts.ts'
import { ButtonLink } from '../kit/columns.tsx'
import { Banner } from '../kit/frame.tsx'
import { overviewTexts } from '../kit/texts.ts'
import type { Visit } from '../visit.tsx'
import { TakenBy } from './needs-table.tsx'

/** Of fewer, half are offline on any day. */
const LEAST_OFFLINE = 5

interface Outage extends OfflineSite {
  /** Never 100 while one is online. */
  readonly percent: number
  readonly care?: StationCare | undefined
}

interface OutageContext extends Pick<OperatorContext, 'core'> {
  readonly reads: Pick<Reads, 'findChargePoints' | 'listRecords'>
}

/** Outages have no record of their own: one is taken care of as a whole, so a few offline stations show it. */
const SAMPLED = 3
const PAGE = 500

/** @param sites of which half is offline, as `listOfflineSites` has them */
export function outagesOf(sites: readonly OfflineSite[]): readonly Outage[] {
  return sites
    .filter(({ offline }) => offline >= LEAST_OFFLINE)
    .map((place) => ({ ...place, percent: Math.floor((place.offline / place.stations) * 100) }))
}

/** With who takes care since it began (CONSOLE-A23). */
export function withCare(
  context: OutageContext,
  accountId: string,
  outages: readonly Outage[],
): Promise<readonly Outage[]> {
  return Promise.all(
    outages.map(async (outage) => {
      const ids = await offlineOf(context, accountId, outage.site, SAMPLED).next()
      const care = [...(await careOf(context, ids.value ?? [])).values()].filter((one) => isTaken(one, outage.since))
      return { ...outage, care: care.length === ids.value?.length ? care[0] : undefined }
    }),
  )
}

/** Offline longest first. @param site undefined: of all sites */
export async function* offlineOf(
  context: OutageContext,
  accountId: string,
  site: string | undefined,
  limit = PAGE,
): AsyncGenerator<readonly string[], undefined> {
  const asked = { online: false, registrationStatuses: ['Accepted'], site } as const
  const read: ReadPage<SortedChargePoint> = (last) =>
    findChargePoints(context, asked, { accountId, sort: 'since', limit, after: last && [last.sortedBy, last.view.id] })
  for await (const page of everyPage(read, limit)) yield page.map(({ view }) => view.id)
}

const CLOCK_MS = 43_200_000

/** One for each site (CONSOLE-A21); no longer filled once a user takes care of it. */
export const Outages: FC<{ visit: Visit; outages: readonly Outage[]; more: number }> = ({ visit, outages, more }) => {
  const { frame } = visit
  const words = overviewTexts(frame)
  return (
    <>
      {outages.map(({ site, percent, stations, offline, since, care }, at) => {
        const asked = new URLSearchParams({ online: 'false', registration: 'Accepted', ...(site && { site }) })
        const from = frame.now - since < CLOCK_MS ? shownClock(frame, since) : shownTime(frame, since)
        const count = words.outageCount(shownFigure(frame, offline), shownFigure(frame, stations))
        const others = at === outages.length - 1 && more > 0 ? ` ${words.outageMore(more)}` : ''
        return (
          <Banner
            tone={care ? 'quiet' : 'loud'}
            title={
              site === undefined ? (
                `${words.outageAll(percent)} ${words.outageSince(from)}`
              ) : (
                <>
                  {words.outageAt(percent)} <bdi>{site}</bdi> {words.outageSince(from)}
                </>
              )
            }
            reported={`${count}.${others}`}
          >
            <TakenBy visit={visit} care={care} to={`${frame.root}/outages/care`} about={site ?? ''} button>
              {site !== undefined && <input type="hidden" name="site" value={site} />}
            </TakenBy>
            <ButtonLink main={!care} to={`${frame.root}/charge-points?${asked}`} text={words.outageShow} />
          </Banner>
        )
      })}
    </>
  )
}
