import type { EnergySlot, NetworkCounts } from '../../domain/ports/storage-queries.ts'
import type { FC } from 'hono/jsx'
import { Page } from '../../web/layout.tsx'
import type { Refusals } from '../history/history.ts'
import { mayAct, type Visit } from '../visit.tsx'
import type { Days } from './comparison.ts'
import { Figures, PowerOfDay } from './day.tsx'
import { Guide } from './guide.tsx'
import { type Health, HealthPanel } from './health.tsx'
import type { Needs } from './needs.ts'
import { NeedsTable } from './needs-table.tsx'
import type { Outage } from './outage.ts'
import { Outages } from './outages.tsx'

export const OverviewPage: FC<{
  readonly visit: Visit
  readonly now: number
  readonly days: Days
  readonly counts: NetworkCounts
  readonly outages: readonly Outage[]
  readonly more: number
  readonly needs: Needs
  readonly refusals: Refusals
  readonly energy: readonly EnergySlot[]
  readonly health: Health
  readonly baseUrl: string
}> = ({ visit, baseUrl, ...overview }) => {
  const { frame, administrator } = visit
  const { counts } = overview
  return (
    <Page frame={frame} title={frame.texts.overview} wide live>
      <h1 class={counts.chargePoints === 0 ? undefined : 'unseen'}>{frame.texts.overview}</h1>
      <div data-live="overview">
        {counts.chargePoints === 0 ? (
          <Guide frame={frame} baseUrl={baseUrl} administrator={administrator} acts={mayAct(visit)} />
        ) : (
          <>
            <Outages visit={visit} outages={overview.outages} more={overview.more} />
            <NeedsTable visit={visit} counts={counts} needs={overview.needs} refusals={overview.refusals} />
            <Figures frame={frame} {...overview} />
            <div class="cols">
              <PowerOfDay frame={frame} now={overview.now} days={overview.days} energy={overview.energy} />
              <HealthPanel frame={frame} health={overview.health} baseUrl={baseUrl} />
            </div>
          </>
        )}
      </div>
    </Page>
  )
}
