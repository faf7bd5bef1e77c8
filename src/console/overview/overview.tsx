import { takeCare } from '../../application/alerts/rules.ts'
import { may } from '../../domain/accounts/roles.ts'
import { visiting } from '../../web/guard.ts'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { orderedChargePoint, pathOf } from '../charge-points/own-charge-point.ts'
import type { ConsolePage, ConsoleSite, OperatorContext } from '../console-parts.ts'
import { refusalsOf } from '../history/history.ts'
import { ordering, showing } from '../visit.tsx'
import { daysAt } from './comparison.ts'
import { healthOf } from './health.tsx'
import { groupingOf, needsOf } from './needs.ts'
import { CARE } from './needs-table.tsx'
import { offlineOf, outagesOf, withCare } from './outage.ts'
import { OverviewPage } from './overview-page.tsx'

const SITES_LOOKED_AT = 50
const MAX_OUTAGES = 3

/** Where sign-in leads. Members have their applications instead (ADMIN-A1). */
export function showHome(parts: OperatorContext): ConsolePage {
  const overview = showOverview(parts)
  return visiting('anybody', (site: ConsoleSite, context, { user }) =>
    may(user.role, 'see') ? overview(site, context) : seeOther(site, context, `${rootOf(site)}/applications`),
  )
}

function showOverview(parts: OperatorContext): ConsolePage {
  return showing('anybody', async (visit) => {
    const { site, context, accountId } = visit
    const { reads, now } = site
    const at = now()
    const days = daysAt(at, parts.timeZone)
    const by = groupingOf(context.req.query('by'))
    const online = await parts.core.onlineChargePoints(accountId)
    const [counts, offline, needs, energy, refusals, health] = await Promise.all([
      reads.countNetwork(accountId, online),
      reads.listOfflineSites(accountId, online, SITES_LOOKED_AT),
      needsOf(reads, accountId, online, by),
      reads.listEnergy(accountId, days.then, at),
      refusalsOf(reads, accountId, at),
      healthOf(parts, visit),
    ])
    return (
      <OverviewPage
        {...{ visit, now: at, days, counts, needs, energy, refusals, health }}
        outages={await withCare({ reads, core: parts.core }, accountId, outagesOf(offline).slice(0, MAX_OUTAGES))}
        more={Math.max(0, outagesOf(offline).length - MAX_OUTAGES)}
        baseUrl={parts.baseUrl}
      />
    )
  })
}

/** CONSOLE-A23: from the overview, or from the page of the charge point. */
export function takeCareOf({ core }: OperatorContext): ConsolePage {
  return ordering('operate', CARE, async (visit, form) => {
    const view = await orderedChargePoint(visit)
    if ('refused' in view) return view
    await takeCare({ ...visit.site, core }, visit.accountId, [view.id], visit.user.email)
    return form.get('at') === 'station' ? pathOf(view.id) : '/'
  })
}

export function takeCareOfOutage({ core }: OperatorContext): ConsolePage {
  return ordering('operate', CARE, async ({ site, accountId, user }, form) => {
    const ids: string[] = []
    for await (const page of offlineOf({ ...site, core }, accountId, form.get('site') ?? undefined)) ids.push(...page)
    await takeCare({ ...site, core }, accountId, ids, user.email)
    return '/'
  })
}
