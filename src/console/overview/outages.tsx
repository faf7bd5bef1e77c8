import type { FC } from 'hono/jsx'
import { shownFigure } from '../../web/figures.tsx'
import { shownClock, shownTime } from '../../web/times.tsx'
import { Banner } from '../kit/frame.tsx'
import { overviewTexts } from '../kit/texts.ts'
import type { Visit } from '../visit.tsx'
import { TakenBy } from './needs-table.tsx'
import type { Outage } from './outage.ts'

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
            <TakenOutage visit={visit} site={site} care={care} />
            <a class={care ? 'button' : 'button main'} href={`${frame.root}/charge-points?${asked}`}>
              {words.outageShow}
            </a>
          </Banner>
        )
      })}
    </>
  )
}

const TakenOutage: FC<{ visit: Visit } & Pick<Outage, 'site' | 'care'>> = ({ visit, site, care }) => (
  <TakenBy visit={visit} care={care} to={`${visit.frame.root}/outages/care`} about={site ?? ''} button>
    {site !== undefined && <input type="hidden" name="site" value={site} />}
  </TakenBy>
)
