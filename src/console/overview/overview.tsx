import type { FC } from 'hono/jsx'
import { careOf, isTaken, takeCare } from '../../application/alerts/rules.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { may } from '../../domain/accounts/roles.ts'
import type { StationCare } from '../../domain/alerts/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { OfflineSite, SortedChargePoint } from '../../domain/ports/storage-queries.ts'
import { everyPage, type ReadPage } from '../../domain/selector.ts'
import { Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { visiting } from '../../web/guard.ts'
import { QrCode } from '../../web/qr-code.tsx'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { shownClock, shownTime } from '../../web/times.tsx'
import { orderedChargePoint, pathOf } from '../charge-points/own-charge-point.ts'
import type { ConsolePage, ConsoleSite, OperatorContext } from '../console-parts.ts'
import { refusalsOf } from '../history/history.tsx'
import { Banner, ButtonLink, wordsIn } from '../kit/parts.tsx'
import { mayAct, ordering, showing, type Visit } from '../visit.tsx'
import { daysAt, Figures, PowerOfDay } from './day.tsx'
import { HealthPanel, healthOf } from './health.tsx'
import { groupingOf, needsOf } from './needs.ts'
import { CARE, NeedsTable, TakenBy } from './needs-table.tsx'

// Outages: so many stations offline together that an operator has to look at once (CONSOLE-A21).

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
function withCare(context: OutageContext, accountId: string, outages: readonly Outage[]): Promise<readonly Outage[]> {
  return Promise.all(
    outages.map(async (outage) => {
      const ids = await offlineOf(context, accountId, outage.site, SAMPLED).next()
      const care = [...(await careOf(context, ids.value ?? [])).values()].filter((one) => isTaken(one, outage.since))
      return { ...outage, care: care.length === ids.value?.length ? care[0] : undefined }
    }),
  )
}

/** Offline longest first. @param site undefined: of all sites */
async function* offlineOf(
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
const Outages: FC<{ visit: Visit; outages: readonly Outage[]; more: number }> = ({ visit, outages, more }) => {
  const { frame } = visit
  const words = wordsIn('overview', frame)
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
  const words = wordsIn('overview', frame)
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
