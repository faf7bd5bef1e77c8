/** The whole network at a glance: what `/dashboard` shows, and where sign-in leads. */

import { may } from '../../domain/accounts/roles.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { startOfDay } from '../../domain/time-zone.ts'
import { visiting } from '../../web/guard.ts'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { ConsolePage, ConsoleSite, OperatorParts } from '../console-parts.ts'
import { refusalsOf } from '../history/history.ts'
import { mayAct, showing, type Visit } from '../visit.tsx'
import { outagesOf } from './outage.ts'
import { OverviewPage } from './overview-page.tsx'

const DAY_MS = 86_400_000
const FAULTS_SHOWN = 8
const SITES_LOOKED_AT = 50
/** Of applications; nobody looks through more of them to find the failing ones. */
const WEBHOOKS_COUNTED = 500

/** Where sign-in leads. Members have their applications instead (ADMIN-A1). */
export function showHome(parts: OperatorParts): ConsolePage {
  const overview = showOverview(parts)
  return visiting('anybody', (site: ConsoleSite, context, { user }) =>
    may(user.role, 'see') ? overview(site, context) : seeOther(site, context, `${rootOf(site)}/applications`),
  )
}

function showOverview(parts: OperatorParts): ConsolePage {
  return showing('anybody', async (visit) => {
    const { site, frame, accountId, administrator } = visit
    const { reads, now } = site
    const at = now()
    const midnight = startOfDay(at, parts.timeZone)
    const online = await parts.core.onlineChargePoints(accountId)
    const [counts, offline, faults, energy, refusals, failing, statistics] = await Promise.all([
      reads.countNetwork(accountId, online),
      reads.listOfflineSites(accountId, online, SITES_LOOKED_AT),
      reads.listFaults(accountId, online, FAULTS_SHOWN),
      reads.listEnergy(accountId, Math.min(midnight, at - DAY_MS), at),
      refusalsOf(reads, accountId, at),
      administrator ? countFailing(visit) : undefined,
      parts.core.statistics(),
    ])
    return (
      <OverviewPage
        frame={frame}
        now={at}
        midnight={midnight}
        counts={counts}
        outages={outagesOf(offline)}
        faults={faults}
        energy={energy}
        refusals={refusals}
        {...(failing !== undefined && { failing })}
        failedWrites={statistics.failedCommits + statistics.failedFlushes}
        baseUrl={parts.baseUrl}
        administrator={administrator}
        acts={mayAct(visit)}
      />
    )
  })
}

async function countFailing({ site: { reads }, accountId }: Visit): Promise<number> {
  const [own, ofApplications] = await Promise.all([
    reads.listSubscriptions({ accountId }),
    reads.listGrantSubscriptions({ accountId, limit: WEBHOOKS_COUNTED }),
  ])
  return [...own, ...ofApplications].filter(isFailing).length
}

function isFailing({ status, failingSince, disabledReason }: Subscription): boolean {
  if (status === 'disabled') return disabledReason === 'failing' || disabledReason === 'gone'
  return status === 'active' && failingSince !== undefined
}
