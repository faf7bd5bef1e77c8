import { countChargePoints, findChargePoints } from '../../application/charge-points/find.ts'
import { changeChargePoint } from '../../application/charge-points/register.ts'
import { preferencesOf } from '../../application/users/preferences.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { detailsOf } from '../../domain/sessions/figures/details.ts'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { type CsvColumns, csvText } from '../csv-file.ts'
import { listFile, listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { acting, type Visit } from '../visit.tsx'
import { ChargePointsPage, DECIDED_AT, DECISION } from './charge-points-page.tsx'
import { chosenColumns } from './columns.tsx'
import { shownPlace } from './connector.tsx'
import { CHARGE_POINT_FILTERS, type ChargePointListQuery, filterOf, type ListPosition, placeOf } from './list-query.ts'
import { pathOf } from './own-charge-point.ts'
import { type ShownChargePoint, withOpen } from './shown-charge-point.ts'
import { COLUMNS_KEPT, savedViews, VIEWS } from './views.ts'

const CSV_ROWS = 500
const MAX_OPEN = 500

export const showChargePoints: ConsolePage = listing('anybody', CHARGE_POINT_FILTERS, async (visit, query) => {
  const { site, context, accountId, frame } = visit
  const { reads } = site
  const place = placeOf(query.requested, new URL(context.req.url).searchParams)
  const isWrong = query.wrong.length > 0
  const filter = filterOf(query.requested)
  const [found, total, online, preferences] = await Promise.all([
    isWrong ? [] : findChargePoints(visit.site, filter, pageOf(accountId, place, rowsAsked(frame))),
    isWrong ? 0 : countChargePoints(visit.site, accountId, filter),
    visit.site.core.onlineChargePoints(accountId),
    preferencesOf(reads, visit.user.id),
  ])
  const { rows, last } = pageOfRows(found, frame)
  return (
    <ChargePointsPage
      visit={visit}
      query={query}
      place={place}
      chargePoints={await shownOf(visit, rows)}
      total={total}
      counts={await reads.countNetwork(accountId, online)}
      columns={chosenColumns(preferences.get(COLUMNS_KEPT))}
      views={savedViews(preferences.get(VIEWS))}
      next={last && { after: last.view.id, by: String(last.sortedBy) }}
    />
  )
})

export const downloadChargePoints: ConsolePage = listFile(
  'anybody',
  CHARGE_POINT_FILTERS,
  async ({ site, context, accountId }, { requested }) => {
    const place = placeOf(requested, new URL(context.req.url).searchParams)
    return {
      name: 'charge-points.csv',
      chunks: csvText(CHARGE_POINT_COLUMNS, pagesOf(site, accountId, place, requested)),
    }
  },
)

async function* pagesOf(
  site: ConsoleSite,
  accountId: string,
  place: ListPosition,
  requested: ChargePointListQuery['requested'],
): AsyncGenerator<readonly ShownChargePoint[], void, undefined> {
  for (let { after } = place; ; ) {
    const page = pageOf(accountId, { ...place, ...(after && { after }) }, CSV_ROWS)
    const rows = await findChargePoints(site, filterOf(requested), page)
    yield await withConnectivity(site, rows)
    const last = rows.at(-1)
    if (!last || rows.length < CSV_ROWS) return
    after = [last.sortedBy, last.view.id]
  }
}

function pageOf(accountId: string, { sort, descending, after }: ListPosition, limit: number) {
  return { accountId, sort, descending, limit, after }
}

async function withConnectivity(
  { core }: ConsoleSite,
  rows: readonly { readonly view: ChargePointView }[],
): Promise<readonly ShownChargePoint[]> {
  const connectivity = rows.length > 0 ? await core.connectivity(rows.map(({ view }) => view.id)) : []
  const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
  return rows.map(({ view }) => {
    const now = live.get(view.id)
    return { view, live: now }
  })
}

export async function shownOf(
  visit: Visit,
  rows: readonly { readonly view: ChargePointView }[],
): Promise<readonly ShownChargePoint[]> {
  return withSessions(visit, await withConnectivity(visit.site, rows))
}

async function withSessions(
  { site, accountId }: Visit,
  shown: readonly ShownChargePoint[],
): Promise<readonly ShownChargePoint[]> {
  const chargePointIds = shown.filter(isTaken).map(({ view }) => view.id)
  if (chargePointIds.length === 0) return shown
  const { reads, now } = site
  const open = await reads.listSessions({ accountId, chargePointIds, running: true, limit: MAX_OPEN })
  const details = detailsOf(open, await reads.findTransactionsOf(open), now())
  return shown.map((one) => {
    return withOpen(
      one,
      open.filter(({ chargePointId }) => chargePointId === one.view.id),
      details,
    )
  })
}

function isTaken({ view }: ShownChargePoint): boolean {
  return view.connectors.some(({ status }) => !IDLE.has(status.toLowerCase()))
}

const IDLE: ReadonlySet<string> = new Set(['available', 'unavailable', 'reserved'])

export const decideRegistration: ConsolePage = acting(DECISION, async ({ site, context, accountId }, form) => {
  const { reads } = site
  const decision = form.get('registrationStatus')
  const withCertificate = decision === 'AcceptedWithCertificate'
  const registrationStatus = withCertificate ? 'Accepted' : decision
  if (registrationStatus !== 'Accepted' && registrationStatus !== 'Rejected') {
    return refuseFault('/registrationStatus', 'invalid_value', 'must be Accepted or Rejected')
  }
  const chargePoint = await reads.findChargePoint(context.req.param('chargePoint') ?? '')
  if (chargePoint?.accountId !== accountId) return noSuch('charge point')
  const password = form.get('password') ?? ''
  const changed = await changeChargePoint(site, chargePoint, {
    registrationStatus,
    ...(withCertificate && { securityProfile: 3 as const }),
    ...(password !== '' && decision === 'Accepted' && { password }),
  })
  if ('refused' in changed) return changed
  return form.get(DECIDED_AT) === null ? '/charge-points' : pathOf(chargePoint.id)
})

/** Charge points as CSV (RFC 4180), safe to open in a spreadsheet. */
const CHARGE_POINT_COLUMNS: CsvColumns<ShownChargePoint> = {
  id: ({ view }) => view.id,
  name: ({ view }) => view.name,
  online: ({ live }) => String(live?.online ?? false),
  registrationStatus: ({ view }) => view.registrationStatus,
  protocol: ({ view, live }) => live?.protocol ?? view.status.protocol,
  connectors: ({ view }) =>
    view.connectors
      .map((one) => [shownPlace(one), one.status, errorOf(one)].filter((part) => part !== '').join(' '))
      .join('; '),
  vendor: ({ view }) => view.status.vendor,
  model: ({ view }) => view.status.model,
  serialNumber: ({ view }) => view.status.serialNumber,
  firmwareVersion: ({ view }) => view.status.firmwareVersion,
  securityProfile: ({ view }) => view.securityProfile,
  labels: ({ view }) =>
    Object.entries(view.labels ?? {})
      .map(([key, value]) => `${key}:${value}`)
      .join('; '),
  lastSeenAt: ({ view, live }) => isoTime(live?.lastSeenAt ?? view.status.lastSeenAt),
}

function errorOf({ errorCode }: ShownChargePoint['view']['connectors'][number]): string {
  return errorCode === undefined || errorCode === 'NoError' ? '' : errorCode
}
