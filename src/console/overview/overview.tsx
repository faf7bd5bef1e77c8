import type { FC } from 'hono/jsx'
import { takeCare } from '../../application/alerts/rules.ts'
import { may } from '../../domain/accounts/roles.ts'
import { visiting } from '../../web/guard.ts'
import { Page } from '../../web/layout.tsx'
import { QrCode } from '../../web/qr-code.tsx'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { orderedChargePoint, pathOf } from '../charge-points/own-charge-point.ts'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { refusalsOf } from '../history/history.ts'
import { overviewTexts } from '../kit/texts.ts'
import { mayAct, ordering, showing, type Visit } from '../visit.tsx'
import { daysAt, Figures, PowerOfDay } from './day.tsx'
import { HealthPanel, healthOf } from './health.tsx'
import { groupingOf, needsOf } from './needs.ts'
import { CARE, NeedsTable } from './needs-table.tsx'
import { Outages, offlineOf, outagesOf, withCare } from './outages.tsx'

const SITES_LOOKED_AT = 50
const MAX_OUTAGES = 3

/** Where sign-in leads. Members have their applications instead (ADMIN-A1). */
export const showHome: ConsolePage = visiting('anybody', (site: ConsoleSite, context, { user }) =>
  may(user.role, 'see') ? showOverview(site, context) : seeOther(site, context, `${rootOf(site)}/applications`),
)

const showOverview: ConsolePage = showing('anybody', async (visit) => {
  const { site, context, accountId, frame } = visit
  const { reads, now } = site
  const at = now()
  const days = daysAt(at, visit.site.timeZone)
  const by = groupingOf(context.req.query('by'))
  const online = await visit.site.core.onlineChargePoints(accountId)
  const [counts, offline, needs, energy, refusals, health] = await Promise.all([
    reads.countNetwork(accountId, online),
    reads.listOfflineSites(accountId, online, SITES_LOOKED_AT),
    needsOf(reads, accountId, online, by),
    reads.listEnergy(accountId, days.then, at),
    refusalsOf(reads, accountId, at),
    healthOf(visit),
  ])
  const outages = outagesOf(offline)
  return (
    <Page frame={frame} title={frame.texts.overview} wide live>
      <h1 class={counts.chargePoints === 0 ? undefined : 'unseen'}>{frame.texts.overview}</h1>
      <div data-live="overview">
        {counts.chargePoints === 0 ? (
          <Guide visit={visit} baseUrl={visit.site.baseUrl} />
        ) : (
          <>
            <Outages
              visit={visit}
              outages={await withCare(visit.site, accountId, outages.slice(0, MAX_OUTAGES))}
              more={Math.max(0, outages.length - MAX_OUTAGES)}
            />
            <NeedsTable visit={visit} counts={counts} needs={needs} refusals={refusals} />
            <Figures frame={frame} days={days} counts={counts} energy={energy} />
            <div class="cols">
              <PowerOfDay frame={frame} now={at} days={days} energy={energy} />
              <HealthPanel frame={frame} health={health} baseUrl={visit.site.baseUrl} />
            </div>
          </>
        )}
      </div>
    </Page>
  )
})

/** CONSOLE-A23: from the overview, or from the page of the charge point. */
export const takeCareOf: ConsolePage = ordering('operate', CARE, async (visit, form) => {
  const view = await orderedChargePoint(visit)
  if ('refused' in view) return view
  await takeCare(visit.site, visit.accountId, [view.id], visit.user.email)
  return form.get('at') === 'station' ? pathOf(view.id) : '/'
})

export const takeCareOfOutage: ConsolePage = ordering('operate', CARE, async ({ site, accountId, user }, form) => {
  const ids: string[] = []
  for await (const page of offlineOf(site, accountId, form.get('site') ?? undefined)) ids.push(...page)
  await takeCare(site, accountId, ids, user.email)
  return '/'
})

/** What an empty database shows in place of figures (CONSOLE-A14). */
const Guide: FC<{ visit: Visit; baseUrl: string }> = ({ visit, baseUrl }) => {
  const { frame, administrator } = visit
  const words = overviewTexts(frame)
  const address = `${baseUrl.replace(/^http/, 'ws')}/ocpp/`
  return (
    <>
      <p>
        <strong>{words.begin}.</strong> {words.beginLead}
      </p>
      <section class="card guide">
        <h2>{words.station}</h2>
        <div class="beside">
          <div>
            <p>{words.stationAddress}</p>
            <p>
              <input class="copied" readonly value={address} aria-label={words.station} />
            </p>
            <p class="soft">{words.stationIdentity}</p>
            {mayAct(visit) && (
              <p>
                {words.stationRegister} <a href={`${frame.root}/new-charge-point`}>{words.addStation}</a>
              </p>
            )}
          </div>
          <QrCode text={address} label={words.qr} />
        </div>
      </section>
      <section class="card">
        <h2>{words.simulator}</h2>
        <p>{words.simulatorLead}</p>
        <pre tabindex={0}>npm run simulate</pre>
      </section>
      <section class="card">
        <h2>{words.card}</h2>
        <p>{words.cardLead}</p>
        <pre tabindex={0}>
          {`curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL" -H "Content-Type: application/json" \\
  -d '{"id":"04A2B3C4D5E6F7"}' ${baseUrl}/2/id-tokens`}
        </pre>
      </section>
      <section class="card">
        <h2>{words.app}</h2>
        <p>{words.appLead}</p>
        <p>
          {administrator && (
            <>
              <a href={`${frame.root}/developer/clients`}>{frame.texts.newApplication}</a>
              {' · '}
            </>
          )}
          <a href={`${baseUrl}/docs`}>{words.reference}</a>
        </p>
      </section>
    </>
  )
}
