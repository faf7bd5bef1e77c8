import type { Child } from 'hono/jsx'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { PageContext, Role } from '../../web/site.ts'
import type { ConsolePage } from '../console-parts.ts'
import { acting, type Done, type Shown, showing, type Visit } from '../visit.tsx'

/** Undefined for what does not exist and for what is another account's. */
export async function ownChargePoint({ site, context, accountId }: Visit): Promise<ChargePointView | undefined> {
  const found = await site.reads.findChargePoint(idOf(context))
  return found?.accountId === accountId ? found : undefined
}

/** Refuses with 404. */
export async function orderedChargePoint(visit: Visit): Promise<ChargePointView | Refusal> {
  return (await ownChargePoint(visit)) ?? noSuch('charge point')
}

/** A page of one charge point. */
export function showingStation(
  role: Role,
  show: (visit: Visit, view: ChargePointView) => Promise<Child | Shown | undefined>,
): ConsolePage {
  return showing(role, async (visit) => {
    const view = await ownChargePoint(visit)
    return view && show(visit, view)
  })
}

/** A form of one charge point. */
export function actingOnStation(
  order: (visit: Visit, view: ChargePointView, form: URLSearchParams) => Promise<Done>,
): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const view = await orderedChargePoint(visit)
    return 'refused' in view ? view : order(visit, view, form)
  })
}

export function actionOn(id: string): string {
  return `charge point ${id}`
}

export function actionOf(context: PageContext): string {
  return actionOn(idOf(context))
}

export function pathOf(id: string): string {
  return `/charge-points/${encodeURIComponent(id)}`
}

function idOf({ req }: PageContext): string {
  return req.param('chargePoint') ?? ''
}
