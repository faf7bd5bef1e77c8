/** The charge point that an address names, and the form token that is good for it. */

import type { Refusal } from '../../domain/ports/refusal.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { PageContext } from '../../web/site.ts'
import type { Visit } from '../visit.tsx'

/** Undefined for what does not exist and for what is another account's. */
export async function ownChargePoint({ site, context, accountId }: Visit): Promise<ChargePointView | undefined> {
  const found = await site.reads.findChargePoint(idOf(context))
  return found?.accountId === accountId ? found : undefined
}

/** The same for an order. Refuses with 404. */
export async function orderedChargePoint(visit: Visit): Promise<ChargePointView | Refusal> {
  return (await ownChargePoint(visit)) ?? noSuch('charge point')
}

/** A form's token is good for one charge point. */
export function actionOn(id: string): string {
  return `charge point ${id}`
}

/** The one that the address names. */
export function actionOf(context: PageContext): string {
  return actionOn(idOf(context))
}

/** Below the dashboard, for whoever goes on there. */
export function pathOf(id: string): string {
  return `/charge-points/${encodeURIComponent(id)}`
}

function idOf({ req }: PageContext): string {
  return req.param('chargePoint') ?? ''
}
