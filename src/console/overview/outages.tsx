import type { FC } from 'hono/jsx'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { shownClock, shownTime } from '../../web/times.tsx'
import { Banner } from '../kit/frame.tsx'
import type { Outage } from './outage.ts'
import { overviewTexts } from './texts.ts'

const MOST_SHOWN = 3
/** Within them a time of day is enough. */
const CLOCK_MS = 43_200_000

/** Above everything else, one for each site (CONSOLE-A21). */
export const Outages: FC<{ frame: Frame; outages: readonly Outage[] }> = ({ frame, outages }) => {
  const words = overviewTexts(frame)
  const more = outages.length - MOST_SHOWN
  return (
    <>
      {outages.slice(0, MOST_SHOWN).map(({ site, percent, stations, offline, since }, at) => {
        const asked = new URLSearchParams({ online: 'false', registration: 'Accepted', ...(site && { site }) })
        const from = frame.now - since < CLOCK_MS ? shownClock(frame, since) : shownTime(frame, since)
        const count = words.outageCount(shownFigure(frame, offline), shownFigure(frame, stations))
        const others = at === MOST_SHOWN - 1 && more > 0 ? ` ${words.outageMore(more)}` : ''
        return (
          <Banner
            tone="loud"
            title={
              site === undefined ? (
                `${words.outageAll(percent)} ${words.outageSince(from)}`
              ) : (
                <>
                  {words.outageAt(percent)} <bdi>{site}</bdi> {words.outageSince(from)}
                </>
              )
            }
            told={`${count}.${others}`}
          >
            <a class="button main" href={`${frame.root}/charge-points?${asked}`}>
              {words.outageShow}
            </a>
          </Banner>
        )
      })}
    </>
  )
}
