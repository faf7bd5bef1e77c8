/** The account's sessions: the page that finds and sums them, and the same as CSV. */
import { withLabels } from '../../application/charge-points/labelled.ts'
import type { ConsolePage, OperatorParts } from '../console-parts.ts'
import { pageOfRows, ROWS_ASKED } from '../kit/page-of-rows.ts'
import { downloading, showing, type Visit } from '../visit.tsx'
import { askedSessions, readSessionQuery } from './session-query.ts'
import { createTotals } from './session-totals.ts'
import { sessionsCsv } from './sessions-csv.ts'
import { isOver, SessionsPage } from './sessions-page.tsx'

export function showSessions({ core }: Pick<OperatorParts, 'core'>): ConsolePage {
  const totalsOf = createTotals()
  return showing('anybody', async (visit) => {
    const { site, context, frame, accountId } = visit
    const asked = askedSessions(new URL(context.req.url).searchParams)
    const now = site.now()
    const query = readSessionQuery(asked, { accountId, timeZone: frame.timeZone, now })
    if (!query.ok) {
      const page = <SessionsPage frame={frame} asked={asked} faults={query.faults} sessions={[]} later={false} />
      return { page, status: 400 }
    }
    const before = context.req.query('before')
    const filter = await withLabels(site.reads, query.value.filter, query.value.labels)
    const found = await site.reads.listSessions({
      ...filter,
      byStart: true,
      ...(before !== undefined && { belowId: before }),
      limit: ROWS_ASKED,
    })
    const { rows: sessions, last } = pageOfRows(found)
    const unknown = sessions.length === 0 && before === undefined && (await isUnknown(visit, asked.evseControllerId))
    const running = sessions.filter((session) => !isOver(session))
    const stations = [...new Set(running.map(({ chargePointId }) => chargePointId))]
    const connectivity = stations.length > 0 ? await core.connectivity(stations) : []
    const page = (
      <SessionsPage
        frame={frame}
        asked={asked}
        faults={[]}
        sessions={sessions}
        offline={new Set(connectivity.filter(({ online }) => !online).map(({ chargePointId }) => chargePointId))}
        now={now}
        totals={await totalsOf(site.reads, filter, () => site.now())}
        unknown={unknown}
        later={before !== undefined}
        olderThan={last?.id}
      />
    )
    return { page, status: unknown ? 404 : 200 }
  })
}

/** A charge point that was deleted keeps its sessions; what has neither was misspelled. */
async function isUnknown({ site, accountId }: Visit, chargePointId: string | undefined): Promise<boolean> {
  if (chargePointId === undefined) return false
  const { reads } = site
  if ((await reads.findChargePoint(chargePointId))?.accountId === accountId) return false
  return (await reads.listSessions({ accountId, chargePointIds: [chargePointId], limit: 1 })).length === 0
}

export const downloadSessions: ConsolePage = downloading('anybody', async ({ site, context, frame, accountId }) => {
  const { reads } = site
  const now = site.now()
  const asking = { accountId, timeZone: frame.timeZone, now }
  const query = readSessionQuery(askedSessions(new URL(context.req.url).searchParams), asking)
  if (!query.ok) return undefined
  const filter = await withLabels(reads, query.value.filter, query.value.labels)
  return { name: `sessions-${new Date(now).toISOString()}.csv`, chunks: sessionsCsv(reads, filter, now) }
})
