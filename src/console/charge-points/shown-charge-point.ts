import type { Connectivity } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { detailsOf, type SessionDetails } from '../../domain/sessions/figures/details.ts'
import type { ConsoleSite } from '../console-parts.ts'
import type { Visit } from '../visit.tsx'

export interface ShownChargePoint {
  readonly view: ChargePointView
  readonly live?: Connectivity | undefined
  /** By session id: oldest first, in kW. */
  readonly courses?: ReadonlyMap<string, readonly { readonly at: number; readonly value: number }[]> | undefined
  readonly open?: readonly Session[] | undefined
  /** What it draws now, and how full the car is that is known about; absent: unknown. */
  readonly powerKw?: number | undefined
  readonly stateOfCharge?: number | undefined
  readonly drawn?: ReadonlyMap<string, number> | undefined
}

/** With what runs there. What a station that is away drew is old. */
function withOpen(
  shown: ShownChargePoint,
  open: readonly Session[],
  details: ReadonlyMap<string, SessionDetails>,
): ShownChargePoint {
  if (!shown.live?.online) return { ...shown, open }
  const drawn = new Map<string, number>()
  for (const { id } of open) {
    const powerKw = details.get(id)?.powerKw
    if (powerKw !== undefined) drawn.set(id, powerKw)
  }
  const charge = open.map(({ id }) => details.get(id)?.stateOfCharge).find((percent) => percent !== undefined)
  const powerKw = [...drawn.values()].reduce((sum, kw) => sum + kw, 0)
  return {
    ...shown,
    open,
    drawn,
    ...(drawn.size > 0 && { powerKw }),
    stateOfCharge: charge,
  }
}

/** What stands above each page of a charge point (CONSOLE-F7). One that is idle costs one look at its sessions. */
export async function shownNow(
  { site: { reads, now, core } }: Pick<Visit, 'site'>,
  view: ChargePointView,
): Promise<ShownChargePoint> {
  const [[live], all] = await Promise.all([core.connectivity([view.id]), reads.listOpenSessions(view.id)])
  const open = all.filter(({ accountId }) => accountId === view.accountId)
  const transactions = open.length > 0 ? await reads.findTransactionsOf(open) : []
  return withOpen({ view, live }, open, detailsOf(open, transactions, now()))
}

const MAX_OPEN = 500

export async function withConnectivity(
  { core }: ConsoleSite,
  rows: readonly { readonly view: ChargePointView }[],
): Promise<readonly ShownChargePoint[]> {
  const connectivity = rows.length > 0 ? await core.connectivity(rows.map(({ view }) => view.id)) : []
  const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
  return rows.map(({ view }) => ({ view, live: live.get(view.id) }))
}

/** With what runs where a connector is taken. */
export async function shownOf(
  { site, accountId }: Visit,
  rows: readonly { readonly view: ChargePointView }[],
): Promise<readonly ShownChargePoint[]> {
  const shown = await withConnectivity(site, rows)
  const chargePointIds = shown.filter(isTaken).map(({ view }) => view.id)
  if (chargePointIds.length === 0) return shown
  const { reads, now } = site
  const open = await reads.listSessions({ accountId, chargePointIds, running: true, limit: MAX_OPEN })
  const details = detailsOf(open, await reads.findTransactionsOf(open), now())
  return shown.map((one) => {
    const own = open.filter(({ chargePointId }) => chargePointId === one.view.id)
    return withOpen(one, own, details)
  })
}

function isTaken({ view }: ShownChargePoint): boolean {
  return view.connectors.some(({ status }) => !IDLE.has(status.toLowerCase()))
}

const IDLE: ReadonlySet<string> = new Set(['available', 'unavailable', 'reserved'])
