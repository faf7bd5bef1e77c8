import type { SiteCounts } from '../../domain/ports/storage-queries.ts'
import type { FC } from 'hono/jsx'
import { type SiteState, siteState } from '../../domain/sites/site.ts'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { chargePointTexts, siteTexts } from '../kit/texts.ts'

/** Red and amber: somebody is needed. Blue: a car charges. The rest is grey. */
export const TONES: Readonly<Record<SiteState, string>> = {
  gone: 'bad',
  faulted: 'bad',
  offline: 'amber',
  pending: 'amber',
  charging: 'charging',
  free: '',
  empty: 'over',
}

export const SiteChip: FC<{ frame: Frame; site: SiteCounts }> = ({ frame, site }) => {
  const { state, count } = siteState(site)
  return (
    <>
      <span class={`chip ${TONES[state]}`.trim()}>{siteTexts(frame).states[state]}</span>
      {state !== 'gone' && state !== 'free' && state !== 'empty' && site.stations > 1 && (
        <span class="soft no-phone">
          {' '}
          {chargePointTexts(frame).partOf(shownFigure(frame, count), shownFigure(frame, site.stations))}
        </span>
      )}
    </>
  )
}
