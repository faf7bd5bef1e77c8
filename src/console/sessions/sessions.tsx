import { withLabels } from '../../application/charge-points/labels.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { csvText } from '../csv-file.ts'
import { listFile, listing } from '../kit/listing.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import type { Visit } from '../visit.tsx'
import { SESSION_FILTERS, sessionFilter } from './session-query.ts'
import { createTotals } from './session-totals.ts'
import { SESSION_COLUMNS, sessionRows } from './sessions-csv.ts'
import { isOver, SessionsPage } from './sessions-page.tsx'

export function showSessions({ core }: Pick<OperatorContext, 'core'>): ConsolePage {
  const totalsOf = createTotals()
  return listing('anybody', SESSION_FILTERS, async (visit, query) => {
    const { site, context, frame, accountId } = visit
    if (query.wrong.length > 0)
      return <SessionsPage visit={visit} frame={frame} query={query} sessions={[]} later={false} />
    const before = context.req.query('before')
    const filter = await withLabels(site.reads, sessionFilter(query.requested, accountId, frame), query.requested.label)
    const found = await site.reads.listSessions({ ...filter, byStart: true, belowId: before, limit: rowsAsked(frame) })
    const { rows: sessions, last } = pageOfRows(found, frame)
    const { evseControllerId } = query.requested
    const chargePoint = evseControllerId === undefined ? undefined : await headOf(core, visit, evseControllerId)
    const isGone = evseControllerId !== undefined && !chargePoint
    const unknown = isGone && sessions.length === 0 && (await isUnknown(visit, evseControllerId))
    const running = sessions.filter((session) => !isOver(session))
    const stations = [...new Set(running.map(({ chargePointId }) => chargePointId))]
    const connectivity = stations.length > 0 ? await core.connectivity(stations) : []
    const page = (
      <SessionsPage
        visit={visit}
        frame={frame}
        query={query}
        chargePoint={chargePoint}
        sessions={sessions}
        offline={new Set(connectivity.filter(({ online }) => !online).map(({ chargePointId }) => chargePointId))}
        now={frame.now}
        totals={await totalsOf(site.reads, filter, () => site.now())}
        unknown={unknown}
        later={before !== undefined}
        olderThan={last?.id}
      />
    )
    return { page, status: unknown ? 404 : 200 }
  })
}

async function isUnknown({ site: { reads }, accountId }: Visit, chargePointId: string): Promise<boolean> {
  return (await reads.listSessions({ accountId, chargePointIds: [chargePointId], limit: 1 })).length === 0
}

async function headOf(core: OperatorContext['core'], visit: Visit, id: string) {
  const view = await visit.site.reads.findChargePoint(id)
  return view?.accountId === visit.accountId ? shownNow({ core }, visit, view) : undefined
}

export const downloadSessions: ConsolePage = listFile('anybody', SESSION_FILTERS, async (visit, { requested }) => {
  const { site, frame, accountId } = visit
  const filter = await withLabels(site.reads, sessionFilter(requested, accountId, frame), requested.label)
  const name = `sessions-${isoTime(frame.now)}.csv`
  return { name, chunks: csvText(SESSION_COLUMNS, sessionRows(site.reads, filter, frame.now)) }
})
