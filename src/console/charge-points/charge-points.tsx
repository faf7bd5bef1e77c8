/** The account's charge points, the same as a file, and the decision about those that wait for it. */
import { changeChargePoint } from '../../application/charge-points/change.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { noSuch, refuseFault } from '../../application/refuse.ts'
import type { ChargePointView, SortedChargePoint } from '../../domain/ports/storage.ts'
import type { ConsolePage, ConsoleSite, OperatorParts } from '../console-parts.ts'
import { pageOfRows, ROWS_ASKED } from '../kit/page-of-rows.ts'
import { acting, answering, showing, type Visit } from '../visit.tsx'
import { csvOf } from './charge-points-csv.ts'
import { ChargePointsPage, type ShownChargePoint } from './charge-points-page.tsx'
import { DECIDED_AT, DECISION } from './decision.tsx'
import { type ListQuery, readListQuery } from './list-query.ts'
import { pathOf } from './own-charge-point.ts'

const CSV_ROWS = 500
const MOST_OPEN = 500

export function showChargePoints(parts: OperatorParts): ConsolePage {
  return showing('anybody', async (visit) => {
    const { site, context, accountId } = visit
    const query = readListQuery(new URL(context.req.url).searchParams)
    const found = query.wrong.length > 0 ? [] : await find(parts, site, accountId, query, ROWS_ASKED)
    const { rows, last } = pageOfRows(found)
    const page = (
      <ChargePointsPage
        visit={visit}
        query={query}
        chargePoints={await withSessions(visit, await withConnectivity(parts, rows))}
        next={last && { after: last.view.id, by: String(last.sortedBy) }}
      />
    )
    return query.wrong.length > 0 ? { page, status: 400 } : page
  })
}

/** All that the filters leave, without pages. */
export function downloadChargePoints(parts: OperatorParts): ConsolePage {
  return answering('anybody', async ({ site, context, accountId }) => {
    const query = readListQuery(new URL(context.req.url).searchParams)
    const all: ShownChargePoint[] = []
    let after = query.after
    for (let more = query.wrong.length === 0; more; ) {
      const rows = await find(parts, site, accountId, { ...query, ...(after && { after }) }, CSV_ROWS)
      all.push(...(await withConnectivity(parts, rows)))
      const last = rows.at(-1)
      more = last !== undefined && rows.length === CSV_ROWS
      if (last) after = [last.sortedBy, last.view.id]
    }
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="charge-points.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    return new Response(csvOf(all), { status: query.wrong.length > 0 ? 400 : 200, headers })
  })
}

function find(
  { core }: OperatorParts,
  { reads }: ConsoleSite,
  accountId: string,
  { filter, sort, descending, after }: ListQuery,
  limit: number,
): Promise<readonly SortedChargePoint[]> {
  return findChargePoints({ reads, core }, filter, { accountId, sort, descending, limit, ...(after && { after }) })
}

async function withConnectivity(
  { core }: OperatorParts,
  rows: readonly { readonly view: ChargePointView }[],
): Promise<readonly ShownChargePoint[]> {
  const connectivity = rows.length > 0 ? await core.connectivity(rows.map(({ view }) => view.id)) : []
  const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
  return rows.map(({ view }) => {
    const now = live.get(view.id)
    return { view, ...(now && { live: now }) }
  })
}

/** The sessions of those that are only known to be taken. */
async function withSessions(
  { site, accountId }: Visit,
  shown: readonly ShownChargePoint[],
): Promise<readonly ShownChargePoint[]> {
  const chargePointIds = shown.filter(isOccupied).map(({ view }) => view.id)
  if (chargePointIds.length === 0) return shown
  const open = await site.reads.listSessions({ accountId, chargePointIds, running: true, limit: MOST_OPEN })
  return shown.map((one) => ({ ...one, open: open.filter(({ chargePointId }) => chargePointId === one.view.id) }))
}

function isOccupied({ view }: ShownChargePoint): boolean {
  return view.connectors.some(({ status }) => status.toLowerCase() === 'occupied')
}

/** The rules of PATCH /2/evse-controllers/{id}. */
export function decideRegistration({ core }: OperatorParts): ConsolePage {
  return acting(DECISION, async ({ site, context, accountId }, form) => {
    const { reads, writes, random, config } = site
    const decision = form.get('registrationStatus')
    const withCertificate = decision === 'AcceptedWithCertificate'
    const registrationStatus = withCertificate ? 'Accepted' : decision
    if (registrationStatus !== 'Accepted' && registrationStatus !== 'Rejected') {
      return refuseFault('/registrationStatus', 'invalid_value', 'must be Accepted or Rejected')
    }
    const chargePoint = await reads.findChargePoint(context.req.param('chargePoint') ?? '')
    if (chargePoint?.accountId !== accountId) return noSuch('charge point')
    const password = form.get('password') ?? ''
    const changed = await changeChargePoint({ writes, core, random, settings: config }, chargePoint, {
      registrationStatus,
      ...(withCertificate && { securityProfile: 3 as const }),
      ...(password !== '' && decision === 'Accepted' && { password }),
    })
    if ('refused' in changed) return changed
    return form.get(DECIDED_AT) === null ? '/charge-points' : pathOf(chargePoint.id)
  })
}
